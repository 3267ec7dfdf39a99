package page

import (
	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/reports/worth"
	"github.com/seed-5817661a/concur/trace"
)

// marked has the gains of a run's calls, which are shown beside their results; without gains nothing is shown.
type marked struct{ gains *usefulness.Scored }

// marks reads the gains of the chosen queries, by run.
func (p Page) marks(of map[string]bool) ([]marked, error) {
	out := make([]marked, len(p.Runs))
	for i, run := range p.Runs {
		gains, err := usefulness.ReadScored(run, "", func(query string) bool { return of[query] })
		if err != nil {
			return nil, err
		}
		out[i] = marked{gains}
	}
	return out, nil
}

// of returns the marks of a trace, by the index of the event.
func (m marked) of(events []trace.Event) map[int]string {
	if m.gains == nil || len(events) == 0 {
		return nil
	}
	return worth.Marks(events, m.gains.Of(events[0].ID))
}
