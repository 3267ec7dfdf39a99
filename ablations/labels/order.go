// Package labels says which answers of a run are most worth a person's verdict, in an order
// that keeps the corrected pass rate unbiased.
//
// It may import runner/store and judge.
package labels

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// Candidate is a record whose answer a person can judge: that of the trace that represents
// its decision.
type Candidate struct {
	Record store.Record
	Answer store.Answer
	Draw   store.Draw
	Why    []string // what makes a label worth more than another's; empty for nothing
}

// Weights of what a label tells, added to 1.
const (
	weightDisagree  = 3.0 // judge and gold give the answer different verdicts
	weightAgreement = 2.0 // times 1 - agreement of the traces
	weightRare      = 1.0 // times the share of the other verdict in the configuration
)

// Order draws candidates at random by the seed, those first whose label tells most: judge and
// deterministic match disagree, the traces agree little, the verdict is rare. A weight is at
// least a tenth of the configuration's mean, so that every answer can be drawn. With uniform
// all weights are 1. Records without an answer to judge, and those that are unscored, are no
// candidates. The order is the same in every session over the same verdicts before labels.
func Order(records []store.Record, seed int64, uniform bool) []Candidate {
	shares := passShares(records)
	var out []Candidate
	for _, r := range records {
		a, ok := represented(r)
		v := before(r)
		if !ok || v.Verdict == judge.Unscored {
			continue
		}
		c := Candidate{Record: r, Answer: a, Draw: store.Draw{Weight: 1, Uniform: uniform}}
		switch {
		case r.Label != nil && r.Label.Draw != nil:
			c.Draw = *r.Label.Draw
		case !uniform:
			c.weigh(v, shares[r.Configuration])
		}
		out = append(out, c)
	}
	total, n := map[string]float64{}, map[string]float64{}
	for _, c := range out {
		total[c.Record.Configuration] += c.Draw.Weight
		n[c.Record.Configuration]++
	}
	for i := range out {
		c := &out[i]
		name := c.Record.Configuration
		if c.Record.Label != nil && c.Record.Label.Draw != nil {
			continue // as it was drawn
		}
		c.Draw.Weight = max(c.Draw.Weight, total[name]/n[name]/10)
		c.Draw.At = unit(seed, name, c.Record.Query) / c.Draw.Weight
	}
	slices.SortFunc(out, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.Draw.At, b.Draw.At), cmp.Compare(a.Record.Query, b.Record.Query))
	})
	next := map[string]float64{}
	for i := range slices.Backward(out) {
		name := out[i].Record.Configuration
		out[i].Draw.Next = next[name]
		next[name] = out[i].Draw.At
	}
	return out
}

// CheckKind refuses draws of another kind than those that the run's labels come from: nobody knew
// the chances of a mixture.
func CheckKind(given []store.Label, uniform bool) error {
	for _, l := range given {
		if l.Draw != nil && l.Draw.Uniform != uniform {
			return fmt.Errorf("its labels were drawn %s: go on so, since the chances of a mixture are not known", map[bool]string{true: "with the same chance for every answer (--uniform)", false: "with larger chances for some answers (without --uniform)"}[l.Draw.Uniform])
		}
	}
	return nil
}

func (c *Candidate) weigh(v judge.Verdict, passed float64) {
	r := c.Record
	if j := r.Judgements; j != nil && j.Correctness != nil && j.Correctness.Verdict.Verdict != judge.Unscored && j.Correctness.Verdict.Verdict != goldOf(r, c.Answer) {
		c.Draw.Weight += weightDisagree
		c.Why = append(c.Why, "judge and gold disagree")
	}
	if a := r.Consensus.Agreement; a != nil && *a < 1 {
		c.Draw.Weight += weightAgreement * (1 - *a)
		c.Why = append(c.Why, fmt.Sprintf("agreement %.2f", *a))
	}
	other := passed
	if v.Verdict == judge.Correct {
		other = 1 - passed
	}
	c.Draw.Weight += weightRare * other
	if other > 0.5 {
		c.Why = append(c.Why, "a rare verdict")
	}
}

// goldOf is the deterministic match of the answer, without a label's say.
func goldOf(r store.Record, a store.Answer) judge.Ruling {
	if r.Label != nil && r.Label.Before.By == judge.ByGold {
		return r.Label.Before.Verdict
	}
	return a.Verdict
}

// before is the verdict of gold and judges, whatever a person said.
func before(r store.Record) judge.Verdict {
	if r.Label != nil {
		return r.Label.Before
	}
	return r.Verdict
}

// represented is the answer of the trace that represents the decision.
func represented(r store.Record) (store.Answer, bool) {
	if r.Consensus.Representative == nil || r.Consensus.Unscored {
		return store.Answer{}, false
	}
	i := slices.IndexFunc(r.Answers, func(a store.Answer) bool { return a.Trace == *r.Consensus.Representative })
	if i < 0 {
		return store.Answer{}, false
	}
	return r.Answers[i], true
}

// passShares is the share of correct verdicts among those given, by configuration.
func passShares(records []store.Record) map[string]float64 {
	right, n := map[string]float64{}, map[string]float64{}
	for _, r := range records {
		switch before(r).Verdict {
		case judge.Correct:
			right[r.Configuration]++
			n[r.Configuration]++
		case judge.Incorrect:
			n[r.Configuration]++
		}
	}
	for name := range n {
		right[name] /= n[name]
	}
	return right
}

// unit is a number in (0, 1) that depends on the seed and the names alone.
func unit(seed int64, names ...string) float64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "label\x00%d\x00%q", seed, names))
	return (float64(binary.BigEndian.Uint64(sum[:8])>>11) + 0.5) / (1 << 53)
}
