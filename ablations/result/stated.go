package result

import (
	"cmp"
	"math"

	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Stated relates how sure the model said it was, when the confidence check asked it, to the verdicts of these single
// traces (docs/method.md §3.6).
type Stated struct {
	Checks int `json:"checks"` // traces in which the model was asked, without lost ones
	Unread int `json:"unread"` // traces in which it gave no percentage from 0 to 100
	Graded int `json:"graded"` // traces with a percentage and a verdict: those of the figures
	// Brier and AUROC are computed from the percentages, ECE and Bins from ten bins of equal width. AUROC is
	// nil unless there are both right and wrong traces.
	Brier float64     `json:"brier"`
	ECE   float64     `json:"ece"`
	AUROC *float64    `json:"auroc"`
	Bins  []StatedBin `json:"bins"` // highest first
}

// StatedBin is a tenth of the scale.
type StatedBin struct {
	From   int  `json:"from"`  // per cent; a bin ends before the next one, the last with 100
	Mean   Rate `json:"right"` // its interval has clusters, or else queries, as units
	Traces int  `json:"traces"`
	Right  int  `json:"correct"`
	// Claim is the mean of the stated percentages, 0 to 1.
	Claim float64 `json:"claim"`
}

type stated struct {
	checks, unread int
	graded         []stats.Graded
	units          []string // cluster of each, or else its query: traces of one query depend on each other
}

func (s *stated) add(r store.Record) {
	for _, a := range r.Answers {
		if a.Sureness == nil || a.Outcome == trace.Infra {
			continue
		}
		s.checks++
		switch p := a.Sureness.Percent; {
		case p == nil || *p < 0 || *p > 100:
			s.unread++
		case a.Verdict != judge.Unscored:
			s.graded = append(s.graded, stats.Graded{Confidence: *p / 100, Correct: a.Verdict == judge.Correct})
			s.units = append(s.units, cmp.Or(r.Cluster, "query "+r.Query))
		}
	}
}

// figures returns the figures; nil if no model was asked, or no trace with a percentage has a verdict.
func (s *stated) figures() *Stated {
	exact, ok := stats.Calibrate(s.graded)
	if !ok {
		return nil
	}
	out := &Stated{Checks: s.checks, Unread: s.unread, Graded: len(s.graded), Brier: exact.Brier, AUROC: exact.AUROC}
	var bins [bins]StatedBin
	var right [len(bins)][]float64
	var units [len(bins)][]string
	for i, g := range s.graded {
		at := min(int(g.Confidence*float64(len(bins))), len(bins)-1)
		right[at], units[at] = append(right[at], stats.Bit(g.Correct)), append(units[at], s.units[i])
		b := &bins[at]
		b.Traces++
		b.Right += oneIf(g.Correct)
		b.Claim += g.Confidence
	}
	for i := len(bins) - 1; i >= 0; i-- {
		b := bins[i]
		if b.Traces == 0 {
			continue
		}
		b.From, b.Claim = i*100/len(bins), b.Claim/float64(b.Traces)
		b.Mean = *rateOf(right[i], units[i])
		out.ECE += float64(b.Traces) / float64(len(s.graded)) * math.Abs(b.Mean.Value-b.Claim)
		out.Bins = append(out.Bins, b)
	}
	return out
}

const bins = 10
