package react_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/react"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/calc"
	"github.com/seed-5817661a/concur/trace"
)

// student is a fake model: it calls the calculator once and copies the result.
type student struct{}

func (student) Complete(_ context.Context, req model.Request) (model.Response, error) {
	last := req.Messages[len(req.Messages)-1]
	reply := model.Message{Content: "The calculator says " + last.Content + "\nAnswer: 408"}
	if last.Role == model.User {
		reply = model.Message{
			Content:   "I need the product.",
			ToolCalls: []model.ToolCall{{ID: "1", Name: "calc", Arguments: `{"expression":"12*34"}`}},
		}
	}
	return model.Response{Message: reply}, nil
}

func ExampleAgent() {
	tools, err := tool.New(calc.Tool)
	if err != nil {
		fmt.Println(err)
		return
	}
	a := react.Agent{Config: config.New().Agent, Tools: tools}
	t := a.Run(context.Background(), agent.Task{
		ID:    trace.ID{Query: "calc-01"},
		Query: datasets.Query{ID: "calc-01", Text: "What is 12 times 34?"},
		Model: student{},
		Emit: func(step int, b trace.Body) {
			if action, ok := b.(trace.Action); ok {
				fmt.Printf("step %d: %s %s\n", step, action.Name, action.Input)
			}
		},
	})
	fmt.Println(t.Outcome, t.StopReason, t.Answer)
	// Output:
	// step 0: calc {"expression":"12*34"}
	// answered final 408
}
