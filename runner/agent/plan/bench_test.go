package plan_test

import (
	"fmt"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/plan"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// BenchmarkExchange runs a trace of five rounds with two calls each, with a model and a tool that take almost
// no time. The time per model exchange is the time of the loop itself: at most 0.5 ms.
func BenchmarkExchange(b *testing.B) {
	registry, err := tool.New(echo{})
	if err != nil {
		b.Fatal(err)
	}
	a := &plan.Agent{Config: config.New().Agent, Tools: registry}
	a.Config.Strategy, a.Config.MaxToolCalls = config.StrategyPlan, 10
	replies := []model.Message{say(`{"analysis": "Ask echo for one thing after the other."}`)}
	for round := range 5 {
		replies = append(replies, use(fmt.Sprintf(`echo {"text":"one %d"}`, round), fmt.Sprintf(`echo {"text":"two %d"}`, round)), say(`{"reflection": "It is one of the two; the other is still missing."}`))
	}
	replies = append(replies, use(done), say("Answer: one"))
	for b.Loop() {
		t := a.Run(b.Context(), agent.Task{Query: datasets.Query{Text: "Which of the two is it?"}, Model: &script{replies: replies}, Emit: func(int, trace.Body) {}})
		if t.Answer != "one" || t.ModelCalls != len(replies) {
			b.Fatalf("%s after %d calls: %s", t.StopReason, t.ModelCalls, t.Cause)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1e3/float64(b.N)/float64(len(replies)), "ms/exchange")
}
