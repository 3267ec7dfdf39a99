package consensus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Pair is two answers to a question of which it is known whether they mean the same.
type Pair struct {
	Question   string `json:"question"`
	A          string `json:"a"`
	B          string `json:"b"`
	Equivalent bool   `json:"equivalent"`
	Kind       string `json:"kind"` // what makes the pair hard: abbreviation, unit, negation, …
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

// Accuracy is how a verifier did on labelled pairs. Its sensitivity is Merged/Equal, its
// specificity Apart/Different.
type Accuracy struct {
	Equal, Merged    int // pairs that are equivalent, and those of them that it found so
	Different, Apart int // pairs that are not, and those of them that it found not to be
	ByRule           int // pairs for which no model was asked
	Wrong            []Pair
	Effort
}

// Measure asks the verifier about every pair. A pair that the model failed on counts as
// one that it kept apart, as it would in a vote.
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
