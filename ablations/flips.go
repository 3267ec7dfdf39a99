package ablations

import (
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
)

// flips are the queries that only one of the two sides has right, by id.
func (m match) flips() []result.Flip {
	out := []result.Flip{}
	for _, p := range m.pairs {
		base, other := p[0], p[1]
		was, is := base.Verdict == judge.Correct, other.Verdict == judge.Correct
		if was == is {
			continue
		}
		wrong := other
		if is {
			wrong = base
		}
		out = append(out, result.Flip{
			Query: base.ID, Category: base.Category, Gain: is,
			Baseline: base.Decided, Configuration: other.Decided, Unscored: wrong.Verdict == judge.Unscored, Reason: wrong.Reason,
		})
	}
	return out
}

// wayFlips are the traces that give the same answer on both sides, of which only one made the
// expected tool calls.
func (m match) wayFlips() []result.WayFlip {
	out := []result.WayFlip{}
	for _, p := range m.pairs {
		base, other := p[0], p[1]
		for i := range min(len(base.Ways), len(other.Ways)) {
			was, is := base.Ways[i], other.Ways[i]
			if was.Key == "" || was.Key != is.Key || was.Calls.Right == is.Calls.Right {
				continue
			}
			wrong := is.Calls
			if is.Calls.Right {
				wrong = was.Calls
			}
			out = append(out, result.WayFlip{
				Query: base.ID, Category: base.Category, Trace: i, Gain: is.Calls.Right, Answer: is.Answer, Reason: wrong.Verdict().Reason,
			})
		}
	}
	return out
}
