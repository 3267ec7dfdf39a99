package imports_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/imports"
	"github.com/seed-5817661a/concur/trace"
)

// TestTau reads a file that was written by hand in the form of tau-bench's run.py. One task has three trials;
// of the other task, the first trial ended with an error and the third is missing.
func TestTau(t *testing.T) {
	l, err := imports.Open("testdata/tau.json", "", "")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"default: 3 traces correct, 1 incorrect, 0 unscored, 2 lost"}, l.Counts()); d != "" {
		t.Error(d)
	}
	notes := []string{
		"1 trial ended with an error, which tau-bench counts as a reward of 0; it counts as lost",
		"1 trial is not in the file, because its run did not finish; it counts as lost",
	}
	if d := cmp.Diff(notes, l.Notes); d != "" {
		t.Error(d)
	}
	first := l.Rows[0].Traces["0"][0]
	if first.Message != "It is cancelled." || first.Steps != 3 || first.ToolCalls != 1 || len(first.Events) != 2 {
		t.Errorf("first trace %+v", first)
	}
	if lost := l.Rows[0].Traces["1"][0]; lost.Outcome != trace.Infra || lost.Cause != "litellm.APIError: overloaded" {
		t.Errorf("the trial that failed: %+v", lost)
	}
	if q := l.Queries; len(q) != 2 || q[0].Text != "You want to cancel reservation R1." || q[1].Text != "You want to know your balance." {
		t.Errorf("queries %+v", q)
	}
	want := []string{
		"default 0: I cannot cancel it. (tie) incorrect by import, traces cor inc cor",
		"default 1: infra (none) unscored by infra, traces uns cor uns",
	}
	if d := cmp.Diff(want, lines(t, saved(t, l))); d != "" {
		t.Error(d)
	}
}

// TestTauRewards checks that each trace has the verdict of its reward in the file.
func TestTauRewards(t *testing.T) {
	for reward, want := range map[string]judge.Ruling{"1": judge.Correct, "1.0000001": judge.Correct, "0": judge.Incorrect, "0.5": judge.Incorrect, "2": judge.Incorrect} {
		l, err := imports.Read(strings.NewReader(`[{"task_id": 3, "reward": `+reward+`, "trial": 0, "traj": [{"role": "user", "content": "hi"}]}]`), "tau", "")
		if err != nil || l.Rows[0].Traces["3"][0].Verdict.Verdict != want || l.Queries[0].Text != "hi" {
			t.Errorf("%s: %v, want %s", reward, err, want)
		}
	}
}

func TestBadTau(t *testing.T) {
	raw, err := os.ReadFile("testdata/tau.json")
	if err != nil {
		t.Fatal(err)
	}
	whole := string(raw)
	for name, c := range map[string]struct{ text, want string }{
		"cut":        {whole[:len(whole)/2], "unexpected EOF"},
		"none":       {"[]", "the file has no results"},
		"other":      {`[{"a": 1}]`, "result 0 has no task_id, trial or reward"},
		"no reward":  {strings.Replace(whole, `"reward": 1`, `"r": 1`, 1), "result 0 has no task_id, trial or reward"},
		"twice":      {strings.Replace(whole, `"trial": 1`, `"trial": 0`, 1), "trial 0 of task 0 occurs twice"},
		"negative":   {strings.Replace(whole, `"trial": 1`, `"trial": -1`, 1), "result 2 has the trial -1"},
		"far":        {strings.Replace(whole, `"trial": 1`, `"trial": 1000000000`, 1), "result 2 has the trial 1000000000"},
		"not a list": {`{"task_id": 1, "reward": 1}`, "not a list"},
	} {
		if _, err := imports.Read(strings.NewReader(c.text), "tau", ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// apart writes the results of tau2-bench with each simulation in a separate file, and returns the path of the
// results.
func apart(t *testing.T, change func(index []any, files map[string]any) []any) string {
	t.Helper()
	raw, err := os.ReadFile("testdata/tau2.json")
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]any
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var index []any
	files := map[string]any{}
	for _, s := range file["simulations"].([]any) {
		sim := s.(map[string]any)
		index = append(index, map[string]any{"id": sim["id"], "task_id": sim["task_id"], "trial": sim["trial"]})
		files[sim["id"].(string)+".json"] = sim
	}
	delete(file, "simulations")
	file["simulation_index"] = change(index, files)
	write := func(path string, value any) {
		raw, err := json.Marshal(value)
		if err == nil {
			err = os.WriteFile(path, raw, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "simulations"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, value := range files {
		write(filepath.Join(dir, "simulations", name), value)
	}
	write(filepath.Join(dir, "results.json"), file)
	return filepath.Join(dir, "results.json")
}

// TestTau2Apart checks that results with simulations in separate files give the same run.
func TestTau2Apart(t *testing.T) {
	whole, err := imports.Open("testdata/tau2.json", "", "")
	if err != nil {
		t.Fatal(err)
	}
	l, err := imports.Open(apart(t, func(index []any, _ map[string]any) []any { return index }), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(whole.Counts(), l.Counts()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(lines(t, saved(t, whole)), lines(t, saved(t, l))); d != "" {
		t.Error(d)
	}
}

// TestTau2GoesOn checks results of an interrupted run: they have no index yet, so all separate files count.
func TestTau2GoesOn(t *testing.T) {
	whole, err := imports.Open("testdata/tau2.json", "", "")
	if err != nil {
		t.Fatal(err)
	}
	l, err := imports.Open(apart(t, func([]any, map[string]any) []any { return nil }), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(whole.Counts(), l.Counts()); d != "" {
		t.Error(d)
	}
	none := apart(t, func(_ []any, files map[string]any) []any { clear(files); return nil })
	if _, err := imports.Open(none, "", ""); err == nil || !strings.Contains(err.Error(), "the file has no simulations") {
		t.Errorf("without files: %v", err)
	}
}

// TestTau2Ticks checks a simulation in which both sides speak at the same time. It has ticks and no messages,
// as SimulationRun of tau2-bench stores it (commit 143a213).
func TestTau2Ticks(t *testing.T) {
	const ticks = `[
	  {"tick_id": 0, "timestamp": "t0", "agent_chunk": {"role": "assistant", "content": "Which or", "utterance_ids": ["u1"]}, "user_chunk": {"role": "user", "content": null}},
	  {"tick_id": 1, "timestamp": "t1", "agent_chunk": {"role": "assistant", "content": "der?", "utterance_ids": ["u1"]}, "user_chunk": {"role": "user", "content": "Hm"}},
	  {"tick_id": 2, "timestamp": "t2", "agent_chunk": {"role": "assistant", "content": null}, "user_chunk": {"role": "user", "content": "the first.", "utterance_ids": ["v1"]}},
	  {"tick_id": 3, "timestamp": "t3", "agent_chunk": null, "agent_tool_calls": [{"id": "c1", "name": "cancel", "arguments": {"id": 7}, "requestor": "assistant"}], "agent_tool_results": [{"id": "c1", "role": "tool", "content": "done", "requestor": "assistant", "error": false}]},
	  {"tick_id": 4, "timestamp": "t4", "agent_chunk": {"role": "assistant", "content": "It is", "utterance_ids": ["u2"]}},
	  {"tick_id": 5, "timestamp": "t5", "agent_chunk": {"role": "assistant", "content": "cancelled.", "utterance_ids": ["u3"]}}]`
	file := apart(t, func(index []any, files map[string]any) []any {
		sim := files["sim-1.json"].(map[string]any)
		sim["messages"], sim["ticks"] = nil, json.RawMessage(ticks)
		return index
	})
	l, err := imports.Open(file, "", "")
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, traces := range l.Rows[0].Traces {
		for _, tr := range traces {
			if tr.Message == "It is cancelled." {
				found = true
				if tr.ToolCalls != 1 || len(tr.Events) != 2 {
					t.Errorf("%+v", tr)
				}
			}
		}
	}
	if !found {
		t.Errorf("no trace has the message of the ticks: %+v", l.Rows[0].Traces)
	}
}

func TestBadTau2Apart(t *testing.T) {
	for want, change := range map[string]func(index []any, files map[string]any) []any{
		`the simulation "sim-1" is in no file of simulations/`: func(index []any, files map[string]any) []any { delete(files, "sim-1.json"); return index },
		`the simulation "sim-1" is not in simulation_index`:    func(index []any, _ map[string]any) []any { return append(index[:1:1], index[2]) },
		"simulations/sim-1.json: it is text":                   func(index []any, files map[string]any) []any { files["sim-1.json"] = "a"; return index },
		`another task or trial for "sim-1"`: func(index []any, _ map[string]any) []any {
			index[1].(map[string]any)["trial"] = 1
			return index
		},
		"entry 1 of simulation_index has no unique id": func(index []any, _ map[string]any) []any { index[1] = index[0]; return index },
	} {
		if _, err := imports.Open(apart(t, change), "", ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
