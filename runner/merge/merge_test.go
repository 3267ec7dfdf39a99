package merge_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/merge"
	"github.com/seed-5817661a/concur/runner/shard"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/workers"
	"github.com/seed-5817661a/concur/trace"
)

var start = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// manifest returns the manifest of a shard of a run with the queries q1 to q6.
func manifest(s shard.Shard) store.Manifest {
	c := config.New()
	c.Name = ""
	m := store.Manifest{
		Run: fmt.Sprintf("shard-%d", s.Index), Start: start.Add(time.Duration(s.Index) * time.Minute), Seed: 7,
		Dataset: store.Dataset{Name: "small", Hash: "of the shard", Of: 6, Shard: &store.Shard{Shard: s, Hash: "of all",
			Queries: 6, Categories: []string{"a"}, ByCategory: map[string]int{"a": 6}}},
		Configurations: []store.Configuration{{Name: "default", Agent: "3f2a", Configuration: c}},
		Versions:       map[string]string{"concur": "1", "prompt": "p1"},
		Programs:       map[string]string{"./chk.sh": "c1", fmt.Sprintf("./of%d.sh", s.Index): "c2"},
	}
	for i := 1; i <= 6; i++ {
		if s.Has(fmt.Sprint("q", i)) {
			m.Dataset.Queries++
		}
	}
	return m
}

// run makes a shard with its records and a question about a canary.
func run(t testing.TB, runs string, m store.Manifest, state store.State, queries ...string) *store.Run {
	t.Helper()
	w, err := store.Create(runs, m)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []int{0, 1} {
		w.Exchange(store.Exchange{Identity: model.Identity{
			Agent: "judge:1", Query: "canary: swapped", Step: step, Purpose: model.Judge,
		}})
	}
	made, err := workers.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range queries {
		w.Record(store.Record{Configuration: "default", Query: q})
		if err := made.Add(trace.ID{Query: q}, "worker", "v1"); err != nil {
			t.Fatal(err)
		}
	}
	if err := made.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(state, m.Start.Add(10*time.Minute)); err != nil {
		t.Fatal(err)
	}
	r, err := store.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// queriesOf returns the queries of a shard.
func queriesOf(s shard.Shard) (out []string) {
	for i := 1; i <= 6; i++ {
		if q := fmt.Sprint("q", i); s.Has(q) {
			out = append(out, q)
		}
	}
	return out
}

func shardsOf(t testing.TB, of int) (out []*store.Run) {
	t.Helper()
	runs := t.TempDir()
	for i := 1; i <= of; i++ {
		s := shard.Shard{Index: i, Of: of}
		out = append(out, run(t, runs, manifest(s), store.Complete, queriesOf(s)...))
	}
	return out
}

func TestInto(t *testing.T) {
	runs := t.TempDir()
	shards := shardsOf(t, 3)
	slices.Reverse(shards)
	r, err := merge.Into("", runs, shards, start)
	if err != nil {
		t.Fatal(err)
	}
	m := r.Run.Manifest
	if m.State != store.Complete || len(r.Absent)+len(r.Unfinished) > 0 || r.Of != 3 {
		t.Errorf("%+v", r)
	}
	if len(m.Programs) != 4 {
		t.Errorf("the programs of three shards: %v", m.Programs)
	}
	if sums, err := workers.Sums(r.Run.Dir); err != nil || sums["worker"].Traces != 6 || m.Workers["worker"] != sums["worker"] {
		t.Errorf("workers of the merged run: %v in the file (%v), %v in the manifest", sums, err, m.Workers)
	}
	d := m.Dataset
	if d.Hash != "of all" || d.Queries != 6 || d.ByCategory["a"] != 6 || d.Shard != nil || m.Kind() != store.KindRun {
		t.Errorf("%+v", m)
	}
	if name := filepath.Base(r.Run.Dir); name != m.Run || !strings.HasPrefix(name, "20260501T120100-small-") {
		t.Errorf("%s in %s", m.Run, r.Run.Dir)
	}
	if !m.Start.Equal(start.Add(time.Minute)) || !m.End.Equal(start.Add(13*time.Minute)) || m.PausedS != 0 {
		t.Errorf("%s to %s, paused %v s", m.Start, m.End, m.PausedS)
	}
	records := 0
	for _, err := range r.Run.Records() {
		if records++; err != nil {
			t.Fatal(err)
		}
	}
	canaries := 0
	for _, err := range r.Run.Exchanges() {
		if canaries++; err != nil {
			t.Fatal(err)
		}
	}
	if records != 6 || canaries != 2 {
		t.Errorf("%d records, %d requests about a canary; want those of one run, 6 and 2", records, canaries)
	}
}

// If shards ran one after another, the time between them does not count.
func TestIntoPaused(t *testing.T) {
	runs := t.TempDir()
	var shards []*store.Run
	for i := 1; i <= 2; i++ {
		s := shard.Shard{Index: i, Of: 2}
		m := manifest(s)
		m.Start = start.Add(time.Duration(i) * time.Hour)
		shards = append(shards, run(t, runs, m, store.Complete, queriesOf(s)...))
	}
	r, err := merge.Into("", runs, shards, start)
	if err != nil {
		t.Fatal(err)
	}
	if m := r.Run.Manifest; m.End.Sub(m.Start) != 70*time.Minute || m.PausedS != 50*60 {
		t.Errorf("%s to %s, paused %v s", m.Start, m.End, m.PausedS)
	}
}

func TestIntoUnfinished(t *testing.T) {
	runs := t.TempDir()
	s := shard.Shard{Index: 2, Of: 4}
	for i := 1; len(queriesOf(s)) < 2; i++ {
		s.Of, s.Index = 3, i
	}
	queries := queriesOf(s)
	unfinished := run(t, runs, manifest(s), store.Interrupted, queries[0])
	r, err := merge.Into(filepath.Join(runs, "part"), "", []*store.Run{unfinished}, start.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	want := merge.Unfinished{Shard: s, Dir: unfinished.Dir, Decided: 1, Records: len(queries)}
	if r.Run.Manifest.State != store.Interrupted || len(r.Unfinished) != 1 || r.Unfinished[0] != want ||
		len(r.Absent) != s.Of-1 {
		t.Errorf("%+v", r)
	}
	if m := r.Run.Manifest; m.Run != "part" || m.End != nil || m.Files != nil {
		t.Errorf("%+v", m)
	}
}

func TestIntoRefuses(t *testing.T) {
	whole := manifest(shard.Shard{Index: 1, Of: 1})
	whole.Dataset.Shard = nil
	for name, c := range map[string]struct {
		change func(*store.Manifest) // changes the second of two shards
		want   string
	}{
		"seed":         {func(m *store.Manifest) { m.Seed = 8 }, "seed is 7 and 8"},
		"version":      {func(m *store.Manifest) { m.Versions["prompt"] = "p2" }, "version of prompt is p1 and p2"},
		"concur":       {func(m *store.Manifest) { m.Versions["concur"] = "2" }, "version of concur is 1 and 2"},
		"another rule": {func(m *store.Manifest) { m.Versions["norm"] = "v7" }, "version of norm is none and v7"},
		"program": {func(m *store.Manifest) { m.Programs["./chk.sh"] = "c3" },
			"the program ./chk.sh of the checks is c1 and c3"},
		"dataset": {func(m *store.Manifest) { m.Dataset.Shard.Hash = "others" }, "all queries is of all and others"},
		"name":    {func(m *store.Manifest) { m.Dataset.Name = "large" }, "dataset is small and large"},
		"shards":  {func(m *store.Manifest) { m.Dataset.Shard.Of = 3 }, "number of shards is 2 and 3"},
		"agent":   {func(m *store.Manifest) { m.Configurations[0].Agent = "4f2a" }, "agent hash is 3f2a and 4f2a"},
		"setting": {func(m *store.Manifest) { m.Configurations[0].K = 9 }, "k is 3 and 9"},
		"configurations": {func(m *store.Manifest) {
			m.Configurations = append(m.Configurations, m.Configurations[0])
		}, "number of configurations is 1 and 2"},
		"ablation":   {func(m *store.Manifest) { m.Ablation = "offline" }, "ablation is none and offline"},
		"limits":     {func(m *store.Manifest) { m.Configurations[0].Limits.RPM = 9 }, ""},
		"title":      {func(m *store.Manifest) { m.Title = "night" }, ""},
		"whole":      {func(m *store.Manifest) { *m = whole }, "is not a shard (kind: run)"},
		"replay":     {func(m *store.Manifest) { m.ReplayOf = "r" }, "is not a shard (kind: replay)"},
		"its double": {func(m *store.Manifest) { m.Dataset.Shard.Index = 1 }, "shard 1/2 is given twice"},
	} {
		t.Run(name, func(t *testing.T) {
			runs := t.TempDir()
			one := run(t, runs, manifest(shard.Shard{Index: 1, Of: 2}), store.Complete)
			m := manifest(shard.Shard{Index: 2, Of: 2})
			c.change(&m)
			m.Run = "other"
			other := run(t, runs, m, store.Complete)
			_, err := merge.Into(filepath.Join(runs, "merged"), "", []*store.Run{one, other}, start)
			said := fmt.Sprint(err)
			named := strings.Contains(said, c.want) && strings.Contains(said, other.Dir)
			if (err == nil) != (c.want == "") || err != nil && !named {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	if _, err := merge.Into("", t.TempDir(), nil, start); err == nil {
		t.Error("no shards were merged")
	}
}

// A line of a query that belongs to another shard is an error that names the query, because the joined run
// would have the query twice.
func TestIntoOverlap(t *testing.T) {
	shards := shardsOf(t, 2)
	runs := t.TempDir()
	of := shard.IndexOf("q1", 2)
	wrong := run(t, runs, manifest(shard.Shard{Index: 3 - of, Of: 2}), store.Complete, "q1")
	_, err := merge.Into(filepath.Join(runs, "merged"), "", []*store.Run{shards[of-1], wrong}, start)
	if want := fmt.Sprintf("query %q belongs to shard %d/2, and not to shard %d/2", "q1", of, 3-of); err == nil ||
		!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), filepath.Join(wrong.Dir, "results.jsonl:2")) {
		t.Errorf("%v, want %s", err, want)
	}
}

func ExampleInto() {
	runs, err := os.MkdirTemp("", "runs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(runs)
	var shards []*store.Run
	for i := 1; i <= 2; i++ {
		w, err := store.Create(runs, manifest(shard.Shard{Index: i, Of: 3}))
		if err == nil {
			err = w.Finish(store.Complete, start.Add(time.Hour))
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		r, err := store.Open(w.Dir())
		if err != nil {
			fmt.Println(err)
			return
		}
		shards = append(shards, r)
	}
	r, err := merge.Into(filepath.Join(runs, "night"), "", shards, time.Now())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Run.Manifest.Run, r.Run.Manifest.State, "without the shards", r.Absent, "of", r.Of)
	// Output: night interrupted without the shards [3] of 3
}
