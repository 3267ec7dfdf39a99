package plan_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/plan"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/hub/worker"
	"github.com/seed-5817661a/concur/runner/store"
)

func assembler() *assemble.Assembler {
	return assemble.New(func(string) string { return "" }, assemble.Build{Version: "test"})
}

// hubOf starts a hub.
func hubOf(t testing.TB, o server.Options) *server.Server {
	t.Helper()
	o.Dir, o.Listen, o.Store = cmp.Or(o.Dir, t.TempDir()), cmp.Or(o.Listen, "127.0.0.1:0"), cmp.Or(o.Store, 256<<20)
	s, err := server.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func dialed(t testing.TB, url string) *link.Link {
	t.Helper()
	l, err := link.Dial(context.Background(), link.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// working starts a worker. stop ends it as SIGTERM does, and returns when it has ended.
func working(t testing.TB, url, name string, places int, change ...func(*worker.Options)) (stop func()) {
	t.Helper()
	l := dialed(t, url)
	o := worker.Options{Link: l, Name: name, Version: "test", Places: places, Grace: 10 * time.Second,
		Open: plan.Opener(l, assembler(), places), Log: func(text string) { t.Log(name + ": " + text) }}
	for _, f := range change {
		f(&o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := worker.Work(ctx, o); err != nil {
			t.Error(err)
		}
	})
	stop = sync.OnceFunc(func() { cancel(); running.Wait() })
	t.Cleanup(stop)
	return stop
}

// draftOf returns a run of the first queries of the built-in dataset.
func draftOf(t testing.TB, confs ...config.Configuration) runner.Draft {
	t.Helper()
	data, of, err := runner.Selection{Part: datasets.Part{Categories: []string{"calculation"}}}.Open("gold29")
	if err != nil {
		t.Fatal(err)
	}
	return drafted(t, data, of, confs...)
}

// coordinated runs a draft into a folder, with the workers of a hub or, without a URL, here.
func coordinated(ctx context.Context, d runner.Draft, url, runsDir string, o plan.Settings,
	change ...func(*runner.Control)) (dir string, n coordinator.Counts, err error) {
	return coordinatedBy(ctx, assembler(), d, url, runsDir, o, change...)
}

// coordinatedBy is coordinated with another environment.
func coordinatedBy(ctx context.Context, a *assemble.Assembler, d runner.Draft, url, runsDir string, o plan.Settings,
	change ...func(*runner.Control)) (dir string, n coordinator.Counts, err error) {
	err = a.While(ctx, d, assemble.Options{}, func(running context.Context, s *assemble.Session) error {
		out, err := store.Create(runsDir, s.Manifest())
		if err != nil {
			return err
		}
		dir = out.Dir()
		n, err = conducted(running, a, s, out, nil, url, o, change...)
		return err
	})
	return dir, n, err
}

// conducted runs what is missing in a folder, and closes it.
func conducted(ctx context.Context, a *assemble.Assembler, s *assemble.Session, out *store.Writer, prior *store.Prior,
	url string, o plan.Settings, change ...func(*runner.Control)) (n coordinator.Counts, err error) {
	control := runner.Control{Prior: prior}
	end := func(bool) error { return nil }
	if url != "" {
		l, err := link.Dial(ctx, link.Options{URL: url})
		if err != nil {
			return n, errors.Join(err, out.Finish(store.Failed, time.Now()))
		}
		defer l.Close()
		c, err := plan.Coordinate(ctx, l, a, s, out.Dir(), prior, o)
		if err != nil {
			return n, errors.Join(err, out.Finish(store.Failed, time.Now()))
		}
		control.Executor = c
		end = func(complete bool) (err error) {
			n, err = c.End(context.WithoutCancel(ctx), complete)
			return err
		}
	}
	for _, f := range change {
		f(&control)
	}
	runErr := s.Run(ctx, out, control)
	finishErr := out.Finish(runner.StateAfter(runErr), time.Now())
	endErr := end(runErr == nil && finishErr == nil)
	return n, errors.Join(runErr, finishErr, endErr)
}

// settings are those of a test. The times are the usual ones: a worker that a busy machine makes wait is not lost.
func settings(t testing.TB) plan.Settings {
	return plan.Settings{
		Losses: coordinator.DefaultLosses, Log: func(text string) { t.Log("run: " + text) },
		Warn: func(text string) { t.Log("warning: " + text) },
	}
}

// timing are the keys of lines that differ between equal runs.
var timing = []string{"time", "timing", "wall_s", "latency", "crc", "duration_ms", "tools_s"}

// linesOf returns the lines of a file of a run, sorted, without what differs between equal runs.
func linesOf(t testing.TB, dir, file string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(raw)) {
		var v any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		apart, err := json.Marshal(withoutTiming(v))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(apart))
	}
	slices.Sort(out)
	return out
}

func withoutTiming(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range timing {
			delete(v, key)
		}
		delete(v, "request_settings") // only the first line with each name has them
		for key, inner := range v {
			v[key] = withoutTiming(inner)
		}
	case []any:
		for i := range v {
			v[i] = withoutTiming(v[i])
		}
	}
	return v
}

// same fails the test unless two runs have the same records, events and exchanges.
func same(t testing.TB, local, hub string) {
	t.Helper()
	sameLines(t, local, hub, 10)
}

// sameLines is same for runs whose files have at least this number of lines.
func sameLines(t testing.TB, local, hub string, least int) {
	t.Helper()
	for _, file := range []string{"results.jsonl", "trace.jsonl", "chat.jsonl"} {
		want, got := linesOf(t, local, file), linesOf(t, hub, file)
		if len(want) < least || len(got) != len(want) {
			t.Errorf("%s has %d lines, and %d in the local run", file, len(got), len(want))
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s differs from the local run (-local +hub):\n%.2000s", file, diff)
		}
	}
	if _, err := os.Stat(filepath.Join(hub, "incoming")); err == nil {
		t.Error("the folder of incoming parts is left")
	}
}

// waited waits for a condition. It fails the test after a time that no working machine needs.
func waited(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

func named(name string, change func(*config.Configuration)) config.Configuration {
	c := config.New()
	c.Name, c.Search.Cascade = name, []string{config.BackendCorpus}
	change(&c)
	return c
}

var runStart = time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
