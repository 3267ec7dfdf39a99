package plan_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/plan"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// TestWhateverAModelSays checks that rounds stay within their limits, that each call has exactly one message
// directly after its turn, and that the trace ends as its stop reason says.
func TestWhateverAModelSays(t *testing.T) {
	registry, err := tool.New(echo{})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(r *rapid.T) {
		a := &plan.Agent{Config: config.New().Agent, Tools: registry}
		c := &a.Config
		c.Strategy, c.Protocol = config.StrategyPlan, rapid.SampledFrom([]string{config.ProtocolNative, config.ProtocolText}).Draw(r, "protocol")
		c.MaxSteps, c.MaxToolCalls = rapid.IntRange(1, 4).Draw(r, "max steps"), rapid.IntRange(1, 6).Draw(r, "max calls")
		parts := []config.Switch{config.On, config.Off}
		c.Plan = config.Plan{
			Analysis: rapid.SampledFrom(parts).Draw(r, "analysis"), Synthesis: rapid.SampledFrom(parts).Draw(r, "synthesis"),
			Reflection: rapid.SampledFrom(append(parts, config.OnFailure)).Draw(r, "reflection"), Workers: rapid.IntRange(0, 2).Draw(r, "workers"),
		}
		c.OnLimit = rapid.SampledFrom([]string{config.OnLimitAnswer, config.OnLimitStop}).Draw(r, "on limit")
		c.Guards = rapid.SliceOfDistinct(rapid.SampledFrom(config.Guards()), rapid.ID[string]).Draw(r, "guards")
		texts := []string{"", "Answer: x", "{}", "[]", `[{"name":"complete_task","arguments":{"answer":"x"}}]`, "Thought: a\n" + `[{"name":"echo","arguments":{"text":"a"}},{"name":"complete_task"},{"name":"echo"}]`, "```json [1] ```", "[[", `{"analysis": 1}`, "Final: Answer: [ABSTAIN]"}
		m := &script{}
		for range 40 {
			reply := model.Message{Content: rapid.SampledFrom(texts).Draw(r, "text")}
			for i := range rapid.IntRange(0, 3).Draw(r, "calls") {
				reply.ToolCalls = append(reply.ToolCalls, model.ToolCall{
					ID: rapid.SampledFrom([]string{"", "a", "call_0_0"}).Draw(r, "id"), Name: rapid.SampledFrom([]string{"echo", config.CompleteTool, "nope", ""}).Draw(r, "name"),
					Arguments: rapid.SampledFrom([]string{"", "{}", fmt.Sprintf(`{"text":"%d"}`, i), `{"text":"bad"}`, `{"answer":"Answer: x"}`, `{"answer":["x"]}`, "[", "null"}).Draw(r, "arguments"),
				})
			}
			m.replies = append(m.replies, reply)
		}
		open := 0
		got := a.Run(t.Context(), agent.Task{Query: datasets.Query{Text: "What?"}, Model: m, Emit: func(_ int, b trace.Body) {
			switch b.(type) {
			case trace.Action:
				open++
			case trace.Observation:
				open--
			}
		}})
		for _, req := range m.requests {
			checkAnswered(r, req.Messages)
		}
		most := c.MaxSteps + 2 + got.Format.Reminders // also the turn that a limit or the synthesis requires, and a correction
		if got.Steps > most || open != 0 || c.HasGuard(config.GuardCalls) && got.ToolCalls > c.MaxToolCalls {
			r.Errorf("%d steps of %d, %d calls, %d actions without observation", got.Steps, most, got.ToolCalls, open)
		}
		if o, alone := got.StopReason.Outcome(); alone && o != got.Outcome || (got.Answer != "") != (got.Outcome == trace.Answered) {
			r.Errorf("the trace ends %s, %s, answer %q", got.Outcome, got.StopReason, got.Answer)
		}
	})
}

// checkAnswered reports calls without a message directly after the turn, and ids that are used twice.
func checkAnswered(r *rapid.T, messages []model.Message) {
	var waiting, seen []string
	for i, m := range messages {
		if m.Role == model.ToolRole {
			if len(waiting) == 0 || waiting[0] != m.ToolCallID {
				r.Fatalf("message %d answers %q; waiting are %q", i, m.ToolCallID, waiting)
			}
			waiting = waiting[1:]
			continue
		}
		if len(waiting) > 0 {
			r.Fatalf("message %d comes before the answers to %q", i, waiting)
		}
		for _, c := range m.ToolCalls {
			if c.ID == "" || slices.Contains(seen, c.ID) {
				r.Fatalf("message %d: the id %q is empty or was used before", i, c.ID)
			}
			waiting, seen = append(waiting, c.ID), append(seen, c.ID)
		}
	}
	if len(waiting) > 0 {
		r.Fatalf("no answer to %q", waiting)
	}
}
