package ablations

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
)

// match holds the queries that two sides share.
type match struct {
	pairs   [][2]Query // in order of their ids
	left    [2]int     // queries of each side without a partner
	changed []string   // ids that both have, with different text or gold
	noHash  []string   // ids that both have, whose hash an older run over another dataset did not record
}

// newMatch pairs queries by id and hash. A hash that an older run did not record counts as
// equal if the datasets are equal or the user vouches for it.
func newMatch(a, b Side, vouched bool) match {
	others := make(map[string]Query, len(b.Queries))
	for _, q := range b.Queries {
		others[q.ID] = q
	}
	var m match
	for _, q := range a.Queries {
		other, ok := others[q.ID]
		switch {
		case !ok:
		case q.Hash == other.Hash && q.Hash != "", (q.Hash == "" || other.Hash == "") && (a.Dataset == b.Dataset || vouched):
			m.pairs = append(m.pairs, [2]Query{q, other})
		case q.Hash == "" || other.Hash == "":
			m.noHash = append(m.noHash, q.ID)
		default:
			m.changed = append(m.changed, q.ID)
		}
	}
	m.left = [2]int{len(a.Queries) - len(m.pairs), len(b.Queries) - len(m.pairs)}
	slices.SortFunc(m.pairs, func(x, y [2]Query) int { return cmp.Compare(x[0].ID, y[0].ID) })
	slices.Sort(m.changed)
	slices.Sort(m.noHash)
	return m
}

// leftOut describes the queries that a paired comparison does not cover; nil if it covers all.
func (m match) leftOut(a, b Side) *string {
	if m.left == [2]int{} {
		return nil
	}
	nameA, nameB := a.Name, b.Name
	if nameA == nameB {
		nameA, nameB = a.Run, b.Run
	}
	s := fmt.Sprintf("paired over %s that both have; %d of %s and %d of %s have no partner",
		text.Counted(len(m.pairs), "query"), m.left[0], nameA, m.left[1], nameB)
	if len(m.changed) > 0 {
		s += "; text or gold is not the same in " + text.Listed(m.changed)
	}
	return &s
}

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

// wayFlips are the traces that give the same answer on both sides, of which only one made the expected tool calls.
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

// effort compares steps, model calls and tokens over the queries for which both sides lost no trace.
//
// Source: methods.md §5.4, the sign-flip test.
func (m match) effort() *result.EffortDifference {
	var steps, calls, tokens []float64
	for _, p := range m.pairs {
		if base, other := p[0].Effort, p[1].Effort; base != nil && other != nil {
			steps = append(steps, other.Steps-base.Steps)
			calls = append(calls, other.Calls-base.Calls)
			tokens = append(tokens, other.Tokens-base.Tokens)
		}
	}
	if len(steps) == 0 {
		return nil
	}
	return &result.EffortDifference{Queries: len(steps), Steps: shift(steps), Calls: shift(calls), Tokens: shift(tokens)}
}

// shift is the mean of differences with the interval of the sign-flip test.
func shift(differences []float64) result.Shift {
	s := result.Shift{}
	for _, d := range differences {
		s.Difference += d / float64(len(differences))
	}
	if i, ok := stats.SignFlipInterval(differences, result.Level, 1); ok {
		s.CI = &result.Interval{Method: "sign-flip", Level: result.Level, Low: i.Low, High: i.High}
	}
	return s
}
