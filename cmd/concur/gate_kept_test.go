package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/cmd/concur/gating"
	"github.com/seed-5817661a/concur/cmd/concur/reading"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/gatereport"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// sums is a dataset that the offline model has right, with its calculator.
const sums = `- {id: one, category: c, cluster: sums, query: "What is 12 * 12?", gold: {type: integer, answer: "144"}}
- {id: two, category: c, cluster: sums, query: "What is 1234 times 5678?", gold: {type: integer, answer: "7006652"}}
`

// gateLog reads what the gate was asked and decided about the latest run.
func gateLog(t testing.TB, configuration string) []confirm.Entry {
	t.Helper()
	out, err := confirm.ReadLog(latestRun(t), configuration)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func latestRun(t testing.TB) *store.Run {
	t.Helper()
	run, err := runlist.Find("runs", runlist.Latest)
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

// brokenSums makes a baseline of sums, and a run that has lost its calculator.
func brokenSums(t *testing.T) *store.Run {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "sums.yaml", sums)
	acceptRuns(t, "sums.yaml", 5)
	must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", "6", "--without", "calc")
	return latestRun(t)
}

// What was said with fresh traces stays: another question needs a name, and its exit code is
// its own.
func TestGateKeepsWhatItSaid(t *testing.T) {
	if testing.Short() {
		t.Skip(wholeRuns)
	}
	run := brokenSums(t)
	if first := gated(t, 4, "--no-confirm"); len(first.Need) != 2 || len(first.Fresh) > 0 {
		t.Errorf("without fresh traces it would run %+v, and has %q", first.Need, first.Fresh)
	}
	gated(t, exitRegression)
	folders := runFolders(t)
	if g := gated(t, exitRegression, "--no-confirm"); len(broken(g)) != 2 || len(g.Fresh) != 2 {
		t.Errorf("the fresh traces that exist are not taken: %s, %v", g.Fresh, g.Reasons)
	} else if !strings.HasPrefix(g.Reasons[0], "2 queries are broken: one, two") || cmp.Diff([]gatereport.Cluster{{Cluster: "sums", Queries: 2, Fell: 2}}, g.Clusters) != "" {
		t.Errorf("%q, clusters %+v", g.Reasons[0], g.Clusters)
	} else {
		var out bytes.Buffer
		if err := gatereport.Write(&out, document.FormatTable, g, document.Screen{}); err != nil || !strings.Contains(out.String(), "\ncluster sums fell together: 2 of its 2 queries, which is a hint and not a test\n") {
			t.Errorf("%s, %v", out.String(), err)
		}
	}
	for _, other := range [][]string{{"--alpha", "1e-6"}, {"--pool-runs", "2"}, {"--strict"}, {"--baseline", copied(t, "baseline.jsonl")}} {
		if _, stderr := must(t, exitUsage, append([]string{"gate", "latest", "--quiet"}, other...)...); !strings.Contains(stderr, "REGRESSION on 12 fresh traces") || !strings.Contains(stderr, "--as release") {
			t.Errorf("%v: %s", other, stderr)
		}
	}
	stricter := gated(t, exitRegression, "--alpha", "0.01")
	named := gated(t, 4, "--alpha", "1e-9", "--as", "loose", "--no-confirm")
	if now := runFolders(t); !slices.Equal(now, folders) {
		t.Errorf("folders %v, then %v", folders, now)
	}
	all := gateLog(t, "default")
	// The second question was written down before its first fresh traces.
	if len(all) != 6 || all[5].As != "loose" || all[5].Decision != named.Decision || all[0].Fresh != 0 || all[1].Decision != "" || all[2].Fresh != 12 || all[2].Alpha != gate.DefaultAlpha || all[2].At.IsZero() {
		t.Errorf("said %+v", all)
	}
	if own, ok := confirm.OwnEntry(all); !ok || own.Decision != gate.Regression {
		t.Errorf("the run's decision is %+v", own)
	}
	raw, err := os.ReadFile(filepath.Join(run.Dir, "gate.loose.json"))
	if err != nil || !strings.Contains(string(raw), `"as": "loose"`) {
		t.Errorf("%v, %.100s", err, raw)
	}
	if _, stderr := must(t, exitUsage, "baseline", "add", "latest"); !strings.Contains(stderr, "REGRESSION") || !strings.Contains(stderr, "--override") {
		t.Errorf("another question clears a REGRESSION, or there is no way out: %s", stderr)
	}

	// Fresh traces that a named question takes beyond these are not those of the run's own.
	invoke("gate", "latest", "--quiet", "--alpha", "1e-9", "--as", "looser")
	if again := gated(t, exitRegression, "--alpha", "0.01"); len(runFolders(t)) == len(folders) || cmp.Diff(stricter, again) != "" {
		t.Errorf("asked again beside a named question (-first +second):\n%s", cmp.Diff(stricter, again))
	}

	// What cannot be read is no decision, and nothing is run for it.
	path := filepath.Join(run.Dir, "gate.said.jsonl")
	write(t, path, "{")
	for _, command := range []string{"gate", "baseline add"} {
		if _, stderr := must(t, exitInvalid, append(strings.Fields(command), "latest")...); !strings.Contains(stderr, "is damaged") {
			t.Errorf("%s takes what cannot be read: %s", command, stderr)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, stderr := must(t, exitUsage, "baseline", "add", "latest"); !strings.Contains(stderr, "was written by another version of concur, or ") {
		t.Errorf("a decision of an older concur: %s", stderr)
	}
}

// A gate that is stopped at any trace goes on where it was: no trace runs twice, and none is
// drawn again.
func TestFreshTracesAreDrawnOnce(t *testing.T) {
	run := brokenSums(t)
	fresh := run.Dir + "-fresh"
	first := gated(t, exitRegression)
	m := openedRun(t, fresh).Manifest
	chat, err := os.ReadFile(filepath.Join(fresh, "chat.jsonl"))
	if err != nil {
		t.Fatal(err)
	}

	// Traces that are gone are missed.
	moved(t, fresh, fresh+"-away")
	if _, stderr := must(t, exitUsage, "gate", "latest", "--quiet"); !strings.Contains(stderr, "used 12 fresh traces, of which 0 exist") {
		t.Errorf("fresh traces that are gone: %s", stderr)
	}
	// A folder of another run does not count as fresh traces.
	if err := os.CopyFS(fresh, os.DirFS(filepath.Join("runs", runFolders(t)[0]))); err != nil {
		t.Fatal(err)
	}
	if _, stderr := must(t, exitInvalid, "gate", "latest", "--quiet"); !strings.Contains(stderr, "does not hold fresh traces of the run") || !strings.Contains(stderr, "move it away") {
		t.Errorf("another run's folder: %s", stderr)
	}
	if err := os.RemoveAll(fresh); err != nil {
		t.Fatal(err)
	}

	// Another gate at work is waited for, and what it left behind is finished. Killed before its
	// decision it has asked its question.
	for _, path := range []string{fresh + "-2", filepath.Join(run.Dir, "gate.json")} {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	asked, err := os.ReadFile(filepath.Join(run.Dir, "gate.said.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(asked, []byte("0001-01-01")) {
		t.Errorf("a question without a date: %s", asked)
	}
	asked, _, _ = bytes.Cut(asked, []byte("\n"))
	write(t, filepath.Join(run.Dir, "gate.said.jsonl"), string(asked)+"\n")
	if _, stderr := must(t, exitUsage, "baseline", "add", "latest"); !strings.Contains(stderr, "its gate was interrupted before it decided") {
		t.Errorf("a run whose gate was interrupted: %s", stderr)
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
	// Killed in the middle: the first lines of what was said are there.
	write(t, filepath.Join(fresh, "chat.jsonl"), string(chat[:len(chat)/2]))
	if _, stderr := must(t, exitUsage, "gate", "latest", "--quiet", "--alpha", "1e-6"); !strings.Contains(stderr, "with alpha 0.003 (now 1e-06): no decision yet") {
		t.Errorf("another question after a kill: %s", stderr)
	}
	again := gated(t, exitRegression)
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("after a kill (-first +second):\n%s", diff)
	}
	if err := os.Symlink(run.Dir, "link"); err == nil { // which must not hide what lies beside the run
		out, _ := must(t, exitRegression, "gate", "link", "--quiet", "--format", "json", "--simulations", "20")
		if !strings.Contains(out, filepath.Base(fresh)+"-2") {
			t.Errorf("through a link the fresh traces are not found: %.300s", out)
		}
	}
}

// moved renames, as a hand would.
func moved(t testing.TB, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// Runs that are accepted at once, beside somebody who prunes, are all accepted.
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
	change := func(how func(*baseline.Baseline) error) {
		adding.Go(func() {
			if _, err := gating.ChangeBaseline(t.Context(), "baseline.jsonl", how); err != nil {
				t.Error(err)
			}
		})
	}
	for i, name := range runFolders(t) { // not by the command line, whose library is for one at a time
		p, err := reading.ReadPass(openedRun(t, filepath.Join("runs", name)), "")
		if err != nil {
			t.Fatal(err)
		}
		change(func(b *baseline.Baseline) error { return b.Add(baseline.Candidate{Pass: p}, data) })
		if i == 0 {
			adding.Wait() // an empty baseline cannot be pruned
		}
		change(func(b *baseline.Baseline) error {
			_, err := b.Prune(6)
			return err
		})
	}
	adding.Wait()
	b, err := baseline.Read("baseline.jsonl")
	if err != nil || len(b.Runs) != 6 {
		t.Fatalf("%d runs, want 6: %v", len(b.Runs), err)
	}
	if out, _ := must(t, exitOK, "baseline", "prune", "--keep-runs", "2"); !strings.Contains(out, "removed 4 runs from baseline.jsonl, which has 2 now") {
		t.Errorf("pruned: %s", out)
	}
	must(t, exitUsage, "baseline", "prune", "--keep-runs", "0")
	if _, said := must(t, exitUsage, "baseline", "prune", "--baseline", "typo.jsonl"); !strings.Contains(said, "it has no runs") {
		t.Errorf("a file that is not there: %s", said)
	}
}

// Several configurations of one run are gated and accepted one after the other.
func TestGateOfAnAblation(t *testing.T) {
	if testing.Short() {
		t.Skip(wholeRuns)
	}
	t.Chdir(t.TempDir())
	write(t, "sums.yaml", sums)
	write(t, "sums-ablation.yaml", `name: sums
dataset: sums.yaml
baseline: full
configurations:
  - {name: full}
  - {name: "K = 5", set: {k: 5}}
  - {name: "k_5", set: {k: 4}}
`)
	for _, seed := range []string{"1", "2", "3"} {
		must(t, exitOK, "ablate", "sums-ablation.yaml", "--quiet", "--seed", seed)
		for _, name := range []string{"full", "K = 5", "k_5"} {
			must(t, exitOK, "baseline", "add", "latest", "--configuration", name)
		}
	}
	must(t, exitOK, "ablate", "sums-ablation.yaml", "--quiet", "--seed", "4")
	run, err := runlist.Find("runs", runlist.Latest)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	for _, c := range run.Manifest.Configurations {
		if g := gated(t, exitOK, "--configuration", c.Name); g.Configuration != c.Name || g.History.Least != 3*c.K {
			t.Errorf("%s: %s over %+v", c.Name, g.Configuration, g.History)
		}
		file := filepath.Base(confirm.DecisionFile(run, c.Name, ""))
		if all := gateLog(t, c.Name); len(all) != 1 {
			t.Errorf("%s says %+v", file, all)
		}
		files[file] = true
		must(t, exitOK, "baseline", "add", "latest", "--configuration", c.Name)
	}
	if len(files) != 3 {
		t.Errorf("three configurations have the files %v", files)
	}
	if _, stderr := must(t, exitUsage, "gate", "latest"); !strings.Contains(stderr, "it has 3 configurations") {
		t.Errorf("without a name: %s", stderr)
	}

	// Each has fresh traces of its own.
	must(t, exitOK, "ablate", "sums-ablation.yaml", "--quiet", "--seed", "5", "--without", "calc")
	folders := map[string]bool{}
	for _, c := range run.Manifest.Configurations {
		folders[gated(t, exitRegression, "--configuration", c.Name).Fresh[0]] = true
	}
	if len(folders) != 3 || folders[""] {
		t.Errorf("three configurations have the fresh traces %v", folders)
	}
}

// A dataset that moved is found by its name, or where a flag says; it must be the same.
func TestGateFindsTheDataset(t *testing.T) {
	home := t.TempDir()
	t.Chdir(home)
	write(t, "sums.yaml", sums)
	must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", "1")
	must(t, exitOK, "baseline", "add", "latest")
	must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", "2", "--without", "calc")

	elsewhere := t.TempDir()
	if err := os.CopyFS(elsewhere, os.DirFS(home)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove("sums.yaml"); err != nil {
		t.Fatal(err)
	}
	if _, stderr := must(t, exitUsage, "gate", "latest"); !strings.Contains(stderr, "name it with --dataset FILE") {
		t.Errorf("a dataset that is gone: %s", stderr)
	}
	t.Chdir(elsewhere)
	for _, flag := range []string{"--out", "--junit", "--markdown"} {
		must(t, exitUsage, "gate", "latest", "--quiet", flag, "sums.yaml")
	}
	if g := gated(t, 4, "--junit", os.DevNull, "--markdown", os.DevNull); !g.Bootstrap {
		t.Errorf("%s: %v", g.Decision, g.Reasons)
	}
	if err := os.Rename("sums.yaml", filepath.Join(home, "other.yaml")); err != nil {
		t.Fatal(err)
	}
	if _, stderr := must(t, exitUsage, "baseline", "add", "latest"); !strings.Contains(stderr, "--dataset FILE") {
		t.Errorf("a dataset that is gone: %s", stderr)
	}
	must(t, exitUsage, "baseline", "add", "latest", "--dataset", "gold29")
	other := filepath.Join(home, "other.yaml") // the same queries, and another name
	must(t, 4, "gate", "latest", "--quiet", "--dataset", other)
	must(t, exitOK, "baseline", "add", "latest", "--dataset", other)
}

// The gate never sleeps. What needs another session of the provider is asked for later, by the line that is printed.
func TestGateNeverSleeps(t *testing.T) {
	if testing.Short() {
		t.Skip(wholeRuns)
	}
	run := brokenSums(t)
	// At this level six and twelve fresh traces are not enough, and more have to come from another session.
	began := time.Now()
	g := gated(t, 4, "--alpha", "1e-6", "--spaced", "1h", "--yes")
	if g.GoOn == nil || time.Since(began) > 10*time.Minute {
		t.Fatalf("%s after %v: %v", g.Decision, time.Since(began), g.Reasons)
	}
	if want := "concur gate " + run.Manifest.Run + " --alpha 1e-06 --spaced 1h0m0s --yes"; g.GoOn.Command != want || g.GoOn.After.Sub(*run.Manifest.End) < time.Hour {
		t.Errorf("it goes on after %v with %q, want %q", g.GoOn.After, g.GoOn.Command, want)
	}
	if _, stderr := must(t, exitUsage, "baseline", "add", "latest"); !strings.Contains(stderr, "INCONCLUSIVE") {
		t.Errorf("an open run is accepted: %s", stderr)
	}
	// In another session it does, against the pool of its question, though another run was accepted since.
	must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", "7")
	must(t, exitOK, "baseline", "add", "latest")
	out, stderr := must(t, exitRegression, "gate", run.Manifest.Run, "--alpha", "1e-06", "--spaced", "1ms", "--yes", "--wait", "--format", "json", "--simulations", "0")
	if !strings.Contains(out, `"go_on": null`) || !strings.Contains(stderr, "fresh traces: ") {
		t.Errorf("%s\n%.300s", stderr, out)
	}
	log, err := confirm.ReadLog(run, "default")
	if first, last := log[0], log[len(log)-1]; err != nil || len(first.Pool) != 5 || !slices.Equal(first.Pool, last.Pool) || last.Decision != gate.Regression || first.Levels == nil || cmp.Diff(first.Levels, last.Levels) != "" {
		t.Errorf("begun with %+v, went on with %+v, %v", first, last, err)
	}
	// A pool of which a run is gone cannot be gone on with.
	must(t, exitOK, "baseline", "prune", "--keep-runs", "2")
	if _, stderr := must(t, exitUsage, "gate", run.Manifest.Run, "--alpha", "1e-06"); !strings.Contains(stderr, "is no longer in the baseline: put it back, or give the new decision a name") {
		t.Errorf("a pruned pool: %s", stderr)
	}
}

// The next gate of the line goes on with those that wait, and warns where more than one run is missing in the pool.
func TestNextGateFinishesOpenOnes(t *testing.T) {
	if testing.Short() {
		t.Skip(wholeRuns)
	}
	first := brokenSums(t)
	gated(t, 4, "--alpha", "1e-6", "--spaced", "1h")
	must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", "7", "--without", "calc")
	second := latestRun(t)
	if g := gated(t, 4, "--no-confirm"); strings.Contains(strings.Join(g.Warnings, " "), "have not decided") {
		t.Errorf("one open run is warned of: %q", g.Warnings)
	}
	must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", "8")
	g := gated(t, exitOK, "--no-confirm") // which runs nothing for others either
	if all := strings.Join(g.Warnings, "\n"); !strings.Contains(all, "the gates of 2 of the last 20 runs have not decided") || !strings.Contains(all, second.Manifest.Run) {
		t.Errorf("two open runs: %q", g.Warnings)
	}
	_, stderr := must(t, exitOK, "gate", "latest", "--simulations", "0", "--spaced", "1ms")
	if want := "concur: " + first.Manifest.Run + ", whose gate waited for another session, is decided first: REGRESSION"; !strings.Contains(stderr, want) {
		t.Errorf("want %q in %s", want, stderr)
	}
	log, err := confirm.ReadLog(first, "default")
	if own, ok := confirm.OwnEntry(log); err != nil || !ok || own.Decision != gate.Regression || own.Alpha != 1e-6 || own.Waits {
		t.Errorf("%+v, %v", own, err)
	}
	if g := gated(t, exitOK); strings.Contains(strings.Join(g.Warnings, " "), "have not decided") {
		t.Errorf("one is left, and warned of: %q", g.Warnings)
	}
}
