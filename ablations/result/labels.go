package result

import (
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// Labels is what people said of the answers of a configuration. Where the gold decides, the verdicts of people count
// in all its figures, and Corrected and Configuration.Judged rest on those before them. Where a judge decides some
// query, all figures rest on the verdicts before labels, and labels count in Corrected alone.
type Labels struct {
	Given     int `json:"given"`     // verdicts of people
	Overruled int `json:"overruled"` // that were other than the verdict before
	Skipped   int `json:"skipped"`   // answers on which the person could not say
	Drawn     int `json:"drawn"`     // verdicts on answers that were drawn at random
	// Corrected is the pass rate before labels, corrected by them; nil below MinLabels drawn labels, where a verdict is
	// missing, where clusters are too few for an interval, and for an incomplete run.
	Corrected *Corrected `json:"corrected"`
}

// MinLabels is the least number of drawn labels for a corrected rate.
const MinLabels = 30

// Corrected is a pass rate that allows for the errors of the judge.
type Corrected struct {
	Method string   `json:"method"` // PPI++, or Horvitz-Thompson for draws of unequal chance
	Labels int      `json:"labels"`
	Rate   float64  `json:"rate"`
	CI     Interval `json:"ci"` // by labels in Wilson's form, named as the method; by a calibration Lang-Reiczigel
}

type labelTally struct {
	passed, unscored int // verdicts before labels
	labelled         []store.Record
}

func (t *labelTally) add(r store.Record) {
	t.passed += one(r.Before().Verdict == judge.Correct)
	t.unscored += one(r.Before().Verdict == judge.Unscored)
	if r.Label != nil {
		t.labelled = append(t.labelled, r)
	}
}

func (t *labelTally) figures(n Counts, all outcomes) *Labels {
	if len(t.labelled) == 0 {
		return nil
	}
	out := &Labels{}
	uniform := true
	var audited []stats.Audited
	for i, chance := range store.Chances(t.labelled) {
		l := t.labelled[i].Label
		if l.Verdict == judge.Unscored {
			out.Skipped++
			continue
		}
		out.Given++
		out.Overruled += one(l.Before.Verdict != l.Verdict)
		out.Drawn += one(l.Draw != nil)
		uniform = uniform && l.Draw != nil && l.Draw.Uniform
		audited = append(audited, stats.Audited{Judged: l.Before.Verdict == judge.Correct, Right: l.Verdict == judge.Correct, Chance: chance})
	}
	if spread, ok := all.spread(); ok && n.Missing == 0 && out.Drawn >= MinLabels && t.unscored == 0 {
		out.Corrected = corrected(audited, uniform, t.passed, n.Queries, spread)
	}
	return out
}

// corrected weighs each label by the chance with which its answer was drawn. spread is how many times larger the
// variance of a rate is for queries that belong together.
func corrected(labels []stats.Audited, uniform bool, passed, queries int, spread float64) *Corrected {
	out := &Corrected{Method: "Horvitz-Thompson", Labels: len(labels)}
	estimate := stats.HorvitzThompson
	if uniform {
		out.Method, estimate = "PPI++", stats.PPI
	}
	e, ok := estimate(labels, passed, queries)
	if !ok {
		return nil
	}
	drawn := (spread - 1) * e.SE * e.SE // the variance of drawing the queries themselves is in PPI++
	if !uniform {
		drawn = spread * e.Value * (1 - e.Value) / float64(queries)
	}
	ci := stats.CautiousInterval(e, labels, passed, queries, Level, drawn, estimate)
	out.Rate, out.CI = e.Value, Interval{out.Method, Level, ci.Low, ci.High}
	return out
}
