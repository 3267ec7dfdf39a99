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

// pattern is how the traces of a query came out, in numbers alone. What is said of it is
// said of all queries that have it, and computed once.
type pattern struct {
	// item groups the traces as the vote did; those of a class are all as right as the one
	// that stands for it.
	item stats.Item
	// ruled counts the traces of which the gold says something, and right those of them
	// that it finds right on their own.
	ruled, right int
	queries      int
}

// votes is the running count of how traces voted.
type votes struct {
	patterns map[string]*pattern // by their numbers
	judged   int                 // queries of which a judge, and not the gold, gave the verdict
	noGold   int                 // queries of which the gold says nothing
	untold   int                 // queries whose votes alone do not tell what fewer would decide

	unanimous, unanimousCorrect int

	classes []stats.Class // of the record at hand
	key     []byte
}

func newVotes() votes { return votes{patterns: map[string]*pattern{}} }

func (v *votes) add(r store.Record) {
	p, valid := v.read(r)
	d := r.Consensus
	if d.Unscored && d.Representative != nil || !d.KCurve || p.item.Traces() != valid {
		v.untold++
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

// read returns the pattern of a record, whose classes are overwritten by the next, and the
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
		a, _ := standsFor(r, vote)
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

// number is different for different classes.
func number(c stats.Class) uint64 {
	n := uint64(c.Votes) << 1
	if c.Correct {
		n++
	}
	return n
}

// standsFor returns the trace that a class is judged by: the one that the decision rests
// on where it is of the class, else the first whose answer is that of the class and was not
// merged into it.
func standsFor(r store.Record, vote consensus.Vote) (store.Answer, bool) {
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

// answerOf finds the answer of a trace, which stands at its index.
func answerOf(r store.Record, t int) (store.Answer, bool) {
	if t < 0 || t >= len(r.Answers) {
		return store.Answer{}, false
	}
	return r.Answers[t], true
}

// all lists the patterns in an order that depends on nothing but them.
func (v *votes) all() []pattern {
	out := make([]pattern, 0, len(v.patterns))
	for _, key := range slices.Sorted(maps.Keys(v.patterns)) {
		out = append(out, *v.patterns[key])
	}
	return out
}
