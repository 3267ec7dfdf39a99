package result

import (
	"github.com/seed-5817661a/concur/internal/bag"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// Labels counts people's verdicts on the answers of a configuration. If the gold decides all queries, labels
// replace its verdicts in all figures except Corrected and Configuration.Judged. If a judge decides at least
// one query, all figures use the verdicts before labels; labels then affect only Corrected.
type Labels struct {
	Given     int `json:"given"`     // verdicts by people
	Overruled int `json:"overruled"` // labels that differ from the verdict before
	Skipped   int `json:"skipped"`   // answers for which the person could not decide
	Drawn     int `json:"drawn"`     // labels on answers that were drawn at random
	// Corrected is the pass rate before labels, corrected with the help of the labels. It is nil if fewer than
	// MinLabels labels are on drawn answers, if a verdict is missing, if there are too few clusters for an
	// interval, and for an incomplete run.
	Corrected *Corrected `json:"corrected"`
}

// MinLabels is the minimum number of drawn labels for a corrected rate.
const MinLabels = 30

// Corrected is a pass rate that is corrected for the errors of the judge.
type Corrected struct {
	Method string   `json:"method"` // PPI++; Horvitz-Thompson if chances of the draw are unequal
	Labels int      `json:"labels"`
	Rate   float64  `json:"rate"`
	CI     Interval `json:"ci"` // labels: Wilson's, with the method; calibration: Lang-Reiczigel
}

type labelTally struct {
	passed, unscored int // numbers of verdicts before labels
	labelled         []store.Record
}

func (t *labelTally) add(r store.Record) {
	t.passed += bag.OneIf(r.Before().Verdict == judge.Correct)
	t.unscored += bag.OneIf(r.Before().Verdict == judge.Unscored)
	if r.Label != nil {
		t.labelled = append(t.labelled, r)
	}
}

func (t *labelTally) merge(o labelTally) {
	t.passed += o.passed
	t.unscored += o.unscored
	t.labelled = append(t.labelled, o.labelled...)
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
		out.Overruled += bag.OneIf(l.Before.Verdict != l.Verdict)
		out.Drawn += bag.OneIf(l.Draw != nil)
		uniform = uniform && l.Draw != nil && l.Draw.Uniform
		audited = append(audited, stats.Audited{Judged: l.Before.Verdict == judge.Correct,
			Right: l.Verdict == judge.Correct, Chance: chance})
	}
	if spread, ok := all.spread(); ok && n.Missing == 0 && out.Drawn >= MinLabels && t.unscored == 0 {
		out.Corrected = corrected(audited, uniform, t.passed, n.Queries, spread)
	}
	return out
}

// corrected estimates the corrected rate. Each label has the weight 1 divided by the chance with which its
// answer was drawn. spread is the factor by which clusters increase the variance of a rate.
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
	drawn := (spread - 1) * e.SE * e.SE // PPI++ already includes the variance from the choice of queries
	if !uniform {
		drawn = spread * e.Value * (1 - e.Value) / float64(queries)
	}
	ci := stats.CautiousInterval(e, labels, passed, queries, Level, drawn, estimate)
	out.Rate, out.CI = e.Value, Interval{out.Method, Level, ci.Low, ci.High}
	return out
}
