package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

// brokenSums makes a baseline of sums, and a run that has lost its calculator.
func brokenSums(t *testing.T) *store.Run {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "sums.yaml", sums)
	for _, seed := range []string{"1", "2", "3", "4", "5"} {
		must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", seed)
		must(t, exitOK, "baseline", "add", "latest")
	}
	must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", "6", "--without", "calc")
	return latestRun(t)
}

func latestRun(t testing.TB) *store.Run {
	t.Helper()
	run, err := store.Find("runs", store.Latest)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func openedRun(t testing.TB, dir string) *store.Run {
	t.Helper()
	run, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// moved renames, as a hand would.
func moved(t testing.TB, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// Neither another name of a run nor the loss of its fresh traces gives a second chance in
// silence.
func TestGateRemembersFreshTraces(t *testing.T) {
	run := brokenSums(t)
	confirm := run.Dir + "-confirm"

	// A good old run is no further trace of a bad one.
	if err := os.CopyFS(confirm, os.DirFS(filepath.Join("runs", runFolders(t)[0]))); err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(confirm, "run.yaml")
	raw, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	write(t, manifest, string(raw)+"fresh_of: "+run.Manifest.Run+"\n")
	if _, stderr := must(t, exitInvalid, "gate", "latest", "--quiet"); !strings.Contains(stderr, "cannot stand for further traces") || !strings.Contains(stderr, "move it away") {
		t.Errorf("a forged folder: %s", stderr)
	}
	moved(t, confirm, filepath.Join(t.TempDir(), "forged"))

	first := gated(t, exitRegression)
	before := runFolders(t)
	if err := os.Symlink(run.Dir, "link"); err == nil {
		absolute, err := filepath.Abs(run.Dir)
		if err == nil {
			err = os.Mkdir("away", 0o700)
		}
		if err == nil {
			err = os.Symlink(absolute, filepath.Join("away", "link"))
		}
		if err != nil {
			t.Fatal(err)
		}
		out, _ := must(t, exitRegression, "gate", filepath.Join("away", "link"), "--quiet", "--format", "json")
		var g reports.Gate
		if err := json.Unmarshal([]byte(out), &g); err != nil || g.Confirm != first.Confirm {
			t.Errorf("through a link the fresh traces are %q, want %q", g.Confirm, first.Confirm)
		}
	}
	if after := runFolders(t); !slices.Equal(before, after) {
		t.Errorf("folders %v, then %v", before, after)
	}

	// Records that were edited are told from those that the decision rests on.
	results := filepath.Join(confirm, "results.jsonl")
	raw, err = os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	write(t, results, strings.ReplaceAll(string(raw), `"verdict":"incorrect"`, `"verdict":"correct"`))
	for _, command := range []string{"gate", "baseline add"} {
		code := exitInvalid
		if command != "gate" {
			code = exitUsage
		}
		if _, stderr := must(t, code, append(strings.Fields(command), "latest")...); !strings.Contains(stderr, "are not those that its decision rests on") {
			t.Errorf("%s: edited records: %s", command, stderr)
		}
	}

	// Traces that are gone are drawn anew, and every later decision says so.
	moved(t, confirm, filepath.Join(t.TempDir(), "gone"))
	for range 2 {
		g := gated(t, exitRegression)
		if !strings.Contains(strings.Join(g.Warnings, "\n"), "-confirm is gone, whose traces an earlier decision on this run rested on") {
			t.Errorf("fresh traces that are gone: %v", g.Warnings)
		}
	}
}

// Whatever says of itself that it is further traces of a run is looked at.
func TestFurther(t *testing.T) {
	run := brokenSums(t)
	gated(t, exitRegression)
	confirm := openedRun(t, run.Dir+"-confirm")
	data, err := datasets.Open("sums.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f := further{run, run.Manifest.Configurations[0], data}
	if err := f.manifest(kindConfirm, confirm); err != nil {
		t.Fatal(err)
	}
	whole := confirm.Manifest
	whole.Seed, whole.Dataset = secondSeed(run.Manifest.Seed), run.Manifest.Dataset
	whole.Configurations = slices.Clone(run.Manifest.Configurations)
	for name, c := range map[string]struct {
		kind   string
		change func(*store.Manifest)
		want   string
	}{
		"unchanged":            {kindConfirm, func(*store.Manifest) {}, ""},
		"second pass":          {kindReplicate, func(*store.Manifest) {}, ""},
		"of another":           {kindConfirm, func(m *store.Manifest) { m.FreshOf = "other" }, "further traces of"},
		"a replay":             {kindConfirm, func(m *store.Manifest) { m.ReplayOf = "other" }, "is a replay"},
		"earlier":              {kindConfirm, func(m *store.Manifest) { m.Start = run.Manifest.Start.Add(-time.Hour) }, "began before the run"},
		"another seed":         {kindConfirm, func(m *store.Manifest) { m.Seed++ }, "its seed is"},
		"another agent":        {kindConfirm, func(m *store.Manifest) { m.Configurations[0].Agent = "0123456789abcdef" }, "its agent is another"},
		"seen traces":          {kindConfirm, func(m *store.Manifest) { m.Configurations[0].First = 1 }, "begins with trace 1"},
		"other queries":        {kindConfirm, func(m *store.Manifest) { m.Dataset.Hash = "sha256:0" }, "not those of the dataset"},
		"the run's seed again": {kindReplicate, func(m *store.Manifest) { m.Seed = run.Manifest.Seed }, "its seed is"},
		"no full pass":         {kindReplicate, func(m *store.Manifest) { m.Configurations[0].K = 1 }, "no full pass"},
	} {
		t.Run(name, func(t *testing.T) {
			m := whole
			if c.kind == kindConfirm {
				m = confirm.Manifest
			}
			m.Configurations = slices.Clone(m.Configurations)
			c.change(&m)
			w, err := store.Create(t.TempDir(), m)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Finish(store.Complete, time.Now()); err != nil {
				t.Fatal(err)
			}
			err = f.manifest(c.kind, openedRun(t, w.Dir()))
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	p, err := gate.ReadPass(confirm, "")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[traceAt]bool{}
	if err := f.records(p, seen); err != nil {
		t.Error(err)
	}
	if err := f.records(p, seen); err == nil {
		t.Error("the same traces count twice")
	}
	p.Records[0].QueryHash = "other"
	if err := f.records(p, map[traceAt]bool{}); err == nil {
		t.Error("a record of another query is taken")
	}
}

// Of two gates at once, one runs the fresh traces, and the other says so.
func TestGateTwiceAtOnce(t *testing.T) {
	run := brokenSums(t)
	gated(t, exitRegression)
	m := openedRun(t, run.Dir+"-confirm").Manifest
	for _, path := range []string{run.Dir + "-confirm", filepath.Join(run.Dir, "gate.json")} {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	w, err := store.Create("runs", m)
	if err != nil {
		t.Fatal(err)
	}
	if _, stderr := must(t, exitInvalid, "gate", "latest", "--quiet"); !strings.Contains(stderr, "another gate is running its fresh traces") {
		t.Errorf("two at once: %s", stderr)
	}
	if err := w.Finish(store.Interrupted, time.Now()); err != nil {
		t.Fatal(err)
	}
	gated(t, exitRegression)
}

// Every second pass goes into the baseline with its run.
func TestBaselineTakesAllPasses(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "sums.yaml", sums)
	for _, seed := range []string{"1", "2", "3"} {
		must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", seed)
		must(t, exitOK, "baseline", "add", "latest")
	}
	must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", "4")
	second := latestRun(t)
	must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", "5")
	run := latestRun(t)
	gated(t, exitOK, "--replicate", second.Manifest.Run)

	damaged := run.Dir + "-replicate"
	if err := os.Mkdir(damaged, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, stderr := must(t, exitUsage, "baseline", "add", "latest"); !strings.Contains(stderr, damaged) {
		t.Errorf("a damaged second pass: %s", stderr)
	}
	if err := os.Remove(damaged); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(t.TempDir(), "kept")
	moved(t, second.Dir, kept)
	if _, stderr := must(t, exitUsage, "baseline", "add", "latest"); !strings.Contains(stderr, "is gone: put it back") {
		t.Errorf("a second pass that is gone: %s", stderr)
	}
	moved(t, kept, second.Dir)
	must(t, exitOK, "baseline", "add", "latest")
	out, _ := must(t, exitOK, "baseline", "show", "--format", "json")
	var b reports.Baseline
	if err := json.Unmarshal([]byte(out), &b); err != nil {
		t.Fatal(err)
	}
	if last := b.Runs[len(b.Runs)-1]; last.Run != run.Manifest.Run || last.Passes != 2 {
		t.Errorf("accepted %+v, want two passes", last)
	}
	must(t, exitUsage, "baseline", "add", second.Manifest.Run)
}

// Runs that are accepted at once are all accepted.
func TestBaselineAddAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "sums.yaml", sums)
	for _, seed := range []string{"1", "2", "3", "4", "5", "6"} {
		must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", seed)
	}
	data, err := datasets.Open("sums.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var adding sync.WaitGroup
	for _, name := range runFolders(t) { // not by the command line, whose library is for one at a time
		c, err := candidateOf(openedRun(t, filepath.Join("runs", name)), "", defaultBaseline, data)
		if err != nil {
			t.Fatal(err)
		}
		adding.Go(func() {
			_, err := changeBaseline(t.Context(), "baseline.jsonl", baselineToChange, func(b *gate.Baseline) error { return b.Add(c, data) })
			if err != nil {
				t.Errorf("add %s: %v", name, err)
			}
		})
	}
	adding.Wait()
	b, err := gate.ReadBaseline("baseline.jsonl")
	if err != nil || len(b.Runs) != 6 {
		t.Fatalf("%d runs, want 6: %v", len(b.Runs), err)
	}
}
