package gate

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/stats"
)

// confirm is Test B: the fresh traces of the suspects against their history, Holm over all
// suspects and not over the guarded ones only, since filtering by history selects lucky
// histories. It returns what fresh traces are still to be run, and the guarded suspects
// without a valid one.
func (v versus) confirm(s *Screen) (asks []Ask, unconfirmed []string) {
	if len(s.Suspects) == 0 {
		return nil, nil
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
		if h.Fresh == nil {
			asks = append(asks, Ask{h.Query, h.freshTraces()})
		}
		if h.Fresh == nil || h.Fresh.Valid() == 0 {
			unconfirmed = append(unconfirmed, h.Query)
			continue
		}
		right, of := h.Fresh.Right, h.Fresh.Valid()
		q.FreshRight, q.Fresh = &right, &of
		if worse, ok := stats.FreshItem(right, of, q.HistoryRight, q.History); ok {
			p[len(p)-1] = worse
		}
	}
	// A p-value not known yet counts as 1, which leaves the others' as they will be or above.
	adjusted, ok := stats.Holm(p)
	if !ok {
		return asks, unconfirmed
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
	return asks, unconfirmed
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

// names lists the suspects that are guarded.
func (s Screen) names() string {
	var out []string
	for _, q := range s.Suspects {
		if !q.Outside {
			out = append(out, q.Query)
		}
	}
	return listed(out)
}

// counted says how many, in words that agree.
func counted(n int, thing string) string {
	if n != 1 {
		thing = strings.TrimSuffix(thing, "y") + map[bool]string{true: "ies", false: "s"}[strings.HasSuffix(thing, "y")]
	}
	return fmt.Sprintf("%d %s", n, thing)
}
