package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

const withResearcher = "agent: {tools: [planner, calc, researcher]}\nagents:\n  researcher: {tools: [web_search, checker], max_steps: 6}\n  checker: {tools: [calc]}\n"

// eventsOf reads a run's events by trace, without what may differ between equal runs.
func eventsOf(t *testing.T, run *store.Run) map[trace.ID][]trace.Event {
	t.Helper()
	out := map[trace.ID][]trace.Event{}
	for e, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
		e.Session, e.Time = 0, e.Time.Truncate(1<<62)
		switch b := e.Body.(type) {
		case trace.Conclusion:
			b.Timing = trace.Timing{}
			e.Body = b
		case trace.Observation:
			b.DurationMS = 0
			e.Body = b
		}
		out[e.ID] = append(out[e.ID], e)
	}
	return out
}

// TestAgentsReplayAndResume: a run with sub-agents is replayed, and gone on with after it was
// stopped, to equal results by equal events in equal order.
func TestAgentsReplayAndResume(t *testing.T) {
	runs, configuration := t.TempDir(), filepath.Join(t.TempDir(), "concur.yaml")
	write(t, configuration, withResearcher)
	run := func(code int, args ...string) *store.Run {
		t.Helper()
		got, _, errs := invoke(append([]string{"run", "--runs-dir", runs, "--quiet"}, args...)...)
		if got != code {
			t.Fatalf("exit %d, want %d: %s", got, code, errs)
		}
		return newest(t, runs)
	}
	first := run(exitOK, "--config", configuration, "--limit", "4", "-k", "2")
	want, children := eventsOf(t, first), 0
	for _, events := range want {
		if end := events[len(events)-1].Body.(trace.Conclusion); len(end.Children) > 0 {
			children++
		}
	}
	if children == 0 {
		t.Fatal("no trace called the researcher")
	}
	again := run(exitOK, "--replay", first.Dir)
	if diff := cmp.Diff(records(t, first), records(t, again)); diff != "" {
		t.Errorf("records (-recorded +replayed):\n%s", diff)
	}
	if diff := cmp.Diff(want, eventsOf(t, again)); diff != "" {
		t.Errorf("events (-recorded +replayed):\n%s", diff)
	}

	stopped := run(exitInvalid, "--config", configuration, "--limit", "4", "-k", "2", "--budget-tokens", "10000", "--concurrency", "2")
	resumed := run(exitOK, "--resume", stopped.Dir, "--budget-tokens", "20000000")
	if diff := cmp.Diff(records(t, first), records(t, resumed)); diff != "" {
		t.Errorf("records (-whole +resumed):\n%s", diff)
	}
	if diff := cmp.Diff(want, eventsOf(t, resumed)); diff != "" {
		t.Errorf("events (-whole +resumed):\n%s", diff)
	}
}

// TestAgentsWithAStrategy: a plan supervisor has a react worker, and a react supervisor a plan worker. Both calls
// of the supervisor's first turn run, and a replay gives the same events in the same order.
func TestAgentsWithAStrategy(t *testing.T) {
	var workers sync.WaitGroup
	workers.Add(2)
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			Messages []struct{ Role, Content string }
			Tools    []any
			Choice   any `json:"tool_choice"`
		}
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			t.Error(err)
		}
		turn, text := 0, ""
		for _, m := range req.Messages {
			text += m.Content + "\n"
			if m.Role == "assistant" {
				turn++
			}
		}
		call := func(name, arguments string) map[string]any {
			return map[string]any{"id": "c" + arguments, "type": "function", "function": map[string]any{"name": name, "arguments": arguments}}
		}
		message := map[string]any{"role": "assistant", "content": "It is 5.\nAnswer: 5"}
		worker := strings.Contains(text, "You are a worker.")
		switch {
		case len(req.Tools) == 0 || req.Choice == "none" || turn > 0:
		case worker:
			workers.Done()
			workers.Wait() // neither worker goes on before both have begun
			message = map[string]any{"role": "assistant", "tool_calls": []any{call("calc", `{"expression":"2+3"}`)}}
		default:
			message = map[string]any{"role": "assistant", "tool_calls": []any{
				call("worker", `{"task":"add","context":"","reason":"one"}`), call("worker", `{"task":"add again","context":"","reason":"two"}`),
			}}
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(map[string]any{"model": "m", "choices": []any{map[string]any{"message": message, "finish_reason": "stop"}}}); err != nil {
			t.Error(err)
		}
	}))
	defer endpoint.Close()
	for _, c := range []struct{ supervisor, worker string }{{"plan", "react"}, {"react", "plan"}} {
		workers = sync.WaitGroup{}
		workers.Add(2)
		runs, dir := t.TempDir(), t.TempDir()
		write(t, filepath.Join(dir, "concur.yaml"), "model: mine:m\nagent: {strategy: "+c.supervisor+", tools: [worker]}\n"+
			"agents: {worker: {strategy: "+c.worker+", tools: [calc], max_tool_calls: 1, prompt: You are a worker.}}\n"+
			"providers: {mine: {kind: openai, base_url: \""+endpoint.URL+"/v1\", auth: none}}\nconsensus: {stages: [exact, majority]}\n")
		write(t, filepath.Join(dir, "q.jsonl"), `{"id":"a","query":"How much is 2+3?","gold":{"type":"integer","answer":"5"}}`)
		code, _, errs := invoke("run", "--runs-dir", runs, "--quiet", "--config", filepath.Join(dir, "concur.yaml"), "-k", "1", filepath.Join(dir, "q.jsonl"))
		if code != exitOK {
			t.Fatalf("exit %d: %s", code, errs)
		}
		first := newest(t, runs)
		for _, events := range eventsOf(t, first) {
			plans, paths := map[string]bool{}, []string{}
			for _, e := range events {
				if len(paths) == 0 || paths[len(paths)-1] != e.Path {
					paths = append(paths, e.Path)
				}
			}
			for x, err := range first.Exchanges() {
				if err != nil {
					t.Fatal(err)
				}
				plans[x.Path] = plans[x.Path] || x.Task != ""
			}
			if diff := cmp.Diff([]string{"", "worker#1", "worker#2", ""}, paths); diff != "" {
				t.Errorf("%s over %s: order of the events (-want +got):\n%s", c.supervisor, c.worker, diff)
			}
			want := map[string]bool{"": c.supervisor == "plan", "worker#1": c.worker == "plan", "worker#2": c.worker == "plan"}
			if diff := cmp.Diff(want, plans); diff != "" {
				t.Errorf("%s over %s: which agents make side requests (-want +got):\n%s", c.supervisor, c.worker, diff)
			}
		}
		if code, _, errs := invoke("run", "--runs-dir", runs, "--quiet", "--replay", first.Dir); code != exitOK {
			t.Fatalf("replay: exit %d: %s", code, errs)
		}
		again := newest(t, runs)
		if diff := cmp.Diff(eventsOf(t, first), eventsOf(t, again)); diff != "" || again.Dir == first.Dir {
			t.Errorf("%s over %s: events (-recorded +replayed):\n%s", c.supervisor, c.worker, diff)
		}
	}
}

// TestAgentsDeadline: wherever the deadline of a sub-agent strikes, the trace goes on, and a
// replay repeats it, on whatever machine.
func TestAgentsDeadline(t *testing.T) {
	runs, configuration := t.TempDir(), filepath.Join(t.TempDir(), "concur.yaml")
	write(t, configuration, "agent: {tools: [calc, slow]}\nagents: {slow: {model: \"offline:reader?latency=20ms\", tools: [web_search, calc], timeout: 30ms}}\n")
	invoke("run", "--runs-dir", runs, "--quiet", "--config", configuration, "--limit", "4", "-k", "1")
	first := newest(t, runs)
	want, late := eventsOf(t, first), 0
	for _, events := range want {
		if events[len(events)-1].Path != "" {
			t.Errorf("a trace ends with %+v", events[len(events)-1])
		}
		for _, e := range events {
			if o, is := e.Body.(trace.Observation); is && e.Path == "" && o.ErrorKind != nil && *o.ErrorKind == "timeout" {
				late++
			}
		}
	}
	if late == 0 {
		t.Fatal("no sub-agent reached its deadline")
	}
	invoke("run", "--runs-dir", runs, "--quiet", "--replay", first.Dir)
	again := newest(t, runs)
	if diff := cmp.Diff(want, eventsOf(t, again)); diff != "" || again.Dir == first.Dir {
		t.Errorf("events (-recorded +replayed):\n%s", diff)
	}
}

// TestAgentsBadInput: what is wrong with sub-agents is found before anything runs, with file
// and line.
func TestAgentsBadInput(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"agents:\n  a: {tools: [a]}\n", ":2:14: agents.a.tools: a → a: an agent cannot call itself"},
		{"agents:\n  a:\n    tools: [nosuch]\n", `:3:12: agents.a.tools: there is no tool "nosuch"; known: planner, calc`},
		{"agents:\n  calc: {}\n", ":2:9: agents.calc: a tool has this name"},
		{"agents: {a: {model: nosuch}}\n", `:1:21: agents.a.model "nosuch": write provider:model`},
		{"agent: {tools: [b]}\nagents: {a: {}}\n", `:1:16: agent.tools: there is no tool "b"; known: planner, calc, calendar, web_search, wiki_search, serper_search, baidu_search, a, and`},
		{"agent: {exec: [true]}\nagents: {a: {}}\n", ":2:9: agents has no effect on an external agent"},
		{"agent: {tools: [a]}\nagents: {a: {model: \"nosuch:m\"}}\n", "agents.a: "},
	} {
		path := filepath.Join(t.TempDir(), "concur.yaml")
		write(t, path, c.text)
		code, _, errs := invoke("run", "--runs-dir", t.TempDir(), "--quiet", "--config", path, "--limit", "1")
		if code != exitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d, %s; want %q", c.text, code, errs, c.want)
		}
	}
}
