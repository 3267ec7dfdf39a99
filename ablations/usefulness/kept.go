package usefulness

import (
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/feature/worth"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// AddKept adds to the summary of a run the figures of its kept scores, for each configuration that names a scorer. It
// asks no scorer. It changes nothing in a summary of a run whose configurations name none.
func AddKept(run *store.Run, r *result.Result) error {
	scorers := map[string]string{} // by configuration
	for _, c := range run.Manifest.Configurations {
		if c.Scorer != "" {
			scorers[c.Name] = c.ModelOf(c.Scorer)
		}
	}
	if len(scorers) == 0 {
		return nil
	}
	kept := map[string]*Scored{}
	for _, scorer := range scorers {
		if kept[scorer] != nil {
			continue
		}
		var err error
		if kept[scorer], err = ReadScored(run, scorer, nil); err != nil {
			return err
		}
	}
	tallies := map[string]*tally{}
	for rec, err := range run.Records() {
		if err != nil {
			return err
		}
		scores := kept[scorers[rec.Configuration]]
		if scores == nil || scores.Empty() {
			continue
		}
		if tallies[rec.Configuration] == nil {
			tallies[rec.Configuration] = &tally{}
		}
		for _, a := range rec.Answers {
			for _, e := range scores.Of(trace.ID{Agent: rec.Agent, Query: rec.Query, Trace: a.Trace}) {
				tallies[rec.Configuration].add(e, tracedCall{verdict: judge.Unscored}, unitOf(rec))
			}
		}
	}
	for i := range r.Configurations {
		c := &r.Configurations[i]
		of := tallies[c.Name]
		if of == nil {
			continue
		}
		f := of.figures(DefaultTau)
		figures := worth.Figures{Scorer: scorers[c.Name], Tau: DefaultTau, Calls: f.Calls, Defined: f.Defined, Mean: f.Mean,
			Useful: f.UsefulShare, Harmful: f.HarmfulShare}
		if f.CI != nil {
			figures.Low, figures.High = &f.CI.Low, &f.CI.High
		}
		if c.Extras == nil {
			c.Extras = map[string]any{}
		}
		c.Extras[worth.Name] = figures
	}
	return nil
}
