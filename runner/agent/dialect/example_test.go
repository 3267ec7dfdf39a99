package dialect_test

import (
	"encoding/json"
	"fmt"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
)

func ExampleParse() {
	tools := []model.ToolSpec{{Name: "corpus_search", Parameters: json.RawMessage(
		`{"type":"object","properties":{"query":{"type":"string"},"top_k":{"type":"integer"}},"required":["query"]}`)}}
	for _, reply := range []string{
		"Thought: I look it up.\nAction: corpus_search\nAction Input: {\"query\": \"Paris\"}",
		"Thought 1: I look it up.\nAction 1: Search[Paris]\nObservation 1: It lies",
		"Action: corpus_search(\"Paris\", top_k=3)",
		"<tool_call>{\"name\": \"corpus_search\", \"arguments\": {\"query\": \"Paris\"}}</tool_call>",
		"Action 2: Finish[on the Seine]",
		"I do not know.",
	} {
		switch t := dialect.Parse(reply, tools); {
		case t.Problem != nil:
			fmt.Println("unreadable:", t.Problem)
		case t.Name != "":
			fmt.Printf("%s: %s %s, invented: %v\n", t.Dialect, t.Name, t.Arguments, t.Invented)
		default:
			fmt.Printf("%s: %s\n", t.Dialect, t.Final)
		}
	}
	// Output:
	// labels: corpus_search {"query": "Paris"}, invented: false
	// numbered: corpus_search {"query": "Paris"}, invented: true
	// call: corpus_search {"query": "Paris", "top_k": 3}, invented: false
	// tool_call: corpus_search {"query": "Paris"}, invented: false
	// numbered: Answer: on the Seine
	// unreadable: the turn has neither an Action line nor a Final line
}
