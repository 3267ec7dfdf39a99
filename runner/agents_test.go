package runner_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// TestSubAgents checks that the work of a sub-agent is recorded under its path and its model's name, and has
// its model's price.
func TestSubAgents(t *testing.T) {
	spent := model.Usage{InputTokens: 10, OutputTokens: 1}
	answering := modelFunc(func(context.Context, model.Request) (model.Response, error) {
		return model.Response{Message: model.Message{Role: model.Assistant, Content: "Answer: yes"}, Finish: model.FinishStop, Usage: spent}, nil
	})
	p := newPlan(1, 1, 1, agentFunc(func(ctx context.Context, task agent.Task) trace.Trace {
		m, emit := task.Records(agent.Child{Path: "helper#1"}, "openai:small", answering)
		for step := range 2 {
			req := model.Request{Identity: model.Identity{Agent: "a1", Query: task.ID.Query, Step: step, Purpose: model.Agent, Path: "helper#1"}}
			if _, err := m.Complete(ctx, req); err != nil {
				t.Error(err)
			}
		}
		emit(0, trace.Action{Name: "calc", Input: []byte(`{}`)})
		emit(1, trace.Conclusion{Message: "of the helper", Outcome: trace.Answered, StopReason: trace.Final, Extract: "line"})
		out := answered(task, "yes")
		out.ToolCalls, out.ModelCalls, out.Usage = 2, 3, spent.Add(spent).Add(spent)
		out.Children = []trace.Child{{Path: "helper#1", Steps: 2, ToolCalls: 1, ModelCalls: 2, Usage: spent.Add(spent)}}
		return out
	}))
	p.Arms[0].Configuration.Agents = map[string]config.SubAgent{"helper": {Model: "openai:small"}}
	p.Arms[0].Configuration.Model = "openai:large"
	p.Price = func(spec string, u model.Usage) (float64, bool) {
		return map[string]float64{"openai:large": 1, "openai:small": 0.01}[spec] * float64(u.InputTokens), true
	}
	r := execute(t, t.Context(), p, runner.Control{})
	if r.err != nil || len(r.records) != 1 {
		t.Fatalf("%v, %d records", r.err, len(r.records))
	}
	cost := func(usd float64, c store.AgentCost) store.AgentCost { c.USD = &usd; return c }
	want := []store.AgentUsage{
		{AgentCost: cost(10, store.AgentCost{Steps: 1, ToolCalls: 1, RoleUsage: store.RoleUsage{ModelCalls: 1, Usage: spent}})},
		{Path: "helper#1", AgentCost: cost(0.2, store.AgentCost{Steps: 2, ToolCalls: 1, RoleUsage: store.RoleUsage{ModelCalls: 2, Usage: spent.Add(spent)}})},
	}
	if diff := cmp.Diff(want, r.records[0].Answers[0].Agents); diff != "" {
		t.Errorf("by path (-want +got):\n%s", diff)
	}
	if usage := r.records[0].Usage; usage.USD == nil || *usage.USD != 10.2 || usage.ModelCalls != 3 || usage.InputTokens != 30 || usage.ToolCalls != 2 {
		t.Errorf("in all %+v", usage)
	}
	id := trace.ID{Agent: "a1", Query: "q0"}
	for _, x := range r.exchanges[id] {
		if x.Path != "helper#1" || x.RequestSettings != nil && x.RequestSettings.Model != "openai:small" {
			t.Errorf("exchange of %q with %+v", x.Path, x.RequestSettings)
		}
	}
	var ends []string
	for _, e := range r.events[id] {
		if end, is := e.Body.(trace.Conclusion); is {
			ends = append(ends, e.Path+": "+end.Message)
			if e.Path != "" && (end.Actions != 1 || end.Timing.CallsSent != 2) {
				t.Errorf("the helper's end %+v", end)
			}
		}
	}
	if diff := cmp.Diff([]string{"helper#1: of the helper", ": Answer: yes"}, ends); diff != "" {
		t.Errorf("ends (-want +got):\n%s", diff)
	}
}
