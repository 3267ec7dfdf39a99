package consensus

import (
	"context"
	"fmt"
)

// Pair is two answers to a question, labelled as equivalent or not.
type Pair struct {
	Question   string `json:"question"`
	A          string `json:"a"`
	B          string `json:"b"`
	Equivalent bool   `json:"equivalent"`
	Kind       string `json:"kind"` // the difficulty of the pair: abbreviation, unit, negation, …
}

// Accuracy of a verifier on labelled pairs. Its sensitivity is Merged/Equal, its
// specificity Apart/Different.
type Accuracy struct {
	Equal, Merged    int // equivalent pairs, and those that the verifier merged
	Different, Apart int // other pairs, and those that the verifier kept apart
	ByRule           int // pairs decided without a model
	Wrong            []Pair
	Effort
}

// Measure asks the verifier about every pair. A pair on which the model failed counts as
// kept apart, as in a vote.
func (v *Verifier) Measure(ctx context.Context, pairs []Pair) (Accuracy, error) {
	var out Accuracy
	for i, p := range pairs {
		o, err := v.Equivalent(ctx, Question{ID: fmt.Sprintf("pair-%d", i+1), Text: p.Question}, p.A, p.B)
		if err != nil {
			return out, fmt.Errorf("measure verifier: %w", err)
		}
		out.count(p, o)
	}
	return out, nil
}

func (a *Accuracy) count(p Pair, o Opinion) {
	a.Effort = a.Add(o.Effort)
	if o.ByRule {
		a.ByRule++
	}
	total, right := &a.Different, &a.Apart
	if p.Equivalent {
		total, right = &a.Equal, &a.Merged
	}
	*total++
	if p.Equivalent == o.Equivalent {
		*right++
	} else {
		a.Wrong = append(a.Wrong, p)
	}
}
