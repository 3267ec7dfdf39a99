package main

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

func manifestOf(confs ...config.Configuration) store.Manifest {
	m := store.Manifest{Seed: 1, Dataset: store.Dataset{Name: "gold29", Queries: 29, Hash: "sha256:0123456789abcdef"}, Versions: map[string]string{"prompt": "react/v2"}}
	for _, c := range confs {
		m.Configurations = append(m.Configurations, store.Configuration{Name: c.Name, Configuration: c})
	}
	return m
}

func named(name, model string) config.Configuration {
	c := config.New()
	c.Name, c.Model = name, model
	return c
}

func TestAdviceOnJudgesComesOnce(t *testing.T) {
	a, b, local := named("a", "openai:a"), named("b", "openai:b"), named("local", "offline:reader")
	judged := named("judged", "openai:a")
	judged.Judge.Quality = config.SameModel
	const rest = "; to have answers judged by a model, add --judge openai:gpt-4o, or judge: {correctness: …, quality: …} in concur.yaml"
	for _, c := range []struct {
		of   []config.Configuration
		want []string
	}{
		{[]config.Configuration{a, b}, []string{"no judge was asked" + rest}},
		{[]config.Configuration{a, judged, b, local}, []string{"no judge was asked about a, b" + rest}},
		{[]config.Configuration{judged, local}, nil},
	} {
		if diff := cmp.Diff(c.want, adviseJudge(manifestOf(c.of...))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// A strategy without tools takes one turn, each one more for a missing answer line, and a limit that stops forces no answer.
func TestMostCalls(t *testing.T) {
	react := config.New()
	stop, cot, fixed := react, react, react
	stop.Agent.OnLimit, cot.Agent.Strategy, fixed.Agent.FixedSteps = config.OnLimitStop, config.StrategyCoT, true
	for _, c := range []struct {
		conf                 config.Configuration
		steps, models, tools int
	}{{react, 0, 12, 8}, {react, 4, 6, 8}, {fixed, 4, 12, 8}, {stop, 0, 11, 8}, {cot, 0, 2, 0}, {cot, 4, 2, 0}} {
		if models, tools := mostCalls(c.conf, c.steps); models != c.models || tools != c.tools {
			t.Errorf("%s with %d steps: %d and %d calls, want %d and %d", c.conf.Agent.Strategy, c.steps, models, tools, c.models, c.tools)
		}
	}
}

// A comparison is over the categories and queries of both runs.
func TestBothDatasets(t *testing.T) {
	of := func(name, hash string, categories []string, ids ...string) (*result.Result, []ablations.Side) {
		r := &result.Result{Dataset: result.Dataset{Name: name, Hash: hash, Queries: len(ids), Of: 9, Categories: categories}}
		side := ablations.Side{}
		for _, id := range ids {
			side.Queries = append(side.Queries, ablations.Query{ID: id})
		}
		return r, []ablations.Side{side}
	}
	a, ofA := of("gold", "sha256:a", []string{"y", "x"}, "1", "2", "3")
	b, ofB := of("small", "sha256:b", []string{"x", "z", "y"}, "2", "4")
	want := result.Dataset{Name: "gold against small", Queries: 4, Of: 9, Categories: []string{"y", "x", "z"}}
	if diff := cmp.Diff(want, bothDatasets([2]*result.Result{a, b}, [2][]ablations.Side{ofA, ofB})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(a.Dataset, bothDatasets([2]*result.Result{a, a}, [2][]ablations.Side{ofA, ofA})); diff != "" {
		t.Errorf("of one dataset (-want +got):\n%s", diff)
	}
	if !slices.Equal(a.Dataset.Categories, []string{"y", "x"}) {
		t.Errorf("the first run's own became %v", a.Dataset.Categories)
	}
}

// Configurations are paired by name, however it is written; those of one run only are told.
func TestSamePlaces(t *testing.T) {
	of := func(names ...string) (out []ablations.Side) {
		for _, name := range names {
			out = append(out, ablations.Side{Name: name})
		}
		return out
	}
	for _, c := range []struct {
		a, b  []ablations.Side
		pairs [][2]int
		alone []string
	}{
		{of("x"), of("y"), [][2]int{{0, 0}}, nil},
		{of("x", "y"), of("y", "z", "x"), [][2]int{{0, 2}, {1, 0}}, []string{"B: z"}},
		{of("x", "y"), of("x"), [][2]int{{0, 0}}, []string{"A: y"}},
		{of("\u00e9", "y"), of("z", "e\u0301"), [][2]int{{0, 1}}, []string{"A: y", "B: z"}},
		{of("x", "y"), of("z"), nil, []string{"A: x", "A: y", "B: z"}},
	} {
		pairs, alone := samePlaces([2][]ablations.Side{c.a, c.b})
		if !cmp.Equal(c.pairs, pairs) || !cmp.Equal(c.alone, alone) {
			t.Errorf("%v, %v; want %v, %v", pairs, alone, c.pairs, c.alone)
		}
	}
}

func TestEdited(t *testing.T) {
	if got := edited(store.Manifest{}); got != nil {
		t.Errorf("a run without a seal: %v", got)
	}
	if got := edited(store.Manifest{Seal: "0123"}); len(got) != 1 {
		t.Errorf("a run with another seal: %v", got)
	}
}
