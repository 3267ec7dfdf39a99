package consensus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Pair is two answers to a question, labelled as equivalent or not.
type Pair struct {
	Question   string `json:"question"`
	A          string `json:"a"`
	B          string `json:"b"`
	Equivalent bool   `json:"equivalent"`
	Kind       string `json:"kind"` // the difficulty of the pair: abbreviation, unit, negation, …
}

// ReadPairs reads pairs, one JSON object a line.
func ReadPairs(r io.Reader) ([]Pair, error) {
	dec := json.NewDecoder(r)
	dec.DisallowUnknownFields()
	var out []Pair
	for {
		var p Pair
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err == nil && (p.Question == "" || p.A == "" || p.B == "" || p.Kind == "") {
			err = errors.New("question, a, b and kind must not be empty")
		}
		if err != nil {
			return nil, fmt.Errorf("read pair %d: %w", len(out)+1, err)
		}
		out = append(out, p)
	}
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
	switch {
	case p.Equivalent:
		a.Equal++
		if o.Equivalent {
			a.Merged++
		}
	default:
		a.Different++
		if !o.Equivalent {
			a.Apart++
		}
	}
	if p.Equivalent != o.Equivalent {
		a.Wrong = append(a.Wrong, p)
	}
}
