package result

import (
	"cmp"
	"fmt"
	"math"

	"github.com/seed-5817661a/concur/internal/bag"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Stated compares two things: how sure the model said it was, when the confidence check asked it, and the
// verdicts on these single traces (docs/method.md §3.6).
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
	graded         stats.Grades
	// queries counts, by bin, the traces of each query and the right ones. Traces are counted by query, because
	// traces of one query depend on each other.
	queries [bins]bag.Bag[queryCounts]
}

func newStated() (s stated) {
	for i := range s.queries {
		s.queries[i] = bag.Bag[queryCounts]{}
	}
	return s
}

func binOf(confidence float64) int { return min(int(confidence*bins), bins-1) }

func (s *stated) add(r store.Record) {
	var own [bins]queryCounts
	for _, a := range r.Answers {
		if a.Sureness == nil || a.Outcome == trace.Infra {
			continue
		}
		s.checks++
		switch p := a.Sureness.Percent; {
		case p == nil || *p < 0 || *p > 100:
			s.unread++
		case a.Verdict != judge.Unscored:
			g := stats.Graded{Confidence: *p / 100, Correct: a.Verdict == judge.Correct}
			s.graded.Add(g)
			own[binOf(g.Confidence)].of++
			own[binOf(g.Confidence)].part += bag.OneIf(g.Correct)
		}
	}
	for i, n := range own {
		if n.of > 0 {
			n.cluster = r.Cluster
			s.queries[i].Add(n)
		}
	}
}

func (s *stated) merge(o stated) {
	s.checks += o.checks
	s.unread += o.unread
	s.graded.Merge(&o.graded)
	for i := range s.queries {
		s.queries[i].Merge(o.queries[i])
	}
}

// right returns the share of right traces of a bin, with its interval. Units are clusters, or queries if there
// are no clusters.
func (s *stated) right(bin int) *Rate {
	var values stats.Values
	query := 0
	for q := range s.queries[bin].Each(queryCounts.compare) {
		query++
		cluster := cmp.Or(q.cluster, fmt.Sprint("query ", query))
		values.Add(1, cluster, q.part)
		values.Add(0, cluster, q.of-q.part)
	}
	return rateOf(&values)
}

// figures returns the figures; nil if no model was asked, or no trace with a percentage has a verdict.
func (s *stated) figures() *Stated {
	exact, ok := s.graded.Calibrate()
	if !ok {
		return nil
	}
	out := &Stated{Checks: s.checks, Unread: s.unread, Graded: s.graded.Len(), Brier: exact.Brier, AUROC: exact.AUROC}
	var all [bins]StatedBin
	for _, l := range exact.Levels {
		b := &all[binOf(l.Confidence)]
		b.Traces += l.Items
		b.Right += l.Correct
		for range l.Items {
			b.Claim += l.Confidence
		}
	}
	for i := bins - 1; i >= 0; i-- {
		b := all[i]
		if b.Traces == 0 {
			continue
		}
		b.From, b.Claim = i*100/bins, b.Claim/float64(b.Traces)
		b.Mean = *s.right(i)
		out.ECE += float64(b.Traces) / float64(s.graded.Len()) * math.Abs(b.Mean.Value-b.Claim)
		out.Bins = append(out.Bins, b)
	}
	return out
}

const bins = 10
