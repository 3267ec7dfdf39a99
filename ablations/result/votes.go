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
	p, valid := v.read(r)
	d := r.Consensus
	if d.Unscored && d.Representative != nil || !d.KCurve || p.Item.Traces() != valid {
		v.unclear++
	}
	if lost := r.Verdict.By == judge.ByInfra && d.Unscored; r.Verdict.By != judge.ByGold && !lost {
		v.judged++
	}
	if p.Ruled < valid {
		v.noGold++
	}
	if len(d.Votes) == 1 && len(d.Votes[0].Traces) == len(r.Answers) {
		v.unanimous++
		if r.Verdict.Verdict == judge.Correct {
			v.unanimousCorrect++
		}
	}
	v.patterns.Add(p)
}

// read returns the pattern of a record, whose classes the next call overwrites, and the
// number of its valid traces.
func (v *votes) read(r store.Record) (p Pattern, valid int) {
	for _, a := range r.Answers {
		if a.Outcome == trace.Infra {
			continue
		}
		valid++
		if a.Outcome == trace.NoAnswer {
			p.Item.Empty++
		}
		if a.Verdict != judge.Unscored {
			p.Ruled++
		}
		if a.Verdict == judge.Correct {
			p.Right++
		}
	}
	v.classes = v.classes[:0]
	for _, vote := range r.Consensus.Votes {
		a, _ := representativeOf(r, vote)
		v.classes = append(v.classes, stats.Class{Votes: len(vote.Traces), Correct: a.Verdict == judge.Correct})
	}
	p.Item.Classes = v.classes
	return p, valid
}

// representativeOf returns the trace that a class is judged by: the decision's
// representative if it belongs to the class, else the first trace whose answer has the
// class's key.
func representativeOf(r store.Record, vote consensus.Vote) (store.Answer, bool) {
	if d := r.Consensus.Representative; d != nil && slices.Contains(vote.Traces, *d) {
		return answerOf(r, *d)
	}
	for _, t := range vote.Traces {
		if a, ok := answerOf(r, t); ok && a.Key != nil && *a.Key == vote.Key {
			return a, true
		}
	}
	return store.Answer{}, false
}

func answerOf(r store.Record, t int) (store.Answer, bool) {
	if t < 0 || t >= len(r.Answers) {
		return store.Answer{}, false
	}
	return r.Answers[t], true
}
