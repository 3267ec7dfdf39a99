package session_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

type answers string

func (a answers) Complete(context.Context, model.Request) (model.Response, error) {
	return model.Response{Message: model.Message{Content: string(a)}, Finish: model.FinishStop}, nil
}

// A strategy of one turn without tools.
func Example() {
	once := session.Strategy{
		System: func(session.Protocol, []tool.Spec, string) []string { return []string{"You answer one question."} },
		Run: func(ctx context.Context, s *session.Session) trace.Trace {
			t, err := s.Ask(ctx, false)
			if err != nil {
				return s.Fail(ctx, err)
			}
			return s.Conclude(ctx, trace.Final, t)
		},
	}
	t := session.Run(context.Background(), session.Settings{Config: config.New().Agent, Tools: &tool.Registry{}}, agent.Task{
		Query: datasets.Query{ID: "q", Text: "Which city is the capital of France?"},
		Model: answers("Answer: Paris"), Emit: func(int, trace.Body) {},
	}, once)
	fmt.Println(t.Outcome, t.Answer, t.Steps)
	// Output:
	// answered Paris 1
}
