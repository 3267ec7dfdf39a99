package react_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/react"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// reply is the reply of a scripted model to one request.
type reply func(ctx context.Context) (model.Response, error)

// script is a model that gives its replies in order and keeps the requests.
type script struct {
	replies  []reply
	requests []model.Request
}

func (s *script) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	req.Messages = slices.Clone(req.Messages)
	s.requests = append(s.requests, req)
	if len(s.requests) > len(s.replies) {
		return model.Response{}, errors.New("the script has run out of replies")
	}
	return s.replies[len(s.requests)-1](ctx)
}

// say replies with a final message.
func say(text string) reply {
	return func(context.Context) (model.Response, error) {
		return model.Response{
			Message: model.Message{Role: model.Assistant, Content: text},
			Finish:  model.FinishStop, Usage: model.Usage{InputTokens: 10, OutputTokens: 2},
		}, nil
	}
}

// use replies with a turn that calls tools.
func use(thought string, calls ...model.ToolCall) reply {
	return func(context.Context) (model.Response, error) {
		return model.Response{
			Message: model.Message{Role: model.Assistant, Content: thought, ToolCalls: calls},
			Finish:  model.FinishToolCalls, Usage: model.Usage{InputTokens: 10, OutputTokens: 5, CachedTokens: 1},
		}, nil
	}
}

func call(id, name, arguments string) model.ToolCall {
	return model.ToolCall{ID: id, Name: name, Arguments: arguments}
}

// fakeTool is a tool that is a function.
type fakeTool struct {
	name     string
	evidence bool
	call     func(ctx context.Context, text string) (tool.Output, error)
}

func (f fakeTool) Spec() tool.Spec {
	return tool.Spec{
		ToolSpec: model.ToolSpec{
			Name: f.name, Description: "does " + f.name,
			Parameters: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"additionalProperties":false}`),
		},
		Evidence: f.evidence,
	}
}

func (f fakeTool) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	var in struct{ Text string }
	if err := json.Unmarshal(arguments, &in); err != nil {
		return tool.Output{}, err
	}
	return f.call(ctx, in.Text)
}

// echo is a tool that returns its argument.
func echo() fakeTool {
	return fakeTool{name: "echo", call: func(_ context.Context, text string) (tool.Output, error) {
		return tool.Output{Object: map[string]any{"text": text}}, nil
	}}
}

// library is a tool that finds one document for every query, named after the query. "broken" fails because of
// the backend, "absurd" because of the agent.
func library() fakeTool {
	return fakeTool{name: "library", evidence: true, call: func(_ context.Context, text string) (tool.Output, error) {
		switch text {
		case "broken":
			return tool.Output{}, &tool.BackendError{Kind: "unavailable", Err: errors.New("no connection")}
		case "absurd":
			return tool.Output{}, errors.New("nobody can look for that")
		}
		return tool.Output{Documents: []trace.Document{{Backend: "corpus", Ref: text, Title: "On " + text}}}, nil
	}}
}

// newAgent returns an agent with the default limits and the given tools. Its guards are off, so that a test
// can check one thing at a time.
func newAgent(t testing.TB, tools ...tool.Tool) *react.Agent {
	t.Helper()
	a := guarded(t, tools...)
	a.Config.Guards = []string{config.GuardInjection, config.GuardRepeat, config.GuardCalls, config.GuardFailures}
	return a
}

// guarded returns the agent of the default configuration with the given tools.
func guarded(t testing.TB, tools ...tool.Tool) *react.Agent {
	t.Helper()
	registry, err := tool.New(tools...)
	if err != nil {
		t.Fatal(err)
	}
	return &react.Agent{Config: config.New().Agent, Tools: registry}
}

// without turns guards off.
func without(a *react.Agent, guards ...string) *react.Agent {
	a.Config.Guards = slices.DeleteFunc(slices.Clone(a.Config.Guards), func(g string) bool { return slices.Contains(guards, g) })
	return a
}

// played is a trace, with its requests and events.
type played struct {
	trace.Trace
	requests []model.Request
	events   []trace.Event
}

// play runs the agent with a scripted model, and checks that the model gave all its replies.
func play(t testing.TB, ctx context.Context, a *react.Agent, q datasets.Query, replies ...reply) played {
	t.Helper()
	m := &script{replies: replies}
	var p played
	id := trace.ID{Agent: "a1", Query: q.ID, Trace: 2}
	p.Trace = a.Run(ctx, agent.Task{
		ID: id, Query: q, Seed: 7, Model: m,
		Emit: func(step int, b trace.Body) {
			p.events = append(p.events, trace.Event{ID: id, Step: step, Time: time.Time{}, Body: b})
		},
	})
	p.requests = m.requests
	if len(m.requests) != len(replies) {
		t.Errorf("the model was asked %d times, want %d", len(m.requests), len(replies))
	}
	if p.ID != id {
		t.Errorf("the trace is %+v, want %+v", p.ID, id)
	}
	return p
}

func question(text string) datasets.Query { return datasets.Query{ID: "q1", Text: text} }

// ended checks outcome, stop reason and short answer, and that the events end in the same way as the trace.
func (p played) ended(t testing.TB, outcome trace.Outcome, reason trace.StopReason, answer string) {
	t.Helper()
	if p.Outcome != outcome || p.StopReason != reason || p.Answer != answer {
		t.Errorf("%s, %s, %q (%s); want %s, %s, %q", p.Outcome, p.StopReason, p.Answer, p.Cause, outcome, reason, answer)
	}
	if o, alone := reason.Outcome(); alone && o != p.Outcome {
		t.Errorf("stop reason %s stands for %s, and the outcome is %s", reason, o, p.Outcome)
	}
	finals := 0
	for _, e := range p.events {
		if _, ok := e.Body.(trace.Conclusion); ok {
			finals++
		}
	}
	last, _ := p.events[len(p.events)-1].Body.(trace.Conclusion)
	if finals != 1 || last.Outcome != p.Outcome || last.StopReason != p.StopReason {
		t.Errorf("%d conclusions, the last event is %+v; the trace ended %s, %s", finals, last, p.Outcome, p.StopReason)
	}
	if p.Extract == "" {
		t.Error("extract is empty: it must say line, fallback or none")
	}
}

// story returns the events as lines: step, event and its main content.
func (p played) story() []string {
	var out []string
	for _, e := range p.events {
		line := fmt.Sprintf("%d ", e.Step)
		switch b := e.Body.(type) {
		case trace.Thought:
			line += "thought " + b.Content
		case trace.Action:
			line += fmt.Sprintf("action %s %s %s", b.CallID, b.Name, b.Input)
		case trace.Observation:
			line += "observation " + b.CallID + " "
			if b.Error != nil {
				line += *b.Error
			}
			line += string(b.Output)
		case trace.Guard:
			line += fmt.Sprintf("guard %s %s %s", b.Rule, b.Decision, b.Detail)
		case trace.Audit:
			line += fmt.Sprintf("audit %t %d/%d", b.Grounded, b.Valid, b.Citations)
		case trace.Conclusion:
			line += fmt.Sprintf("final %s", b.StopReason)
		}
		out = append(out, line)
	}
	return out
}

// shown returns the tool messages of the last request, in order.
func (p played) shown() []string {
	var out []string
	for _, m := range p.requests[len(p.requests)-1].Messages {
		if m.Role == model.ToolRole {
			out = append(out, m.ToolCallID+" "+m.Content)
		}
	}
	return out
}

// checkPairs checks the rule of all providers: each call of an assistant's turn has a unique id, and exactly
// one tool message directly after the turn, in order.
func checkPairs(t interface{ Errorf(string, ...any) }, messages []model.Message) {
	seen := map[string]bool{}
	var waiting []string
	for i, m := range messages {
		if m.Role == model.ToolRole {
			if len(waiting) == 0 || waiting[0] != m.ToolCallID {
				t.Errorf("message %d answers %q; waiting are %q", i, m.ToolCallID, waiting)
				return
			}
			waiting = waiting[1:]
			continue
		}
		if len(waiting) > 0 {
			t.Errorf("message %d comes before the answers to %q", i, waiting)
		}
		waiting = nil
		for _, c := range m.ToolCalls {
			if strings.TrimSpace(c.ID) == "" || seen[c.ID] {
				t.Errorf("message %d: the id %q is empty or was used before", i, c.ID)
			}
			seen[c.ID] = true
			waiting = append(waiting, c.ID)
		}
	}
	if len(waiting) > 0 {
		t.Errorf("no answer to %q", waiting)
	}
}
