package datasets_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/checks"
)

func loadTests(t *testing.T, text string) (*datasets.Dataset, error) {
	t.Helper()
	return datasets.Load(writeFile(t, "queries.yaml", text))
}

// A gold with tests is a check, beside other parts of the gold or alone.
func TestGoldWithTests(t *testing.T) {
	set, err := loadTests(t, `
- {id: a, category: c, query: q, gold: {tests: add.py}}
- {id: b, category: c, query: q, gold: {tests: "add.js", beside: true}}
- id: d
  category: c
  query: q
  gold:
    language: javascript
    all_of: [function]
    tests: |
      {"call": "add", "want": 1}
  checks: [{max_tokens: 5}]
`)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		checks, language string
		gold, votes      bool
	}{
		{`tests add.py`, "python", false, true},
		{`tests add.js`, "javascript", false, true},
		{`max_tokens 5, tests of the dataset`, "javascript", true, true},
	} {
		q := set.Queries[i]
		var names []string
		for _, c := range q.Checks {
			names = append(names, c.String())
		}
		suite := checks.Suites(q.Checks)
		if strings.Join(names, ", ") != want.checks || q.HasGold() != want.gold || q.VotesByChecks() != want.votes ||
			len(suite) != 1 || suite[0].Suite.In(suite[0].Text) != want.language {
			t.Errorf("%s: %q, gold %v, votes by checks %v, %+v", q.ID, names, q.HasGold(), q.VotesByChecks(), suite)
		}
	}
}

func TestWrongGoldsWithTests(t *testing.T) {
	for gold, want := range map[string]string{
		`{tests: " "}`:                  "gold.tests: is empty: name a file",
		`{tests: a.py, language: perl}`: `gold.language: unknown language "perl"`,
		`{answer: x, beside: true}`:     "gold.beside: has no meaning without tests",
		`{tests: a.py, tolerance: 1}`:   "has no meaning without an answer",
	} {
		if _, err := loadTests(t, "- {id: a, category: c, query: q, gold: "+gold+"}"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", gold, err, want)
		}
	}
	turn := "- {id: a, category: c, turns: [{query: q, gold: {tests: a.py}}]}"
	if _, err := loadTests(t, turn); err == nil || !strings.Contains(err.Error(), "write it as a check") {
		t.Error(err)
	}
}

// The files of HumanEval and MBPP, in their published form; the texts are ours.
func TestMappingsOfPrograms(t *testing.T) {
	for name, of := range map[string]struct{ text, tests string }{
		"humaneval": {`{"task_id": "T/0", "prompt": "def f(x):\n    \"\"\"{x}\"\"\"\n", "entry_point": "f", "canonical_solution": "    return x", "test": "def check(candidate):\n    assert candidate(1) == 1\n"}`,
			"def check(candidate):\n    assert candidate(1) == 1\n\ncheck(f)"},
		"mbpp": {`{"task_id": 2, "prompt": "Write f.", "code": "def f(x): return x", "test_imports": ["import math"], "test_list": ["assert f(1) == 1", "assert math.isclose(f(2), 2)"]}`,
			"import math\nassert f(1) == 1\nassert math.isclose(f(2), 2)"},
		"mbpp ": {`{"task_id": 3, "prompt": "Write f.", "code": "def f(x): return x", "test_imports": [], "test_list": ["assert f(1) == 1"]}`,
			"assert f(1) == 1"},
	} {
		m, err := datasets.ReadMapping(strings.TrimSpace(name))
		if err != nil {
			t.Fatal(err)
		}
		out, err := os.Create(filepath.Join(t.TempDir(), "out.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		if _, err := (datasets.Conversion{Mapping: m, To: datasets.YAML}).File(writeFile(t, "file.jsonl", of.text+"\n"), nil,
			out); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		set, err := datasets.Load(out.Name())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c := set.Queries[0].Checks
		if len(c) != 1 || strings.TrimSpace(c[0].Text) != of.tests || !c[0].Suite.Beside || c[0].Suite.Language != checks.Python {
			t.Errorf("%s: %+v", name, c)
		}
	}
}
