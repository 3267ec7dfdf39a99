package result

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// pattern is the outcome of a query's traces in numbers. Queries with equal patterns have
// equal statistics, which are computed once.
type pattern struct {
	// item groups the traces as the vote did; all traces of a class are as right as its
	// representative.
	item stats.Item
	// ruled counts the traces with a verdict of the gold, right those that it finds correct.
	ruled, right int
	queries      int
}

// votes is the running count of patterns.
type votes struct {
	patterns map[string]*pattern // by their numbers
	judged   int                 // queries with a verdict of a judge instead of the gold
	noGold   int                 // queries without a verdict of the gold
	unclear  int                 // queries whose votes do not define the decision of fewer traces

	unanimous, unanimousCorrect int

	classes []stats.Class // of the current record
	key     []byte
}

func (v *votes) add(r store.Record) {
	p, valid := v.read(r)
	d := r.Consensus
	if d.Unscored && d.Representative != nil || !d.KCurve || p.item.Traces() != valid {
		v.unclear++
	}
	if lost := r.Verdict.By == judge.ByInfra && d.Unscored; r.Verdict.By != judge.ByGold && !lost {
		v.judged++
	}
	if p.ruled < valid {
		v.noGold++
	}
	if len(d.Votes) == 1 && len(d.Votes[0].Traces) == len(r.Answers) {
		v.unanimous++
		if r.Verdict.Verdict == judge.Correct {
			v.unanimousCorrect++
		}
	}
	v.count(p)
}

// read returns the pattern of a record, whose classes the next call overwrites, and the
// number of its valid traces.
func (v *votes) read(r store.Record) (p pattern, valid int) {
	for _, a := range r.Answers {
		if a.Outcome == trace.Infra {
			continue
		}
		valid++
		if a.Outcome == trace.NoAnswer {
			p.item.Empty++
		}
		if a.Verdict != judge.Unscored {
			p.ruled++
		}
		if a.Verdict == judge.Correct {
			p.right++
		}
	}
	v.classes = v.classes[:0]
	for _, vote := range r.Consensus.Votes {
		a, _ := representativeOf(r, vote)
		v.classes = append(v.classes, stats.Class{Votes: len(vote.Traces), Correct: a.Verdict == judge.Correct})
	}
	slices.SortFunc(v.classes, func(a, b stats.Class) int {
		return cmp.Or(cmp.Compare(b.Votes, a.Votes), cmp.Compare(number(b), number(a)))
	})
	p.item.Classes = v.classes
	return p, valid
}

func (v *votes) count(p pattern) {
	v.key = v.key[:0]
	for _, n := range []int{p.item.Empty, p.ruled, p.right} {
		v.key = binary.AppendUvarint(v.key, uint64(n))
	}
	for _, c := range p.item.Classes {
		v.key = binary.AppendUvarint(v.key, number(c))
	}
	known, ok := v.patterns[string(v.key)]
	if !ok {
		p.item.Classes = slices.Clone(p.item.Classes)
		known = &p
		v.patterns[string(v.key)] = known
	}
	known.queries++
}

// number is unique for each class.
func number(c stats.Class) uint64 {
	n := uint64(c.Votes) << 1
	if c.Correct {
		n++
	}
	return n
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

// all lists the patterns in an order that depends only on the patterns.
func (v *votes) all() []pattern {
	out := make([]pattern, 0, len(v.patterns))
	for _, key := range slices.Sorted(maps.Keys(v.patterns)) {
		out = append(out, *v.patterns[key])
	}
	return out
}
