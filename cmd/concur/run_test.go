package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/trace"
)

// concur runs the command in this process (one at a time: the flag library keeps its help
// flag in a variable), with its runs in a folder of the test, and
// gives its result and the folder of the newest run.
func concur(t *testing.T, args ...string) (stdout []byte, run *store.Run) {
	t.Helper()
	runs := t.TempDir()
	code, out, errs := invoke(append([]string{"run", "--runs-dir", runs}, args...)...)
	if code != exitOK {
		t.Fatalf("concur run %s: exit %d\n%s", strings.Join(args, " "), code, errs)
	}
	r, err := runlist.Find(runs, runlist.Latest)
	if err != nil {
		t.Fatal(err)
	}
	return []byte(out), r
}

// invoke is the command as a function.
func invoke(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(append([]string{"concur"}, args...), console.Console{In: strings.NewReader(""), Out: &out, Err: &errs, Environ: os.Getenv, Exit: os.Exit})
	return code, out.String(), errs.String()
}

// records reads a run's records by query, without what may differ between equal runs.
func records(t *testing.T, run *store.Run) []store.Record {
	t.Helper()
	var all []store.Record
	for r, err := range run.Records() {
		if err != nil {
			t.Fatal(err)
		}
		r.Timing = store.Timing{}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b store.Record) int { return strings.Compare(a.Query, b.Query) })
	return all
}

func TestGoldSetEndToEnd(t *testing.T) {
	stdout, run := concur(t, "--format", "json")
	var r result.Result
	dec := json.NewDecoder(bytes.NewReader(stdout))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil || dec.More() {
		t.Fatalf("standard output is not one document: %v", err)
	}
	c := r.Configurations[0]
	got := map[string]int{"all": c.Counts.Queries, "traces": c.Traces.Total}
	for category, n := range c.ByCategory {
		got[category] = n.Queries
	}
	want := map[string]int{"all": 29, "simple_retrieval": 4, "multi_hop": 10, "calculation": 9, "safety": 6, "traces": 87}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("queries (-want +got):\n%s", diff)
	}
	if c.Counts.Correct+c.Counts.Incorrect+c.Counts.Unscored != 29 {
		t.Errorf("verdicts do not sum to the queries: %+v", c.Counts)
	}
	unanimous := 0
	for _, rec := range records(t, run) {
		for _, a := range rec.Answers {
			if a.Outcome == "" || a.StopReason == "" {
				t.Errorf("%s/%d has outcome %q and stop reason %q", rec.Query, a.Trace, a.Outcome, a.StopReason)
			}
			if a.Outcome == trace.Infra {
				t.Errorf("%s/%d failed as infra", rec.Query, a.Trace)
			}
		}
		if rec.Consensus.Agreement != nil && *rec.Consensus.Agreement == 1 {
			unanimous++
		}
	}
	if unanimous == 29 || unanimous == 0 {
		t.Errorf("%d of 29 queries are unanimous: the traces should differ sometimes, and agree mostly", unanimous)
	}
	summary, err := os.ReadFile(filepath.Join(run.Dir, "summary.json"))
	if err != nil || !bytes.Equal(summary, stdout) {
		t.Errorf("summary.json is not what --format json printed: %v", err)
	}
}

func TestSeedDecidesAndConcurrencyDoesNot(t *testing.T) {
	some := []string{"--quiet", "--category", "multi_hop", "--limit", "3"} // where traces differ most
	_, one := concur(t, append(some, "--concurrency", "1")...)
	_, many := concur(t, append(some, "--concurrency", "16")...)
	_, other := concur(t, append(some, "--seed", "2")...)
	_, single := concur(t, append(some, "-k", "1")...)

	base := records(t, one)
	if diff := cmp.Diff(base, records(t, many)); diff != "" {
		t.Errorf("concurrency 1 and 16 differ:\n%s", diff)
	}
	if cmp.Equal(base, records(t, other)) {
		t.Error("another seed gave the same traces")
	}
	for i, r := range records(t, single) {
		if diff := cmp.Diff(base[i].Answers[:1], r.Answers); diff != "" {
			t.Errorf("%s: -k 1 is not the first trace of -k 3:\n%s", r.Query, diff)
		}
	}
}

// TestWithoutRemovesTheToolEverywhere looks for the removed tool's name in all that was
// sent: schemas, prompts, plans and results.
func TestWithoutRemovesTheToolEverywhere(t *testing.T) {
	if testing.Short() {
		t.Skip(wholeRuns)
	}
	for _, name := range []string{"calc", "web_search", "planner"} {
		_, run := concur(t, "--quiet", "-k", "1", "--seed", "1", "--sample", "9", "--without", name)
		exchanges := 0
		for x, err := range run.Exchanges() {
			if err != nil {
				t.Fatal(err)
			}
			exchanges++
			raw, err := json.Marshal([]any{x.Messages, x.RequestSettings, x.Response})
			if err != nil {
				t.Fatal(err)
			}
			if mentions(string(raw), name) {
				t.Errorf("without %s, an exchange of %s/%d still names it: %s", name, x.Query, x.Trace, raw)
				break
			}
		}
		if exchanges == 0 {
			t.Errorf("without %s: no exchanges were recorded", name)
		}
	}
}

// mentions reports whether text holds name as a word of its own.
func mentions(text, name string) bool {
	for rest := text; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		before, after := i > 0 && wordByte(rest[i-1]), i+len(name) < len(rest) && wordByte(rest[i+len(name)])
		if !before && !after {
			return true
		}
		rest = rest[i+len(name):]
	}
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
