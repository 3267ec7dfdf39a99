package imports_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/imports"
)

// TestTau2 reads a file that was written by hand after tau2-bench's data model (Results and its parts, commit
// 143a213), of which Results.save writes every field. No file of the tool itself was available. The second
// task has one of two trials, which ended with an error of the infrastructure.
func TestTau2(t *testing.T) {
	l, err := imports.Open("testdata/tau2.json", "", "")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"mock/agent: 1 trace correct, 1 incorrect, 0 unscored, 2 lost"}, l.Counts()); d != "" {
		t.Error(d)
	}
	notes := []string{
		"1 trial is not in the file, because its run did not finish; it counts as lost",
	}
	if d := cmp.Diff(notes, l.Notes); d != "" {
		t.Error(d)
	}
	first := l.Rows[0].Traces["0"][0]
	if first.Steps != 4 || first.ToolCalls != 3 || first.Message != "Both orders are cancelled." || first.Usage.InputTokens != 300 || first.Usage.OutputTokens != 21 || first.Seconds != 12.5 {
		t.Errorf("first trace %+v", first)
	}
	if n := len(first.Events); n != 6 { // three calls and three results; no calls of the user
		t.Errorf("%d events: %+v", n, first.Events)
	}
	want := []string{
		"mock/agent 0: Which orders do you mean? (tie) incorrect by import, traces cor inc",
		"mock/agent 1: infra (none) unscored by infra, traces uns uns",
	}
	if d := cmp.Diff(want, lines(t, saved(t, l))); d != "" {
		t.Error(d)
	}
	if q := l.Queries[0]; q.Text != "You want to cancel two orders.\nBe brief." || q.Category != "retail" || l.Queries[1].Text != "You want to know the time." {
		t.Errorf("queries %+v", l.Queries)
	}
}

func TestBadTau2(t *testing.T) {
	raw, err := os.ReadFile("testdata/tau2.json")
	if err != nil {
		t.Fatal(err)
	}
	whole := string(raw)
	for name, c := range map[string]struct{ text, want string }{
		"cut":           {whole[:len(whole)/2], "unexpected EOF"},
		"in files":      {`{"info": {"num_trials": 2}, "tasks": [], "simulation_index": [{}]}`, "the simulations are in separate files"},
		"many trials":   {`{"info": {"num_trials": 1000000000}, "simulations": [{}]}`, "num_trials is 1000000000, above the maximum of 10000"},
		"none":          {`{"info": {"num_trials": 2}, "tasks": []}`, "the file has no simulations"},
		"unknown task":  {strings.Replace(whole, `"task_id": "1"`, `"task_id": "7"`, 1), `a simulation has the task "7", which the file does not list`},
		"twice":         {strings.Replace(whole, `"trial": 1`, `"trial": 0`, 1), "trial 0 of task 0 occurs twice"},
		"further trial": {strings.Replace(whole, `"trial": 1`, `"trial": 5`, 1), "task 0 has a trial 5 of 2"},
	} {
		if _, err := imports.Read(strings.NewReader(c.text), "tau2", ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
