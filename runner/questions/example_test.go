package questions_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/questions"
)

func ExampleConversation() {
	talk := questions.Conversation{Context: datasets.Context{History: []datasets.Turn{
		{Role: datasets.UserRole, Content: "Which lake is the deepest?"},
		{Role: datasets.AssistantRole, Content: "Baikal."},
	}}}
	q := talk.Next("How deep is it?")
	fmt.Println(q.ID, len(q.History))
	// Output: ask-1 2
}
