package ablations

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/runner/store"
)

// A comparison is over the categories and queries of both runs.
func TestBothDatasets(t *testing.T) {
	of := func(name, hash string, categories []string, ids ...string) (*result.Result, []Side) {
		r := &result.Result{Dataset: result.Dataset{Name: name, Hash: hash, Queries: len(ids), Of: 9, Categories: categories}}
		side := Side{}
		for _, id := range ids {
			side.Queries = append(side.Queries, Query{ID: id})
		}
		return r, []Side{side}
	}
	a, ofA := of("gold", "sha256:a", []string{"y", "x"}, "1", "2", "3")
	b, ofB := of("small", "sha256:b", []string{"x", "z", "y"}, "2", "4")
	want := result.Dataset{Name: "gold against small", Queries: 4, Of: 9, Categories: []string{"y", "x", "z"}}
	if diff := cmp.Diff(want, bothDatasets([2]*result.Result{a, b}, [2][]Side{ofA, ofB})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(a.Dataset, bothDatasets([2]*result.Result{a, a}, [2][]Side{ofA, ofA})); diff != "" {
		t.Errorf("of one dataset (-want +got):\n%s", diff)
	}
	if !slices.Equal(a.Dataset.Categories, []string{"y", "x"}) {
		t.Errorf("the first run's own became %v", a.Dataset.Categories)
	}
}

// Configurations are paired by name, whatever its case; those of one run only are reported.
func TestSamePlaces(t *testing.T) {
	of := func(names ...string) (out []Side) {
		for _, name := range names {
			out = append(out, Side{Name: name})
		}
		return out
	}
	for _, c := range []struct {
		a, b  []Side
		pairs [][2]int
		alone []string
	}{
		{of("x"), of("y"), [][2]int{{0, 0}}, nil},
		{of("x", "y"), of("y", "z", "x"), [][2]int{{0, 2}, {1, 0}}, []string{"B: z"}},
		{of("x", "y"), of("x"), [][2]int{{0, 0}}, []string{"A: y"}},
		{of("x", "y"), of("z"), nil, []string{"A: x", "A: y", "B: z"}},
	} {
		pairs, alone := samePlaces([2][]Side{c.a, c.b})
		if !cmp.Equal(c.pairs, pairs) || !cmp.Equal(c.alone, alone) {
			t.Errorf("%v, %v; want %v, %v", pairs, alone, c.pairs, c.alone)
		}
	}
}

// A name chooses among several configurations; a run of one has no other.
func TestChosen(t *testing.T) {
	one, two, three := []Side{{Name: "x", Run: "r1"}}, []Side{{Name: "y", Run: "r2"}, {Name: "q", Run: "r2"}}, []Side{{Name: "y", Run: "r3"}, {Name: "z", Run: "r3"}, {Name: "w", Run: "r3"}}
	for _, c := range []struct {
		a, b  []Side
		names []string
		want  string
	}{
		{one, two, []string{"q"}, "[[0 1]] <nil>"},
		{two, three, []string{"y"}, "[[0 0]] <nil>"},
		{two, three, []string{"y", "w"}, "[[0 2]] <nil>"},
		{three, one, []string{"x"}, `[] compare configuration "x": run r3 has y, z, w`},
		{one, one, []string{"x"}, "[] compare configuration x: each run has one configuration, so they are compared whatever their names: leave --configuration out"},
	} {
		pairs, err := chosen([2]*store.Run{{}, {}}, [2][]Side{c.a, c.b}, c.names)
		if got := fmt.Sprint(pairs, " ", err); got != c.want {
			t.Errorf("%v: %s, want %s", c.names, got, c.want)
		}
	}
}
