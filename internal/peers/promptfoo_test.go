//go:build peers

package peers

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	foo "github.com/seed-5817661a/concur/datasets/promptfoo"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/checking"
)

// judgesAlike evaluates configurations with promptfoo, whose provider echo repeats the prompt, and decides the same
// outputs by the checks that concur makes of the assertions. A test of which an assertion was lost is not compared.
func (b bench) judgesAlike(t *testing.T, env []string, main string) {
	t.Helper()
	const configurations = "../../datasets/promptfoo/testdata"
	for _, folder := range []string{"judged", "files"} {
		b.copy(t, filepath.Join(configurations, folder), folder)
	}
	files, err := filepath.Glob(filepath.Join(b.dir, "judged", "*.yaml"))
	if err != nil || len(files) < 15 {
		t.Fatalf("%d configurations: %v", len(files), err)
	}
	right, wrong := 0, 0
	for _, file := range files {
		out := filepath.Join(b.dir, "alike.json")
		if err := os.RemoveAll(out); err != nil {
			t.Fatal(err)
		}
		_, stderr, _ := b.run(t, env, b.node, main, "eval", "-c", file, "--no-cache", "--no-table", "--output", out)
		raw, err := os.ReadFile(out)
		if err != nil {
			t.Fatalf("promptfoo wrote no results of %s: %v\n%s", file, err, stderr)
		}
		b.importsAlike(t, file, out)
		checked := verdictsOf(t, file)
		for _, x := range resultsOf(t, raw) {
			verdict, compared := checked(fmt.Sprintf("test-%d", x.TestIdx+1), x)
			if !compared {
				continue
			}
			if x.Success != (verdict.Verdict == judge.Correct) || verdict.Verdict == judge.Unscored {
				t.Errorf("%s, test %d: promptfoo says %t, concur %s: %s", filepath.Base(file), x.TestIdx+1, x.Success,
					verdict.Verdict, verdict.Reason)
			}
			if x.Success {
				right++
			} else {
				wrong++
			}
		}
	}
	t.Logf("promptfoo and concur judge %d outputs: %d right, %d wrong", right+wrong, right, wrong)
	if right < 30 || wrong < 15 {
		t.Errorf("only %d right and %d wrong outputs were compared", right, wrong)
	}
}

// importsAlike imports results, and requires that the checks that the import makes of the assertions have promptfoo's
// verdicts.
func (b bench) importsAlike(t *testing.T, file, results string) {
	t.Helper()
	_, stderr, code := b.run(t, nil, b.concur, "import", results)
	if code != 0 {
		t.Errorf("import the results of %s: exit code %d\n%s", file, code, stderr)
	}
	if m := sameVerdicts.FindStringSubmatch(stderr); m != nil && m[1] != m[2] {
		t.Errorf("import the results of %s:\n%s", file, stderr)
	}
}

var sameVerdicts = regexp.MustCompile(`checks and promptfoo have the same verdict on (\d+) of (\d+) messages?`)

// echoed is a result of promptfoo.
type echoed struct {
	TestIdx   int
	Success   bool
	LatencyMS float64 `json:"latencyMs"`
	Cost      float64
	Response  struct{ Output any }
}

func resultsOf(t *testing.T, raw []byte) []echoed {
	t.Helper()
	var file struct{ Results struct{ Results []echoed } }
	if err := json.Unmarshal(raw, &file); err != nil || len(file.Results.Results) == 0 {
		t.Fatalf("%d results: %v", len(file.Results.Results), err)
	}
	return file.Results.Results
}

// verdictsOf returns the verdicts of the checks of a configuration, by the number of its test.
func verdictsOf(t *testing.T, file string) func(id string, x echoed) (judge.Verdict, bool) {
	t.Helper()
	read, err := foo.Read(file, foo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	less := map[string]bool{} // tests with losses
	for _, f := range read.Losses {
		less[f.Test] = true
	}
	converted := filepath.Join(t.TempDir(), "queries.jsonl")
	if err := os.WriteFile(converted, read.JSONL, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := datasets.Load(converted)
	if err != nil {
		t.Fatal(err)
	}
	queries := map[string]datasets.Query{}
	for _, q := range d.Queries {
		queries[q.ID] = q
	}
	return func(id string, x echoed) (judge.Verdict, bool) {
		q, has := queries[id]
		if !has {
			t.Errorf("%s: %s is no query", file, id)
			return judge.Verdict{}, false
		}
		message, is := x.Response.Output.(string)
		if !is {
			raw, err := json.Marshal(x.Response.Output)
			if err != nil {
				t.Fatal(err)
			}
			message = string(raw)
		}
		if strings.TrimSpace(message) != strings.TrimSpace(q.Text) {
			t.Errorf("%s: %s echoes %q, and the query is %q", file, id, message, q.Text)
		}
		list, err := checking.Prepare(q.Checks)
		if err != nil {
			t.Fatal(err)
		}
		seconds := x.LatencyMS / 1000
		results, err := list.Check(t.Context(), checking.Subject{Message: message, Seconds: &seconds, USD: &x.Cost})
		if err != nil {
			t.Fatal(err)
		}
		return checking.Verdict(results), !less[id]
	}
}
