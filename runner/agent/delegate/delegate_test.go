package delegate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/delegate"
	"github.com/seed-5817661a/concur/runner/agent/react"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// script is a model that gives its replies in order and keeps the requests.
type script struct {
	replies  []model.Message
	err      error // returned after the last reply
	requests []model.Request
}

func (s *script) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	req.Messages = slices.Clone(req.Messages)
	s.requests = append(s.requests, req)
	if n := len(s.requests); n <= len(s.replies) {
		return model.Response{Message: s.replies[n-1], Finish: model.FinishStop, Usage: model.Usage{InputTokens: 10, OutputTokens: 1}}, nil
	}
	if s.err != nil {
		return model.Response{}, s.err
	}
	<-ctx.Done()
	return model.Response{}, &model.Error{Kind: model.KindOf(ctx.Err()), Model: "script", Err: ctx.Err()}
}

func say(text string) model.Message { return model.Message{Role: model.Assistant, Content: text} }

func use(calls ...model.ToolCall) model.Message {
	return model.Message{Role: model.Assistant, ToolCalls: calls}
}

func ask(id, task string) model.ToolCall {
	raw, _ := json.Marshal(map[string]string{"task": task, "context": "", "reason": "it can search"})
	return model.ToolCall{ID: id, Name: "researcher", Arguments: string(raw)}
}

func find(id, query string) model.ToolCall {
	return model.ToolCall{ID: id, Name: "search", Arguments: fmt.Sprintf(`{"query":%q}`, query)}
}

// search is an evidence tool that finds one document for each query; it panics if asked to.
type search struct{}

func (search) Spec() tool.Spec {
	return tool.Spec{Evidence: true, ToolSpec: model.ToolSpec{Name: "search", Description: "searches",
		Parameters: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)}}
}

func (search) Call(_ context.Context, arguments json.RawMessage) (tool.Output, error) {
	var in struct{ Query string }
	_ = json.Unmarshal(arguments, &in)
	if in.Query == "panic" {
		panic("a bug")
	}
	return tool.Output{Object: map[string]any{}, Documents: []trace.Document{{
		Backend: "corpus", Ref: in.Query, Title: in.Query, Snippet: in.Query + " was founded in 1201 by Albert.", Source: "a book",
	}}}, nil
}

// team is an agent with the tool researcher, which is itself an agent with the tool search.
type team struct {
	parent, child *script
	events        []trace.Event
	sub           delegate.Tool
	config        config.Agent
}

func newTeam(parent, child *script) *team {
	t := &team{parent: parent, child: child, config: config.New().Agent}
	registry, err := tool.New(search{})
	if err != nil {
		panic(err)
	}
	t.sub = delegate.Tool{Name: "researcher", Agent: &react.Agent{Config: t.config, Tools: registry, Prompt: "Be brief.\nAnd exact."},
		Tools: registry.Specs(), Prompt: "Be brief.\nAnd exact.", Model: child, ModelName: "offline:child"}
	return t
}

func (t *team) run(ctx context.Context) trace.Trace {
	registry, err := tool.New(t.sub)
	if err != nil {
		panic(err)
	}
	emit := func(path string) trace.Emit {
		return func(step int, b trace.Body) {
			t.events = append(t.events, trace.Event{Path: path, Step: step, Body: b})
		}
	}
	id := trace.ID{Agent: "a", Query: "q"}
	return (&react.Agent{Config: t.config, Tools: registry}).Run(tool.WithTrace(ctx, id), agent.Task{
		ID: id, Query: datasets.Query{ID: "q", Text: "When was Riga founded?"}, Seed: 7, Model: t.parent, Emit: emit(""),
		Records: func(path, name string, m model.Model) (model.Model, trace.Emit) { return m, emit(path) },
	})
}

// observed returns the observations of the trace's own agent.
func (t *team) observed() (out []trace.Observation) {
	for _, e := range t.events {
		if o, is := e.Body.(trace.Observation); is && e.Path == "" {
			out = append(out, o)
		}
	}
	return out
}

// TestTask checks that a sub-agent works within the trace: it has its own path and seed, a part of the
// limits, the same evidence, and its cost is counted.
func TestTask(t *testing.T) {
	team := newTeam(
		&script{replies: []model.Message{use(ask("call_1", "the year in which Riga was founded")), say("Riga was founded in 1201 [corpus_1].\nAnswer: 1201\nReferences:\n[corpus_1] Riga")}},
		&script{replies: []model.Message{use(find("call_1", "Riga")), say("Riga was founded in 1201 [corpus_1].\n\nAnswer: 1201\n\nReferences:\n[corpus_1] Riga")}},
	)
	got := team.run(t.Context())
	if got.Answer != "1201" || got.Grounded == nil || !*got.Grounded {
		t.Errorf("answer %q, grounded %v (%s)", got.Answer, got.Grounded, got.Cause)
	}
	want := []trace.Child{{Path: "researcher#1", Steps: 2, ToolCalls: 1, ModelCalls: 2, Usage: model.Usage{InputTokens: 20, OutputTokens: 2}}}
	if diff := cmp.Diff(want, got.Children); diff != "" {
		t.Errorf("children (-want +got):\n%s", diff)
	}
	if got.ModelCalls != 4 || got.ToolCalls != 2 || got.Usage.InputTokens != 40 {
		t.Errorf("%d model calls, %d tool calls, %+v", got.ModelCalls, got.ToolCalls, got.Usage)
	}
	if own := got.ByPath()[0]; own.ModelCalls != 2 || own.ToolCalls != 1 || own.Usage.InputTokens != 20 {
		t.Errorf("own part %+v", own)
	}
	first := team.child.requests[0]
	if first.Identity.Path != "researcher#1" || first.Seed != delegate.Seed(7, "call_1") || first.Seed == 7 {
		t.Errorf("path %q, seed %d", first.Identity.Path, first.Seed)
	}
	if text := first.Messages[0].Content; !strings.HasPrefix(text, "Be brief.\nAnd exact.\n\n") {
		t.Errorf("the prompt does not come first: %.60q", text)
	}
	if text := first.Messages[1].Content; text != "the year in which Riga was founded" {
		t.Errorf("task %q", text)
	}
	o := team.observed()[0]
	if len(o.Documents) != 1 || o.Documents[0].ID != "corpus_1" || strings.Contains(string(o.Output), "References") || !strings.Contains(string(o.Output), `"answer":"1201"`) {
		t.Errorf("observation %s", o.Output)
	}
	paths := map[string]int{}
	for _, e := range team.events {
		paths[e.Path]++
	}
	if paths["researcher#1"] < 4 {
		t.Errorf("events by path %v", paths)
	}
}

// TestFailuresAreObservations checks that the caller continues after any failure of a sub-agent, and that the
// cost counts.
func TestFailuresAreObservations(t *testing.T) {
	for _, c := range []struct {
		name, task string
		child      *script
		timeout    time.Duration
		kind, want string
	}{
		{"no task", " ", &script{}, 0, tool.Refused, "task is empty"},
		{"no answer", "x", &script{replies: []model.Message{say(""), say("")}}, 0, tool.Refused, "gave no answer (empty_answer)"},
		{"model fails", "x", &script{err: &model.Error{Kind: model.ErrUnavailable, Err: errors.New("down")}}, 0, "model_error", "down"},
		{"tool panics", "x", &script{replies: []model.Message{use(find("c1", "panic"))}}, 0, "panic", "tool_panicked(search): a bug"},
		{"deadline", "x", &script{replies: []model.Message{use(find("c1", "Riga"))}}, time.Millisecond, "timeout", "deadline exceeded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			team := newTeam(&script{replies: []model.Message{use(ask("call_1", c.task)), say("Answer: [ABSTAIN]")}}, c.child)
			team.sub.Timeout = c.timeout
			got := team.run(t.Context())
			o := team.observed()
			if len(o) != 1 || o[0].Error == nil || *o[0].ErrorKind != c.kind || !strings.Contains(*o[0].Error, c.want) {
				t.Fatalf("observations %+v; want %s: …%s…", o, c.kind, c.want)
			}
			if len(team.parent.requests) != 2 || got.Steps != 2 || got.ModelCalls != 2+len(c.child.requests) {
				t.Errorf("%d requests, %d steps, %d model calls; the child had %d requests", len(team.parent.requests), got.Steps, got.ModelCalls, len(c.child.requests))
			}
		})
	}
}

// TestLimits checks that the agents called in one turn share the remaining tool calls equally, and that their
// calls count for the caller.
func TestLimits(t *testing.T) {
	tries := []model.Message{use(find("c1", "a")), use(find("c2", "b")), use(find("c3", "c")), say("Answer: [ABSTAIN]")}
	team := newTeam(
		&script{replies: []model.Message{use(ask("call_1", "one"), ask("call_2", "two")), use(ask("call_3", "three")), say("Answer: [ABSTAIN]")}},
		&script{replies: slices.Concat(tries[:2], tries[3:], tries, tries[3:])},
	)
	team.config.MaxToolCalls = 6
	got := team.run(t.Context())
	var calls []int
	for _, c := range got.Children {
		calls = append(calls, c.ToolCalls)
	}
	// Of 6 calls, the turn uses 2, which leaves 4: the first agent uses its two, the second one the other two,
	// and the third call exceeds the limit.
	if !slices.Equal(calls, []int{2, 2}) || got.ToolCalls != 6 || got.StopReason != trace.MaxToolCalls {
		t.Errorf("children called %v, all %d, %s", calls, got.ToolCalls, got.StopReason)
	}
}

// TestOutsideOfATrace checks that an agent cannot be called outside of a trace.
func TestOutsideOfATrace(t *testing.T) {
	_, err := newTeam(&script{}, &script{}).sub.Call(t.Context(), json.RawMessage(`{"task":"x"}`))
	if err == nil || !strings.Contains(err.Error(), "within a trace") {
		t.Errorf("error %v", err)
	}
}
