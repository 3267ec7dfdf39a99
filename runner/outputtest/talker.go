package outputtest

import (
	"context"
	"fmt"
	"sync"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/trace"
)

// answering is a model that always says yes.
type answering struct{}

func (answering) Complete(context.Context, model.Request) (model.Response, error) {
	yes := model.Message{Role: model.Assistant, Content: "Answer: yes"}
	return model.Response{Message: yes, Finish: model.FinishStop}, nil
}

// talker is an agent with two turns, which calls another agent between them. Its second trace of q1 panics.
type talker struct {
	stops bool // all queries but the first few (working) wait until they are cancelled

	mu    sync.Mutex
	begun []trace.ID
}

// forget resets the talker's counts.
func (a *talker) forget() { a.begun = nil }

func (a *talker) Run(ctx context.Context, task agent.Task) trace.Trace {
	a.mu.Lock()
	a.begun = append(a.begun, task.ID)
	a.mu.Unlock()
	t := trace.Trace{ID: task.ID, Outcome: trace.Answered, StopReason: trace.Final, Answer: "yes", Message: "Answer: yes",
		Extract: "line", Steps: 2}
	a.turn(ctx, task, "", task.Model, task.Emit, 0)
	m, emit := task.Records(agent.Child{Path: "helper#1"}, "m", answering{})
	a.turn(ctx, task, "helper#1", m, emit, 0)
	emit(0, t.Conclusion())
	if task.ID.Query == "q1" && task.ID.Trace == 1 {
		panic("this trace of the test panics")
	}
	var query int
	if _, err := fmt.Sscanf(task.ID.Query, "q%d", &query); err != nil {
		panic(err)
	}
	if a.stops && query >= working {
		<-ctx.Done()
		return trace.Trace{Outcome: trace.Infra, StopReason: trace.Cancelled, Extract: "none", Steps: 1}
	}
	a.turn(ctx, task, "", task.Model, task.Emit, 1)
	return t
}

// turn asks the model and emits its thought, a call and the observation.
func (a *talker) turn(ctx context.Context, task agent.Task, path string, m model.Model, emit trace.Emit, step int) {
	id := task.ID
	said, err := m.Complete(ctx, model.Request{
		Identity: model.Identity{Agent: id.Agent, Query: id.Query, Trace: id.Trace, Path: path, Step: step,
			Purpose: model.Agent},
		Messages: []model.Message{{Role: model.User, Content: task.Query.Text}},
	})
	if err != nil {
		panic(err)
	}
	call := fmt.Sprintf("call_%d", step)
	emit(step, trace.Thought{Content: said.Message.Content})
	emit(step, trace.Action{Name: "search", Input: trace.InputOf(`{"query":"yes"}`), CallID: call})
	emit(step, trace.Observation{CallID: call, Output: []byte(`{"found":"yes"}`)})
}
