package imports_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/imports"
)

// TestLMEval reads files that lm-eval wrote for a model made for this test. lm-eval printed, for a task with
// three repeats, an exact_match of 0.6667 for the filter "first" and of 1 for "vote"; for a task of choices,
// an acc and an acc_norm of 0.3333.
func TestLMEval(t *testing.T) {
	for _, c := range []struct {
		file, score     string
		counts, records []string
	}{
		{"lm-eval-0.4.13.jsonl", "",
			[]string{"repeats: 0 traces correct, 0 incorrect, 0 unscored, 0 lost", "first: 2 traces correct, 1 incorrect, 0 unscored, 0 lost", "vote: 3 traces correct, 0 incorrect, 0 unscored, 0 lost"},
			[]string{
				"repeats doc-0: lol (majority) correct by gold, traces cor inc cor",
				"repeats doc-1: Paris (majority) correct by gold, traces inc cor cor",
				"repeats doc-2: 4 (exact) correct by gold, traces cor cor cor",
				"first doc-0: lol (single) correct by import, traces cor",
				"first doc-1: Lyon (single) incorrect by import, traces inc",
				"first doc-2: 4 (single) correct by import, traces cor",
				"vote doc-0: lol (single) correct by import, traces cor",
				"vote doc-1: Paris (single) correct by import, traces cor",
				"vote doc-2: 4 (single) correct by import, traces cor",
			}},
		{"lm-eval-0.4.13-choice.jsonl", "",
			[]string{"default: 1 trace correct, 2 incorrect, 0 unscored, 0 lost"},
			[]string{
				"default doc-0: 4 (single) incorrect by import, traces inc",
				"default doc-1: 4 (single) incorrect by import, traces inc",
				"default doc-2: 4 (single) correct by import, traces cor",
			}},
		{"lm-eval-0.4.13-choice.jsonl", "acc_norm", // log-likelihoods divided by the length of the choices
			[]string{"default: 1 trace correct, 2 incorrect, 0 unscored, 0 lost"},
			[]string{
				"default doc-0: Paris (single) incorrect by import, traces inc",
				"default doc-1: Paris (single) correct by import, traces cor",
				"default doc-2: Paris (single) incorrect by import, traces inc",
			}},
	} {
		t.Run(c.file+" "+c.score, func(t *testing.T) {
			l, err := imports.Open("testdata/"+c.file, "", c.score)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.counts, l.Counts()); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.records, lines(t, saved(t, l))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestBadSamples(t *testing.T) {
	samples, err := os.ReadFile("testdata/lm-eval-0.4.13.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text        []byte
		score, want string
	}{
		"twice":          {append(slices.Clip(samples), samples...), "", `line 7: sample 0: it occurs twice for the filter "first"`},
		"cut":            {samples[:900], "", "line 2: not JSON: it ends too early: close what is open, such as a bracket or a quotation mark"},
		"other":          {[]byte(`{"doc_id": 3}`), "", "line 1: sample 3: it has no arguments"},
		"unknown metric": {samples, "f1", `sample 0: it has no score "f1"; it has exact_match: choose one with --score`},
		"empty":          {nil, "", "the file is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := imports.Read(bytes.NewReader(c.text), "lm-eval", c.score); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestTargetOfSeveral checks that a target that is a list is not a gold for the answers before the filters.
func TestTargetOfSeveral(t *testing.T) {
	line := `{"doc_id": 0, "target": "['lol', 'haha']", "arguments": {"gen_args_0": {"arg_0": "q"}}, "resps": [["lol", "haha"]], "filtered_resps": ["lol"], "filter": "none", "metrics": ["exact_match"], "exact_match": 1.0}`
	l, err := imports.Read(strings.NewReader(line), "lm-eval", "")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"repeats doc-0: haha (tie) unscored by gold, traces uns uns", "default doc-0: lol (single) correct by import, traces cor"}
	if d := cmp.Diff(want, lines(t, saved(t, l))); d != "" {
		t.Error(d)
	}
}
