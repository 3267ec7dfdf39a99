package protocol_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/offline/protocol"
)

func ExampleAsNative() {
	req := model.Request{Messages: []model.Message{
		{Role: model.System, Content: "Write:\nThought: …\nAction: …\nAction Input: …\nor\nFinal: …"},
		{Role: model.User, Content: "What is 6 times 7?"},
		{Role: model.Assistant, Content: "Thought: I compute it.\nAction: calc\nAction Input: {\"expression\":\"6*7\"}"},
		{Role: model.User, Content: "Observation: 42"},
	}}
	fmt.Println(protocol.SpeaksText(req))
	native := protocol.AsNative(req)
	fmt.Println(native.Messages[2].ToolCalls[0].Name, native.Messages[3].Role, native.Messages[3].Content)
	fmt.Println(protocol.AsText("It is 42.", nil, false))
	// Output:
	// true
	// calc tool 42
	// Thought: No further tool is needed.
	// Final: It is 42.
}
