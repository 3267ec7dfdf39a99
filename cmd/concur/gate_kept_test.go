package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner/store"
)

// sums is a dataset that the offline model has right, with its calculator.
const sums = `- {id: one, category: c, query: "What is 12 * 12?", gold: {type: integer, answer: "144"}}
- {id: two, category: c, query: "What is 1234 times 5678?", gold: {type: integer, answer: "7006652"}}
`

// asked reads what the gate has said of the latest run.
func asked(t testing.TB, file string) []gate.Asked {
	t.Helper()
	run, err := store.Find("runs", store.Latest)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(run.Dir, file))
	if err != nil {
		t.Fatal(err)
	}
	var k keptGate
	if err := json.Unmarshal(raw, &k); err != nil {
		t.Fatal(err)
	}
	return k.Asked
}

// Asking again for less does not clear an alarm, nor does it run anything.
func TestGateKeepsWhatItSaid(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "sums.yaml", sums)
	for _, seed := range []string{"1", "2", "3", "4", "5"} {
		must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", seed)
		must(t, exitOK, "baseline", "add", "latest")
	}
	must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", "6", "--without", "calc")
	if first := gated(t, exitRegression, "--no-confirm"); len(first.Need.Confirm) != 2 || first.Confirm != "" {
		t.Errorf("without fresh traces it would run %+v, and has %q", first.Need, first.Confirm)
	}
	gated(t, exitRegression)
	folders := runFolders(t)
	if g := gated(t, exitRegression, "--no-confirm"); len(broken(g)) != 2 || g.Confirm == "" {
		t.Errorf("the fresh traces that are there are not taken: %s, %v", g.Confirm, g.Reasons)
	}
	gated(t, exitOK, "--alpha", "1e-9", "--replicate", "off")
	if now := runFolders(t); !slices.Equal(now, folders) {
		t.Errorf("folders %v, then %v", folders, now)
	}
	said := asked(t, "gate.json")
	for i, want := range []gate.Asked{
		{Decision: gate.Regression, NoConfirm: true, Alpha: gate.DefaultAlpha}, {Decision: gate.Regression, Alpha: gate.DefaultAlpha},
		{Decision: gate.Regression, Alpha: gate.DefaultAlpha}, {Decision: gate.Pass, Alpha: 1e-9},
	} {
		if len(said) != 4 || said[i].Decision != want.Decision || said[i].NoConfirm != want.NoConfirm || said[i].Alpha != want.Alpha || said[i].At.IsZero() || said[i].Baseline != "baseline.jsonl" {
			t.Fatalf("said %+v, want %+v as number %d of 4", said, want, i)
		}
	}
	if _, stderr := must(t, exitUsage, "baseline", "add", "latest"); !strings.Contains(stderr, "REGRESSION") || !strings.Contains(stderr, "--override") {
		t.Errorf("a PASS at another alpha clears a REGRESSION, or there is no way out: %s", stderr)
	}

	// What was edited is no decision, and nothing is run for it.
	run, err := store.Find("runs", store.Latest)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(run.Dir, "gate.json")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, strings.Replace(string(raw), `"decision": "PASS"`, `"decision": "DRIFT"`, 1))
	for _, command := range []string{"gate", "baseline add"} {
		if _, stderr := must(t, exitUsage, append(strings.Fields(command), "latest")...); !strings.Contains(stderr, "is damaged") {
			t.Errorf("%s takes a gate.json that was edited: %s", command, stderr)
		}
	}
}

// Several configurations of one run are gated and accepted one after the other.
func TestGateOfAnAblation(t *testing.T) {
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
	run, err := store.Find("runs", store.Latest)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	for _, c := range run.Manifest.Configurations {
		if g := gated(t, exitOK, "--configuration", c.Name); g.Configuration != c.Name || g.History.Least != 3*c.K {
			t.Errorf("%s: %s over %+v", c.Name, g.Configuration, g.History)
		}
		file := filepath.Base(gateFile(run, c.Name))
		if said := asked(t, file); len(said) != 1 {
			t.Errorf("%s says %+v", file, said)
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
		folders[gated(t, exitRegression, "--configuration", c.Name).Confirm] = true
	}
	if len(folders) != 3 || folders[""] {
		t.Errorf("three configurations have the fresh traces %v", folders)
	}
}

// Names of files are fit for any disk, and as different as the configurations.
func TestOfConfiguration(t *testing.T) {
	several := store.Manifest{Configurations: make([]store.Configuration, 2)}
	for name, want := range map[string]string{
		"full": "-full-", "no planner": "-no-planner-", "K=5": "-k-5-", "../../x": "-x-", "größe": "-gr-e-", "…": "-",
		strings.Repeat("a", 200): "-" + strings.Repeat("a", 40) + "-", "": "-",
	} {
		got := ofConfiguration(several, name)
		if !strings.HasPrefix(got, want) || len(got) != len(want)+4 {
			t.Errorf("%q is %q, want %q and four digits", name, got, want)
		}
	}
	if ofConfiguration(several, "a") == ofConfiguration(several, "A") {
		t.Error("a and A share a file")
	}
	if got := ofConfiguration(store.Manifest{Configurations: make([]store.Configuration, 1)}, "full"); got != "" {
		t.Errorf("a run of one configuration has files with %q", got)
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
	for _, both := range [][]string{{"--junit", "one", "--markdown", "./one"}, {"--out", "one", "--junit", "one"}, {"--markdown", "one", "--out", filepath.Join(elsewhere, "one")}} {
		if _, stderr := must(t, exitUsage, append([]string{"gate", "latest", "--quiet"}, both...)...); !strings.Contains(stderr, "name the same file") {
			t.Errorf("%v: %s", both, stderr)
		}
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

// To ask against fewer runs, or against another file, is to ask something else: it lets no
// run in that was not let in before.
func TestAskingForLessLetsNothingIn(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "sums.yaml", sums)
	for _, seed := range []string{"1", "2", "3", "4", "5"} {
		must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", seed)
		must(t, exitOK, "baseline", "add", "latest")
	}
	must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", "500", "--without", "calc")
	gated(t, 4, "--pool-runs", "1")
	must(t, exitUsage, "baseline", "add", "latest")
	gated(t, exitRegression, "--replicate", "off")
	gated(t, 4, "--pool-runs", "1")
	must(t, exitUsage, "baseline", "add", "latest")

	for _, seed := range []string{"301", "302"} {
		must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", seed, "--without", "calc")
		must(t, exitOK, "baseline", "add", "latest", "--baseline", "bad.jsonl")
	}
	must(t, exitOK, "run", "sums.yaml", "--quiet", "--seed", "303", "--without", "calc")
	gated(t, exitRegression)
	gated(t, exitOK, "--baseline", "bad.jsonl")
	_, stderr := must(t, exitUsage, "baseline", "add", "latest")
	if !strings.Contains(stderr, "REGRESSION") {
		t.Errorf("refused with %s", stderr)
	}
	must(t, exitUsage, "gate", "latest", "--pool-runs", "0")
}
