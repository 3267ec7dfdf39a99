package gate

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/stats"
)

// unsettled is a guarded suspect that has not had the fresh traces it was to have.
type unsettled struct {
	query              string
	valid, asked, lost int
	run                bool // as many as asked for were run
}

func (u unsettled) String() string {
	return fmt.Sprintf("%s (%d of %d fresh traces valid, %d lost)", u.query, u.valid, u.asked, u.lost)
}

// confirm is Test B: the fresh traces of the suspects against their history, Holm over all
// suspects and not over the guarded ones only, since filtering by history selects lucky
// histories. It returns what fresh traces are still to be run, and the guarded suspects
// that have fewer valid ones than they need: those may be found broken, and not sound.
func (v versus) confirm(s *Screen) (asks []Ask, open []unsettled) {
	asks = []Ask{}
	if len(s.Suspects) == 0 {
		return asks, nil
	}
	p := make([]float64, 0, len(s.Suspects))
	i := 0
	for _, h := range v.items {
		if !h.suspect() {
			continue
		}
		p = append(p, 1)
		q := &s.Suspects[i]
		i++
		if q.Outside {
			continue
		}
		asked := h.freshTraces()
		fresh := Traces{}.plus(h.Fresh)
		switch {
		case fresh.all() < asked:
			asks = append(asks, Ask{h.Query, asked})
			open = append(open, unsettled{query: h.Query, asked: asked})
		case fresh.Valid() < asked:
			open = append(open, unsettled{h.Query, fresh.Valid(), asked, fresh.Lost, true})
		}
		if fresh.Valid() == 0 {
			continue
		}
		right, of := fresh.Right, fresh.Valid()
		q.FreshRight, q.Fresh = &right, &of
		if worse, ok := stats.FreshItem(right, of, q.HistoryRight, q.History); ok {
			p[len(p)-1] = worse
		}
	}
	// A p-value not known yet counts as 1, which leaves the others' as they will be or above.
	adjusted, ok := stats.Holm(p)
	if !ok {
		return asks, open
	}
	for i := range s.Suspects {
		q := &s.Suspects[i]
		if !q.Outside && q.Fresh == nil {
			continue
		}
		q.P, q.PHolm = &p[i], &adjusted[i]
		q.Broken = adjusted[i] <= v.level
		s.Rejects = s.Rejects || q.Broken
	}
	return asks, open
}

// broken gives a sentence for each query that Test B found.
func (s Screen) broken(history string) []string {
	var out []string
	for _, q := range s.Suspects {
		if q.Broken {
			out = append(out, fmt.Sprintf("%s is broken: %d of %d fresh traces are right, against %d of %d in the %s (p=%.2g over %s); look at its traces with concur trace",
				q.Query, *q.FreshRight, *q.Fresh, q.HistoryRight, q.History, history, *q.PHolm, counted(len(s.Suspects), "suspect")))
		}
	}
	return out
}

// counted says how many, in words that agree.
func counted(n int, thing string) string {
	if n != 1 {
		thing = strings.TrimSuffix(thing, "y") + map[bool]string{true: "ies", false: "s"}[strings.HasSuffix(thing, "y")]
	}
	return fmt.Sprintf("%d %s", n, thing)
}
