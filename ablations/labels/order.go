package labels

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/agreement"
	"github.com/seed-5817661a/concur/runner/store"
)

// Candidate is a record whose answer a person can label. The answer is that of the trace that represents the
// decision.
type Candidate struct {
	Record store.Record
	Answer store.Answer
	Draw   store.Draw
}

// The weights of informative properties of an answer. Their sum is added to 1.
const (
	weightDisagree  = 3.0 // judge and gold have different verdicts on the answer
	weightAgreement = 2.0 // times 1 - agreement of the traces
	weightRare      = 1.0 // times the share of the other verdict in the configuration
)

// Order draws candidates at random, by the seed. Answers whose label is informative tend to come first: judge
// and gold disagree, few traces agree, or the verdict is rare. A weight is at least a tenth of the
// configuration's mean weight, so that every answer can be drawn; if uniform is set, all weights are 1. Records
// without an answer and unscored records are left out. Earlier labels do not change the order. Order returns an
// error if earlier labels were drawn in the other mode, because the chances of a mixture are unknown.
func Order(records []store.Record, seed int64, uniform bool) ([]Candidate, error) {
	groups := map[string][]Candidate{} // by configuration
	for _, r := range records {
		a, ok := represented(r)
		if !ok || r.Before().Verdict == judge.Unscored {
			continue
		}
		c := Candidate{r, a, store.Draw{Weight: 1, Uniform: uniform}}
		if c.drawn() {
			c.Draw = *r.Label.Draw
		}
		if c.Draw.Uniform != uniform {
			drawn := "with different chances (without --uniform)"
			if c.Draw.Uniform {
				drawn = "with equal chances (--uniform)"
			}
			return nil, fmt.Errorf("its labels were drawn %s: use the same mode again, because the chances of a "+
				"mixture are unknown", drawn)
		}
		groups[r.Configuration] = append(groups[r.Configuration], c)
	}
	byDraw := func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.Draw.At, b.Draw.At), cmp.Compare(a.Record.Query, b.Record.Query))
	}
	var out []Candidate
	for name, group := range groups {
		n, passed, mean := float64(len(group)), 0.0, 0.0
		for _, c := range group {
			if c.Record.Before().Verdict == judge.Correct {
				passed++
			}
		}
		for i, c := range group {
			if !c.drawn() && !uniform {
				group[i].Draw.Weight = c.weight(passed / n)
			}
			mean += group[i].Draw.Weight / n
		}
		for i, c := range group {
			if d := &group[i].Draw; !c.drawn() {
				d.Weight = max(d.Weight, mean/10)
				d.At = uniformNumber(seed, name, c.Record.Query) / d.Weight
			}
		}
		slices.SortFunc(group, byDraw)
		for i := range group {
			group[i].Draw.Next = 0
			if i+1 < len(group) {
				group[i].Draw.Next = group[i+1].Draw.At
			}
		}
		out = append(out, group...)
	}
	slices.SortFunc(out, byDraw)
	return out, nil
}

func (c Candidate) drawn() bool { return c.Record.Label != nil && c.Record.Label.Draw != nil }

// weight returns the weight of a candidate. passed is the share of all candidates that the judge passed.
func (c Candidate) weight(passed float64) float64 {
	r, w := c.Record, 1.0
	gold := c.Answer.Verdict // the verdict by the gold
	if r.Label != nil && r.Label.Before.By == judge.ByGold {
		gold = r.Label.Before.Verdict
	}
	if j := r.Judgements; j != nil && j.Correctness != nil && j.Correctness.Verdict.Verdict != judge.Unscored &&
		j.Correctness.Verdict.Verdict != gold {
		w += weightDisagree
	}
	if a := r.Consensus.Agreement; a != nil {
		w += weightAgreement * (1 - *a)
	}
	if r.Before().Verdict == judge.Correct {
		return w + weightRare*(1-passed)
	}
	return w + weightRare*passed
}

// represented returns the answer of the trace that represents the decision.
func represented(r store.Record) (store.Answer, bool) {
	for _, a := range r.Answers {
		if d := r.Consensus.Representative; d != nil && a.Trace == *d {
			return a, !r.Consensus.Unscored
		}
	}
	return store.Answer{}, false
}

// uniformNumber returns a number in (0, 1) that depends only on the seed and the names.
func uniformNumber(seed int64, names ...string) float64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "label\x00%d\x00%q", seed, names))
	return (float64(binary.BigEndian.Uint64(sum[:8])>>11) + 0.5) / (1 << 53)
}

// Labelled returns the answers of a run over this dataset that people labelled, for the calibration of a judge.
// It leaves out "unsure" labels, traces without an answer, and conversations, because judges decide about
// single turns. The weight of an answer is 1 divided by the chance of its draw (docs/method.md §7.5). The
// weights are scaled so that the right ones, and the wrong ones, add up to their effective number, (Σw)²/Σw².
// It returns the error of agreement.Distinct.
func Labelled(run string, records []store.Record, data *datasets.Dataset) ([]agreement.Labelled, error) {
	queries := map[string]datasets.Query{}
	for _, q := range data.Queries {
		queries[q.ID] = q
	}
	groups := map[string][]store.Record{} // by configuration
	for _, r := range records {
		if r.Label != nil {
			groups[r.Configuration] = append(groups[r.Configuration], r)
		}
	}
	var list []agreement.Labelled
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		for i, chance := range store.Chances(groups[name]) {
			r := groups[name][i]
			if a, ok := represented(r); ok && a.Answer != nil && r.Label.Verdict != judge.Unscored && len(r.Turns) == 0 {
				list = append(list, agreement.Labelled{
					Place: "query " + r.Query, Query: queries[r.Query], Answer: *a.Answer,
					Right: r.Label.Verdict == judge.Correct, Weight: 1 / chance,
				})
			}
		}
	}
	list, err := agreement.Distinct("the labels of run "+run, list)
	sum, squares := map[bool]float64{}, map[bool]float64{}
	for _, l := range list {
		sum[l.Right] += l.Weight
		squares[l.Right] += l.Weight * l.Weight
	}
	for i, l := range list {
		list[i].Weight *= sum[l.Right] / squares[l.Right]
	}
	return list, err
}
