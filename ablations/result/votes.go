package result

import (
	"slices"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// votes is the running count of patterns.
type votes struct {
	patterns Patterns
	judged   int // queries with a verdict of a judge instead of the gold
	noGold   int // queries without a verdict of the gold
	unclear  int // queries whose votes do not define the decision of fewer traces

	unanimous, unanimousCorrect int

	classes []stats.Class // of the current record
}

func (v *votes) add(r store.Record) {
	p, valid, d := v.read(r), validOf(r), r.Consensus
	lost := r.Verdict.By == judge.ByInfra && d.Unscored
	unanimous := len(d.Votes) == 1 && len(d.Votes[0].Traces) == len(r.Answers)
	v.unclear += one(d.Unscored && d.Representative != nil || !d.KCurve || p.Item.Traces() != valid)
	v.judged += one(r.Verdict.By != judge.ByGold && !lost)
	v.noGold += one(p.Ruled < valid)
	v.unanimous += one(unanimous)
	v.unanimousCorrect += one(unanimous && r.Verdict.Verdict == judge.Correct)
	v.patterns.Add(p)
}

// read returns the pattern of a record, whose classes the next call overwrites.
func (v *votes) read(r store.Record) (p Pattern) {
	for _, a := range r.Answers {
		if a.Outcome != trace.Infra {
			p.Item.Empty += one(a.Outcome == trace.NoAnswer)
			p.Ruled += one(a.Verdict != judge.Unscored)
			p.Right += one(a.Verdict == judge.Correct)
		}
	}
	v.classes = v.classes[:0]
	for _, vote := range r.Consensus.Votes {
		v.classes = append(v.classes, stats.Class{Votes: len(vote.Traces), Correct: representativeOf(r, vote).Verdict == judge.Correct})
	}
	p.Item.Classes = v.classes
	return p
}

// representativeOf returns the trace that a class is judged by: the decision's
// representative if it belongs to the class, else the first trace whose answer has the
// class's key.
func representativeOf(r store.Record, vote consensus.Vote) store.Answer {
	d := r.Consensus.Representative
	decides := d != nil && slices.Contains(vote.Traces, *d)
	for _, t := range vote.Traces {
		if t < 0 || t >= len(r.Answers) {
			continue
		}
		if a := r.Answers[t]; decides && t == *d || !decides && a.Key != nil && *a.Key == vote.Key {
			return a
		}
	}
	return store.Answer{}
}
