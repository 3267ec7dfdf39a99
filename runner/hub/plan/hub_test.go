package plan_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/workers"
)

const seed = 4711

func drafted(t testing.TB, data *queries.Set, of store.Dataset, confs ...config.Configuration) runner.Draft {
	t.Helper()
	if len(confs) == 0 {
		confs = []config.Configuration{named(config.DefaultName, func(*config.Configuration) {})}
	}
	seed := int64(seed)
	d, err := runner.NewDraft(data, of, confs, &seed, runStart)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { data.Close() })
	return d
}

// A run whose traces are made by 1, 2 and 4 workers has the records, events and exchanges of a local run. Afterwards
// nothing of it is at the hub.
func TestWorkersGiveTheSameRun(t *testing.T) {
	local, _, err := coordinated(t.Context(), draftOf(t), "", t.TempDir(), settings(t))
	if err != nil {
		t.Fatal(err)
	}
	hub := hubOf(t, server.Options{})
	for _, n := range []int{1, 2, 4} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			for i := range n {
				working(t, hub.URL(), fmt.Sprint("w", i), 4)
			}
			dir, counts, err := coordinated(t.Context(), draftOf(t), hub.URL(), t.TempDir(), settings(t))
			if err != nil {
				t.Fatal(err)
			}
			same(t, local, dir)
			madeBy(t, dir, n)
			if counts != (coordinator.Counts{}) {
				t.Errorf("counts of a run without trouble: %+v", counts)
			}
		})
	}
	empty(t, hub)
}

// madeBy fails the test unless the run folder tells for each trace which of n workers made it.
func madeBy(t testing.TB, dir string, n int) {
	t.Helper()
	run, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	traces, named := 0, 0
	for name, w := range run.Manifest.Workers {
		if traces += w.Traces; w.Version != "test" || w.Traces < 1 || !strings.HasPrefix(name, "w") {
			t.Errorf("worker %q has %+v", name, w)
		}
	}
	want := run.Manifest.Dataset.Queries * run.Manifest.Configurations[0].K
	if traces != want || len(run.Manifest.Workers) > n {
		t.Errorf("%d workers made %d of %d traces: %v", n, traces, want, run.Manifest.Workers)
	}
	for r, err := range run.Records() {
		if err != nil {
			t.Fatal(err)
		}
		by, err := workers.Of(dir, r.Query)
		if err != nil {
			t.Fatal(err)
		}
		for id, name := range by {
			if _, is := run.Manifest.Workers[name]; !is || id.Query != r.Query {
				t.Errorf("trace %v has the worker %q", id, name)
			}
		}
		named += len(by)
	}
	if named != want {
		t.Errorf("%d of %d traces have a worker", named, want)
	}
	log, err := os.ReadFile(filepath.Join(dir, "run.log"))
	for name, w := range run.Manifest.Workers {
		if line := fmt.Sprintf("traces of worker %q (concur \"test\"): %d\n", name, w.Traces); err != nil ||
			!strings.Contains(string(log), line) {
			t.Errorf("run.log (%v) lacks %s", err, line)
		}
	}
}

// empty fails the test if the hub has streams.
func empty(t testing.TB, hub *server.Server) {
	t.Helper()
	names := dialed(t, hub.URL()).JS.StreamNames(context.Background())
	for name := range names.Name() {
		t.Errorf("the hub still has the stream %s", name)
	}
	if err := names.Err(); err != nil {
		t.Error(err)
	}
}

// An ablation is spread over workers, and traces that are larger than a message travel in parts: also in a hub that has
// hardly room for one of them.
func TestAblationInParts(t *testing.T) {
	confs := []config.Configuration{
		named("k3", func(c *config.Configuration) { c.K = 3 }),
		named("k2", func(c *config.Configuration) { c.K = 2 }),
		named("cot", func(c *config.Configuration) { c.Agent.Strategy = config.StrategyCoT }),
	}
	local, _, err := coordinated(t.Context(), draftOf(t, confs...), "", t.TempDir(), settings(t))
	if err != nil {
		t.Fatal(err)
	}
	hub := hubOf(t, server.Options{MaxPayload: 64 << 10, Store: 4 << 20})
	working(t, hub.URL(), "w0", 4)
	working(t, hub.URL(), "w1", 4)
	dir, _, err := coordinated(t.Context(), draftOf(t, confs...), hub.URL(), t.TempDir(), settings(t))
	if err != nil {
		t.Fatal(err)
	}
	same(t, local, dir)
}

// A worker gets the files of a run from the hub: dataset, corpus, knowledge base, playbook. The coordinator's are moved away
// before a worker starts.
func TestFilesTravel(t *testing.T) {
	folder := t.TempDir()
	write := func(name, content string) string {
		t.Helper()
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var lines strings.Builder
	for i := range 12 {
		fmt.Fprintf(&lines, `{"id":"q%d","query":"What colour has lake %d?","gold":{"type":"text","answer":"blue"}}`+"\n", i, i)
		write(fmt.Sprintf("corpus/deep/lake%d.md", i), fmt.Sprintf("# Lake %d\n\nLake %d is blue.\n", i, i))
	}
	source := write("lakes.jsonl", lines.String())
	conf := named(config.DefaultName, func(c *config.Configuration) {
		c.Search.Corpus, c.Search.Cascade = filepath.Join(folder, "corpus"), []string{config.BackendCorpus}
		c.Agent.Tools = []string{"planner", "web_search", "calc", "notes"}
		c.Tools = map[string]config.DeclaredTool{"notes": {Settings: map[string]any{
			"folder": filepath.Join(folder, "corpus"), "about": "Notes about lakes."}}}
	})
	draft := func() runner.Draft {
		data, of, err := runner.Selection{Part: datasets.Part{}}.Open(source)
		if err != nil {
			t.Fatal(err)
		}
		return drafted(t, data, of, conf)
	}
	local, _, err := coordinated(t.Context(), draft(), "", t.TempDir(), settings(t))
	if err != nil {
		t.Fatal(err)
	}
	hub := hubOf(t, server.Options{})
	o := settings(t)
	begun := make(chan struct{})
	go func() {
		<-begun
		if err := os.Rename(folder, folder+"-moved"); err != nil {
			t.Error(err)
		}
		working(t, hub.URL(), "w", 4)
	}()
	watcher := dialed(t, hub.URL())
	go func() {
		for {
			if runs, err := watcher.Runs(context.Background()); err == nil && len(runs) == 1 {
				close(begun)
				return
			}
		}
	}()
	dir, _, err := coordinated(t.Context(), draft(), hub.URL(), t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	same(t, local, dir)
}
