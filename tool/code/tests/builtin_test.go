package tests_test

import (
	"os"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/sandbox/quickjs"
	"github.com/seed-5817661a/concur/tool/code/tests"
)

// TestGoldOfCode60 runs the tests of each task of code60 that asks for a function: solutions pass all of them, and
// functions that return always the same value fail.
func TestGoldOfCode60(t *testing.T) {
	solutions, err := os.ReadFile("testdata/code60.js")
	if err != nil {
		t.Fatal(err)
	}
	set, err := datasets.Open("code60")
	if err != nil {
		t.Fatal(err)
	}
	engine := quickjs.New()
	defer engine.Close()
	r := tests.Runner{Engine: engine}
	tasks := 0
	for _, q := range set.Queries {
		suites := checks.Suites(q.AllChecks())
		if (len(suites) == 1) != (q.Category == "program") {
			t.Errorf("%s has %d suites of tests", q.ID, len(suites))
		}
		if len(suites) == 0 {
			continue
		}
		tasks++
		suite := tests.Suite{Language: suites[0].Suite.In(suites[0].Text), Text: suites[0].Text, Limits: limits}
		if v, err := r.Run(t.Context(), string(solutions), suite); err != nil || !v.Pass {
			t.Errorf("%s: %+v %v", q.ID, v, err)
		}
		list, err := tests.ReadCases(suite.Text)
		if err != nil {
			t.Fatal(err)
		}
		name := list[0].Call.Call
		if !strings.Contains(q.Text, " "+name+"(") {
			t.Errorf("%s does not name the function %s", q.ID, name)
		}
		for _, value := range []string{"null", "true", "[]", "arguments[0]"} {
			if v, err := r.Run(t.Context(), "function "+name+"() { return "+value+" }", suite); err != nil || v.Pass {
				t.Errorf("%s: a function that returns %s: %+v %v", q.ID, value, v, err)
			}
		}
	}
	if tasks != 20 {
		t.Errorf("%d tasks have tests", tasks)
	}
}
