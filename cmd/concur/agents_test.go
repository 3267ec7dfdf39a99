package main

import (
	"path/filepath"
	"strings"
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
		{"agent: {tools: [b]}\nagents: {a: {}}\n", `:1:16: agent.tools: there is no tool "b"; known: planner, calc, web_search, wiki_search, serper_search, baidu_search, a`},
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
