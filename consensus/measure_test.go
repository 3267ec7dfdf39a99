package consensus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
)

// pair is two answers to a question, labelled as equivalent or not.
type pair struct {
	Question   string `json:"question"`
	A          string `json:"a"`
	B          string `json:"b"`
	Equivalent bool   `json:"equivalent"`
	Kind       string `json:"kind"` // the difficulty of the pair: abbreviation, unit, negation, …
}

// accuracy of a verifier on labelled pairs: its sensitivity is Merged/Equal, its specificity
// Apart/Different.
type accuracy struct {
	Equal, Merged    int // equivalent pairs, and those that the verifier merged
	Different, Apart int // other pairs, and those that the verifier kept apart
	ByRule, Calls    int
	Wrong            []pair
}

func measure(ctx context.Context, m model.Model, pairs []pair) (out accuracy, err error) {
	v := consensus.Verifier{Model: m}
	for _, p := range pairs {
		o, err := v.Equivalent(ctx, consensus.Question{ID: "pair", Text: p.Question}, p.A, p.B)
		if err != nil {
			return out, err
		}
		out.Calls += o.Effort.Calls
		if o.Effort.Calls == 0 {
			out.ByRule++
		}
		total, right := &out.Different, &out.Apart
		if p.Equivalent {
			total, right = &out.Equal, &out.Merged
		}
		*total++
		if p.Equivalent == o.Equivalent {
			*right++
		} else {
			out.Wrong = append(out.Wrong, p)
		}
	}
	return out, nil
}

func labelled(tb testing.TB) []pair {
	tb.Helper()
	file, err := os.ReadFile("testdata/pairs.jsonl")
	if err != nil {
		tb.Fatal(err)
	}
	var pairs []pair
	for line := range bytes.Lines(file) {
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		var p pair
		if err := decoder.Decode(&p); err != nil || p.Question == "" || p.A == "" || p.B == "" || p.Kind == "" {
			tb.Fatalf("%s: %v", line, err)
		}
		pairs = append(pairs, p)
	}
	return pairs
}

func TestPairs(t *testing.T) {
	pairs := labelled(t)
	seen := map[string]bool{}
	equal, kinds := 0, map[string]bool{}
	for _, p := range pairs {
		id := p.Question + "\x00" + p.A + "\x00" + p.B
		if p.A == p.B || seen[id] {
			t.Errorf("twice the same: %+v", p)
		}
		seen[id] = true
		kinds[p.Kind] = true
		if p.Equivalent {
			equal++
		}
	}
	if equal < 50 || len(pairs)-equal < 50 || len(pairs) < 110 || len(kinds) < 20 {
		t.Errorf("%d pairs of %d kinds, %d of them equal", len(pairs), len(kinds), equal)
	}
}

// No rule keeps an equal pair apart, and none merges a pair that differs: what rules
// decide without a model, they decide rightly.
func TestRulesAgreeWithTheLabels(t *testing.T) {
	for _, c := range []struct {
		model *askingtest.Fake
		name  string
	}{{oracle(yes), "yes"}, {oracle(related()), "no"}} {
		got, err := measure(t.Context(), c.model, labelled(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range got.Wrong {
			if c.name == "yes" && p.Equivalent {
				t.Errorf("a rule keeps %q and %q apart", p.A, p.B)
			}
			if c.name == "no" && !p.Equivalent {
				t.Errorf("a rule merges %q and %q", p.A, p.B)
			}
		}
		if got.Equal+got.Different != len(labelled(t)) || len(got.Wrong) != got.Equal-got.Merged+got.Different-got.Apart {
			t.Errorf("counts do not add up: %+v", got)
		}
	}
}

func TestMeasure(t *testing.T) {
	pairs := []pair{
		{Question: "q", A: "a", B: "b", Equivalent: true, Kind: "k"},
		{Question: "q", A: "a", B: "c", Equivalent: true, Kind: "k"},
		{Question: "q", A: "a", B: "d", Equivalent: false, Kind: "k"},
		{Question: "q", A: "1", B: "2", Equivalent: false, Kind: "k"},
	}
	got, err := measure(t.Context(), oracle(related("a=b", "a=d")), pairs)
	if err != nil || got.Equal != 2 || got.Merged != 1 || got.Different != 2 || got.Apart != 1 || got.ByRule != 1 || got.Calls != 5 {
		t.Errorf("%+v, %v", got, err)
	}
	if len(got.Wrong) != 2 || got.Wrong[0] != pairs[1] || got.Wrong[1] != pairs[2] {
		t.Errorf("wrong on %v", got.Wrong)
	}
}

// BenchmarkRules prints what the rules alone make of the labelled pairs: the specificity
// that is left with a model that finds everything equivalent.
func BenchmarkRules(b *testing.B) {
	pairs := labelled(b)
	for b.Loop() {
		got, err := measure(b.Context(), oracle(yes), pairs)
		if err != nil {
			b.Fatal(err)
		}
		report(b, "sensitivity", got.Merged, got.Equal)
		report(b, "specificity", got.Apart, got.Different)
		b.ReportMetric(float64(got.ByRule)/float64(len(pairs)), "by-rule")
	}
}

func report(b *testing.B, what string, x, n int) {
	low, high := stats.Wilson(x, n, 0.95)
	b.ReportMetric(float64(x)/float64(n), what)
	b.ReportMetric(low, what+"-low")
	b.ReportMetric(high, what+"-high")
}
