package offline_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/offline"
)

// The reader calls the calculator for arithmetic, and answers with the result.
func Example() {
	m, err := offline.New("reader", offline.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	req := model.Request{
		Messages: []model.Message{
			{Role: model.System, Content: "Answer the question."},
			{Role: model.User, Content: "What is 1234567 times 89?"},
		},
		Tools: []model.ToolSpec{{Name: "calc"}},
	}
	turn, err := m.Complete(context.Background(), req)
	if err != nil {
		fmt.Println(err)
		return
	}
	call := turn.Message.ToolCalls[0]
	fmt.Println(call.Name, call.Arguments)

	req.Messages = append(req.Messages, turn.Message,
		model.Message{Role: model.ToolRole, ToolCallID: call.ID, Content: `{"value":"109876463"}`})
	last, err := m.Complete(context.Background(), req)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(last.Message.Content)
	// Output:
	// calc {"expression":"1234567 * 89"}
	// The calculator gives 1234567 * 89 = 109876463.
	//
	// Answer: 109876463
}
