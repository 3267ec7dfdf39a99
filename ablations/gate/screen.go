package gate

import "github.com/seed-5817661a/concur/internal/stats"

// guarded reports whether Test B protects a query: at least two thirds of its history is
// right.
func (h held) guarded() bool {
	return h.history.Valid() > 0 && 3*h.history.Right >= 2*h.history.Valid()
}

// suspect reports whether a query looks broken: no more than half of the run's valid
// traces are right. A tie counts as wrong.
func (h held) suspect() bool { return 2*h.Current.Right <= h.Current.Valid() }

// freshTraces is how many fresh traces confirm a suspect: a short history wants more.
func (h held) freshTraces() int {
	if h.history.Valid() < shortHistory {
		return 2 * confirmTraces
	}
	return confirmTraces
}

const (
	confirmTraces = 6
	shortHistory  = 9
)

// screen finds the suspects, and what Test B can do about them at best.
func (v versus) screen() Screen {
	s := Screen{Suspects: []Suspect{}, Outside: []string{}}
	var every, suspected *float64 // smallest p-values
	for _, h := range v.items {
		suspect, guarded := h.suspect(), h.guarded()
		if suspect {
			s.Suspects = append(s.Suspects, newSuspect(h))
		}
		if !guarded {
			s.Outside = append(s.Outside, h.Query)
			continue
		}
		least := h.least()
		every = lesser(every, least)
		if suspect {
			suspected = lesser(suspected, least)
		}
	}
	s.Least = every
	if suspected != nil {
		s.Least = suspected
	}
	if s.Least != nil {
		// Holm begins with the number of suspects, whether or not they are guarded.
		adjusted := min(1, *s.Least*float64(max(1, len(s.Suspects))))
		s.Least = &adjusted
	}
	s.Powerless = s.Least == nil || *s.Least > v.level
	return s
}

// least is the smallest p-value that the query's fresh traces can give.
func (h held) least() float64 {
	k := h.freshTraces()
	if h.Fresh != nil {
		k = max(k, h.Fresh.Valid())
	}
	p, ok := stats.FreshItemLeast(k, h.history.Right, h.history.Valid())
	if !ok {
		return 1
	}
	return p
}

func lesser(a *float64, b float64) *float64 {
	if a != nil && *a <= b {
		return a
	}
	return &b
}

func newSuspect(h held) Suspect {
	return Suspect{
		Query: h.Query, Right: h.Current.Right, Traces: h.Current.Valid(),
		HistoryRight: h.history.Right, History: h.history.Valid(), Outside: !h.guarded(),
	}
}
