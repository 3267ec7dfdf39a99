package agent_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/trace"
)

// oneShot is an agent that asks its model once and uses the whole reply as the answer.
type oneShot struct{}

func (oneShot) Run(ctx context.Context, task agent.Task) trace.Trace {
	t := trace.Trace{ID: task.ID, ModelCalls: 1, Extract: "none"}
	reply, err := task.Model.Complete(ctx, model.Request{
		Identity: model.Identity{Agent: task.ID.Agent, Query: task.ID.Query, Trace: task.ID.Trace, Purpose: model.Agent},
		Messages: []model.Message{{Role: model.User, Content: task.Query.Text}},
		Seed:     task.Seed,
	})
	switch {
	case ctx.Err() != nil:
		t.Outcome, t.StopReason, t.Cause = trace.Infra, trace.Cancelled, ctx.Err().Error()
	case err != nil:
		t.Outcome, t.StopReason, t.Cause = trace.Infra, trace.ModelError, err.Error()
	default:
		t.Steps, t.Usage = 1, reply.Usage
		t.Outcome, t.StopReason, t.Extract = trace.Answered, trace.Final, "fallback"
		t.Message, t.Answer = reply.Message.Content, reply.Message.Content
	}
	task.Emit(0, t.Conclusion())
	return t
}

// oracle is a fake model with one answer.
type oracle struct{}

func (oracle) Complete(context.Context, model.Request) (model.Response, error) {
	return model.Response{Message: model.Message{Role: model.Assistant, Content: "Canberra"}, Finish: model.FinishStop}, nil
}

func ExampleAgent() {
	var a agent.Agent = oneShot{}
	t := a.Run(context.Background(), agent.Task{
		ID:    trace.ID{Agent: "one-shot", Query: "q1", Trace: 0},
		Query: datasets.Query{ID: "q1", Text: "What is the capital of Australia?"},
		Model: oracle{},
		Emit: func(step int, b trace.Body) {
			if end, ok := b.(trace.Conclusion); ok {
				fmt.Println("step", step, "ends the trace:", end.StopReason)
			}
		},
	})
	fmt.Println(t.Outcome, t.Answer)
	// Output:
	// step 0 ends the trace: final
	// answered Canberra
}
