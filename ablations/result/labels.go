package result

import (
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// Labels is what people said of the answers of a configuration. The verdicts of people count in
// all its figures; Corrected, and Configuration.Judged, rest on those before them.
type Labels struct {
	Given     int `json:"given"`     // verdicts of people
	Overruled int `json:"overruled"` // that were other than the verdict before
	Skipped   int `json:"skipped"`   // answers on which the person could not say
	Drawn     int `json:"drawn"`     // verdicts on answers that were drawn at random
	// Judged is the pass rate before labels; nil for an incomplete run.
	Judged *Rate `json:"judged"`
	// Corrected is the pass rate by the judge, corrected by the labels; nil below MinLabels drawn
	// labels, where a verdict is missing, and for an incomplete run.
	Corrected *Corrected `json:"corrected"`
}

// MinLabels is the least number of drawn labels for a corrected rate.
const MinLabels = 30

// Corrected is a pass rate that allows for the errors of the judge.
type Corrected struct {
	Method string   `json:"method"` // PPI++, or Horvitz-Thompson for draws of unequal chance
	Labels int      `json:"labels"`
	Rate   float64  `json:"rate"`
	CI     Interval `json:"ci"`
}

// labelTally is the running count of labels.
type labelTally struct {
	passed, unscored          int // verdicts before labels
	given, overruled, skipped int
	labelled                  []labelledAnswer
	next                      float64 // of the last draw
}

// labelledAnswer is a label with the verdict before it; weight is 0 if a person chose it.
type labelledAnswer struct {
	right, judged, uniform bool
	weight                 float64
}

func (t *labelTally) figures(n Counts) *Labels {
	if t.given+t.skipped == 0 {
		return nil
	}
	out := &Labels{Given: t.given, Overruled: t.overruled, Skipped: t.skipped}
	for _, a := range t.labelled {
		if a.weight > 0 {
			out.Drawn++
		}
	}
	if n.Missing > 0 {
		return out
	}
	out.Judged = rate(t.passed, n.Queries)
	if out.Drawn >= MinLabels && t.unscored == 0 {
		out.Corrected = t.corrected(n.Queries)
	}
	return out
}

// corrected weighs each label by the chance with which its answer was drawn: 1 for a query that
// a person chose, and for the others that of priority sampling (store.Draw).
func (t *labelTally) corrected(queries int) *Corrected {
	var labels []stats.Audited
	uniform := true
	for _, l := range t.labelled {
		chance := 1.0
		if l.weight > 0 && t.next > 0 {
			chance = min(1, l.weight*t.next)
		}
		uniform = uniform && l.uniform
		labels = append(labels, stats.Audited{Judged: l.judged, Right: l.right, Chance: chance})
	}
	out := &Corrected{Method: "Horvitz-Thompson", Labels: len(labels)}
	estimate := stats.HorvitzThompson
	if uniform {
		out.Method, estimate = "PPI++", stats.PPI
	}
	e, ok := estimate(labels, t.passed, queries)
	if !ok {
		return nil
	}
	drawn := 0.0 // the variance of drawing the queries themselves, which PPI++ has in it
	if !uniform {
		drawn = e.Value * (1 - e.Value) / float64(queries)
	}
	ci := stats.CautiousInterval(e, labels, t.passed, queries, Level, drawn, estimate)
	out.Rate, out.CI = e.Value, Interval{out.Method, Level, ci.Low, ci.High}
	return out
}

func (t *labelTally) add(r store.Record) {
	before := r.Verdict
	l := r.Label
	if l != nil {
		before = l.Before
	}
	switch before.Verdict {
	case judge.Correct:
		t.passed++
	case judge.Unscored:
		t.unscored++
	}
	if l == nil {
		return
	}
	if d := l.Draw; d != nil && (len(t.labelled) == 0 || d.Next == 0 || t.next != 0 && d.Next > t.next) {
		t.next = d.Next
	}
	if l.Verdict == judge.Unscored {
		t.skipped++
		return
	}
	t.given++
	if before.Verdict != l.Verdict {
		t.overruled++
	}
	a := labelledAnswer{right: l.Verdict == judge.Correct, judged: before.Verdict == judge.Correct}
	if l.Draw != nil {
		a.weight, a.uniform = l.Draw.Weight, l.Draw.Uniform
	}
	t.labelled = append(t.labelled, a)
}
