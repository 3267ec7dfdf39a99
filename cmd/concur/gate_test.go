package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports/gatereport"
	"github.com/seed-5817661a/concur/runner/store"
)

// acceptRuns makes a baseline of runs over a dataset at the seeds 1 to n in the working
// directory.
func acceptRuns(t testing.TB, dataset string, n int) {
	t.Helper()
	for seed := 1; seed <= n; seed++ {
		must(t, exitOK, "run", dataset, "--quiet", "--seed", fmt.Sprint(seed))
		must(t, exitOK, "baseline", "add", "latest")
	}
}

// must runs a command that is to end with a code, and gives what it wrote.
func must(t testing.TB, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	got, stdout, stderr := invoke(args...)
	if got != code {
		t.Fatalf("concur %s: exit %d, want %d\n%s\n%s", strings.Join(args, " "), got, code, stdout, stderr)
	}
	return stdout, stderr
}

// gated asks the gate about the latest run.
func gated(t testing.TB, code int, args ...string) gatereport.Report {
	t.Helper()
	out, _ := must(t, code, append([]string{"gate", "latest", "--quiet", "--format", "json", "--simulations", "20"}, args...)...)
	var g gatereport.Report
	if err := json.Unmarshal([]byte(out), &g); err != nil {
		t.Fatal(err)
	}
	return g
}

func runFolders(t testing.TB) []string {
	t.Helper()
	entries, err := os.ReadDir("runs")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// broken names the queries that are so.
func broken(g gatereport.Report) []string {
	var out []string
	for _, q := range g.Queries {
		if q.Status == gatereport.StatusBroken {
			out = append(out, q.Query)
		}
	}
	return out
}

// someOfGold29 writes a dataset of some of its queries, for time.
func someOfGold29(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(repository(t), "datasets/builtin/gold29.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, "some.yaml", only(string(raw), "retrieval-03", "calc-01", "calc-03", "calc-04", "safety-01"))
	return "some.yaml"
}

// only keeps the queries of a dataset with these ids.
func only(dataset string, ids ...string) string {
	var out strings.Builder
	for _, q := range strings.Split(dataset, "\n- id: ")[1:] {
		if id, _, _ := strings.Cut(q, "\n"); slices.Contains(ids, id) {
			out.WriteString("- id: " + q + "\n")
		}
	}
	return out.String()
}

func TestGate(t *testing.T) {
	if testing.Short() {
		t.Skip(wholeRuns)
	}
	t.Chdir(t.TempDir())
	some := someOfGold29(t)
	acceptRuns(t, some, 5)

	t.Run("an unchanged agent passes", func(t *testing.T) {
		must(t, exitOK, "run", some, "--quiet", "--seed", "6")
		g := gated(t, exitOK)
		if g.Decision != gate.Pass || g.History.Runs != 5 || g.History.Least != 15 || g.Operating == nil || len(g.Queries) != 5 || len(g.Differs) > 0 {
			t.Errorf("%s over %+v, %d queries, differs %v", g.Decision, g.History, len(g.Queries), g.Differs)
		}
		if len(g.Safety) != 1 || g.Safety[0].Traces != 10 {
			t.Errorf("safety %+v: queries that must be refused need ten traces", g.Safety)
		}
		// Asking again finds the same traces, and gives no second chance.
		before := runFolders(t)
		again := gated(t, exitOK)
		if diff := cmp.Diff(g, again); diff != "" {
			t.Errorf("asked again (-first +second):\n%s", diff)
		}
		if after := runFolders(t); !slices.Equal(before, after) {
			t.Errorf("folders %v, then %v", before, after)
		}
	})
	t.Run("an agent without its calculator is found", func(t *testing.T) {
		must(t, exitOK, "run", some, "--quiet", "--seed", "8", "--without", "calc")
		g := gated(t, exitRegression, "--junit", "gate.xml", "--markdown", "gate.md")
		// Three of four queries fell, so that the whole agent is asked: three fresh traces of each.
		if g.Rolling == nil || !g.Rolling.Collapse || len(g.Losses) != 3 || !slices.Contains(g.Losses, "calc-01") || len(broken(g)) != 0 {
			t.Errorf("fell most: %v, broken: %v, want the calculations to have fallen", g.Losses, broken(g))
		}
		if !slices.Contains(g.Differs, "agent.tools: calc is gone") {
			t.Errorf("differs %v", g.Differs)
		}
		for _, q := range g.Queries {
			if q.Status == gatereport.StatusLost && (q.Expected == "" || len(q.Passes) < 2 || q.Fresh.All() != 3 || len(q.Passes[1].Answers) == 0 || !strings.HasPrefix(q.Passes[1].Run, g.Run+"-fresh")) {
				t.Errorf("%s: expected %q, passes %+v", q.Query, q.Expected, q.Passes)
			}
		}
		for _, file := range []string{"gate.xml", "gate.md"} {
			if raw, err := os.ReadFile(file); err != nil || !strings.Contains(string(raw), "calc-01") {
				t.Errorf("%s: %v, %.200s", file, err, raw)
			}
		}
		_, stderr := must(t, exitUsage, "baseline", "add", "latest")
		if !strings.Contains(stderr, "--override") {
			t.Errorf("a regression is kept out with %q", stderr)
		}
		must(t, exitOK, "baseline", "add", "latest", "--override", "meant", "--baseline", copied(t, "baseline.jsonl"))
	})
	t.Run("without fresh traces it says what it would run", func(t *testing.T) {
		must(t, exitOK, "run", some, "--quiet", "--seed", "9")
		if g := gated(t, 4, "--no-confirm"); g.Decision != gate.Inconclusive || len(g.Need) != 1 {
			t.Errorf("%s, need %+v", g.Decision, g.Need)
		}
		limits := []string{"--min-pass-rate", "0.1", "--floor", "0.01", "--max-p95", "1h"}
		if g := gated(t, exitOK, limits...); len(g.Checks) != 3 {
			t.Errorf("checks %+v", g.Checks)
		}
		must(t, exitUsage, "gate", "latest", "--quiet") // without the limits
		gated(t, exitRegression, append(limits[:4], "--max-p95", "1ns")...)
	})
}

// A query is added on the first night, and blocks nothing; from the third on it is gated, and
// when it breaks on the fifth, it is found.
func TestFiveNights(t *testing.T) {
	if testing.Short() {
		t.Skip(wholeRuns)
	}
	t.Chdir(t.TempDir())
	const older = "- {id: third, category: c, query: \"What is 31 * 31?\", gold: {type: integer, answer: \"961\"}}\n"
	write(t, "queries.yaml", sums+older)
	acceptRuns(t, "queries.yaml", 5)
	raw, err := os.ReadFile(someOfGold29(t))
	if err != nil {
		t.Fatal(err)
	}
	_, added, _ := strings.Cut(string(raw), "- id: retrieval-03")
	added, _, _ = strings.Cut(added, "\n- id: ")
	write(t, "queries.yaml", sums+older+"- id: retrieval-03"+added+"\n")
	corpora := []string{"offline", "offline", "offline", "offline", alteredCorpus(t, "38.83", "21.57")}
	for i, corpus := range corpora {
		night := i + 1
		must(t, exitOK, "run", "queries.yaml", "--quiet", "--seed", fmt.Sprint(10+night), "--corpus", corpus)
		if night == 5 {
			break
		}
		g := gated(t, exitOK)
		if isNew := len(g.NotGated) == 1 && g.NotGated[0].Query == "retrieval-03" && g.NotGated[0].Traces == 3*i; isNew != (night <= 2) {
			t.Errorf("night %d: not gated yet: %+v", night, g.NotGated)
		}
		must(t, exitOK, "baseline", "add", "latest")
	}
	g := gated(t, exitRegression)
	if names := broken(g); !slices.Equal(names, []string{"retrieval-03"}) {
		t.Errorf("broken: %v, want retrieval-03", names)
	}
	if len(g.Differs) != 1 || !strings.HasPrefix(g.Differs[0], "corpus: 1 document changed (") {
		t.Errorf("differs in %q", g.Differs)
	}
}

// With one trace a run the gate decides from four on, and a renamed dataset is the same one.
func TestGateOfOneTrace(t *testing.T) {
	if testing.Short() {
		t.Skip(wholeRuns)
	}
	t.Chdir(t.TempDir())
	write(t, "sums.yaml", sums)
	for seed := 1; seed <= 4; seed++ {
		must(t, exitOK, "run", "sums.yaml", "-k", "1", "--quiet", "--seed", fmt.Sprint(seed))
		must(t, exitOK, "baseline", "add", "latest")
	}
	if err := os.Rename("sums.yaml", "renamed.yaml"); err != nil {
		t.Fatal(err)
	}
	must(t, exitOK, "run", "renamed.yaml", "-k", "1", "--quiet", "--seed", "5")
	if g := gated(t, exitOK); g.History != (gate.History{Runs: 4, Least: 4, Most: 4}) {
		t.Errorf("%s over %+v", g.Decision, g.History)
	}
	must(t, exitOK, "baseline", "add", "latest")
	var o gate.Operating
	out, _ := must(t, exitOK, "gate", "simulate", "--simulations", "20", "--format", "json")
	if err := json.Unmarshal([]byte(out), &o); err != nil || o.K != 1 || o.History != (gate.History{Runs: 5, Least: 5, Most: 5}) || o.Queries != 2 || o.Mean != 5.5/6 {
		t.Errorf("simulated %+v, %v", o, err)
	}
	if out, _ := must(t, exitOK, "gate", "simulate", "--simulations", "20"); !strings.Contains(out, "2 queries with a mean rate of 0.917") || !strings.Contains(out, "cautious") {
		t.Errorf("simulated %s", out)
	}
	must(t, exitOK, "run", "renamed.yaml", "-k", "1", "--quiet", "--seed", "6", "--without", "calc")
	if names := broken(gated(t, exitRegression)); len(names) != 2 {
		t.Errorf("broken: %v", names)
	}
}

// What is no evidence is refused, with the way out, and never passes.
func TestGateRefuses(t *testing.T) {
	if testing.Short() {
		t.Skip(wholeRuns)
	}
	t.Chdir(t.TempDir())
	few := []string{"--category", "calculation"}
	if err := os.WriteFile("small.yaml", []byte("- {id: one, category: c, query: \"What is 2 + 2?\", gold: {type: integer, answer: \"4\"}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	says := func(code int, want string, args ...string) {
		t.Helper()
		if out, stderr := must(t, code, args...); !strings.Contains(stderr, want) || strings.Contains(out, "PASS") {
			t.Errorf("concur %s: %s\n%s\nwant %q", strings.Join(args, " "), out, stderr, want)
		}
	}
	must(t, exitOK, "run", "--quiet", "small.yaml")
	says(exitUsage, "concur baseline add RUN", "gate", "latest")
	says(exitUsage, "concur baseline add RUN", "gate", "simulate")
	must(t, exitOK, "baseline", "add", "latest")
	says(exitUsage, "compared with itself", "gate", "latest")
	must(t, exitOK, "run", "--quiet", "small.yaml")
	says(exitUsage, "run with another --seed", "gate", "latest")
	says(exitUsage, "another --seed", "baseline", "add", "latest")
	must(t, exitOK, "run", "--quiet", "small.yaml", "--seed", "2")
	says(exitUsage, "--as is", "gate", "latest", "--as", "../x")
	says(4, "bootstrap", "gate", "latest", "--junit", "gate.xml")

	must(t, exitOK, append([]string{"run", "--quiet"}, few...)...)
	says(exitUsage, "run it without --query, --category and --limit", "gate", "latest")
	must(t, exitOK, "run", "--quiet", "--replay", "latest")
	replayed := newest(t, "runs").Dir // which does not answer to latest
	says(exitUsage, "is a replay of", "gate", replayed)
	says(exitUsage, "is a replay", "baseline", "add", replayed)
	says(exitUsage, "baseline add takes RUN; `concur baseline add latest` takes", "baseline", "add")
	says(exitUsage, "a copy of a baseline with ten runs or more, as it was at a release: read baseline: open nosuch.jsonl", "gate", seeded(t, 2), "--frozen", "nosuch.jsonl")
	says(exitUsage, "no such folder", "gate", "nosuch")
	says(exitUsage, "needs --reason", "baseline", "reset")
	says(exitUsage, "alpha is 2", "gate", "latest", "--alpha", "2")
	says(exitUsage, "300 queries", "gate", seeded(t, 2), "--non-inferiority", "0.05")

	for name, text := range map[string]string{
		"is empty": "", "merge conflict": "{\"schema\":\"concur/baseline/v2\"}\n<<<<<<< ours\n", "schema": "{\"schema\":\"other\"}\n",
	} {
		if err := os.WriteFile("broken.jsonl", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		says(exitUsage, name, "gate", seeded(t, 2), "--baseline", "broken.jsonl")
	}
	if err := os.WriteFile("none.jsonl", []byte("{\"schema\":\"concur/baseline/v2\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	says(exitUsage, "none.jsonl has no runs", "gate", "simulate", "--baseline", "none.jsonl")
	says(exitUsage, "none.jsonl has no runs", "baseline", "show", "--baseline", "none.jsonl")
	raw, err := os.ReadFile("baseline.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("broken.jsonl", raw[:len(raw)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	says(exitUsage, "broken.jsonl:5", "gate", seeded(t, 2), "--baseline", "broken.jsonl")

	// A dead endpoint: no trace is valid.
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
	t.Setenv("OPENAI_API_KEY", "none")
	must(t, exitInvalid, "run", "--quiet", "small.yaml", "--model", "openai:gone", "--tries", "1", "--corpus", "offline")
	says(exitInvalid, "INVALID", "gate", "latest", "--junit", "invalid.xml")
	if raw, err := os.ReadFile("invalid.xml"); err != nil || !strings.Contains(string(raw), "INVALID") {
		t.Errorf("%v, %.200s", err, raw)
	}

	// The dataset of now decides, and answers to another question count no more.
	if err := os.WriteFile("small.yaml", []byte("- {id: one, category: c, query: \"What is 2 + 3?\", gold: {type: integer, answer: \"5\"}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	says(exitUsage, "small.yaml has changed", "gate", seeded(t, 2))
}

// seeded is the run folder of the dataset small with a seed.
func seeded(t testing.TB, seed int64) string {
	t.Helper()
	for _, name := range runFolders(t) {
		run, err := store.Open(filepath.Join("runs", name))
		if err != nil {
			t.Fatal(err)
		}
		if m := run.Manifest; m.Dataset.Name == "small" && m.Seed == seed {
			return run.Dir
		}
	}
	t.Fatalf("no run of seed %d", seed)
	return ""
}

// copied is a copy of a file beside it.
func copied(t testing.TB, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile("copy-"+file, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return "copy-" + file
}

// alteredCorpus is the built-in corpus with something else in the entries that name one
// thing.
func alteredCorpus(t testing.TB, old, new string) string {
	t.Helper()
	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join(repository(t), "datasets/builtin/corpus/*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	changed := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		changed += strings.Count(string(raw), old)
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), []byte(strings.ReplaceAll(string(raw), old, new)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if changed == 0 {
		t.Fatalf("the corpus does not mention %s", old)
	}
	return dir
}

var here, hereErr = os.Getwd() // before a test goes elsewhere

// repository is the root of this module.
func repository(t testing.TB) string {
	t.Helper()
	if hereErr != nil {
		t.Fatal(hereErr)
	}
	return filepath.Join(here, "..", "..")
}
