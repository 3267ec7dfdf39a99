package offline_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
)

// tabled asks a question with two registers and a table of amounts, all of which have every entry.
func tabled(t *testing.T, question, advice string, seed int64) (called []string, answer string) {
	t.Helper()
	req := model.Request{Temperature: 0.7, Seed: seed, Messages: []model.Message{
		{Role: model.System, Content: "Answer.\n\n" + advice}, {Role: model.User, Content: question},
	}}
	for name, about := range map[string]string{"north": "A register.", "south": "A register.", "measure": "Turns an amount into another."} {
		req.Tools = append(req.Tools, model.ToolSpec{Name: name, Description: about, Parameters: json.RawMessage(
			`{"type":"object","properties":{"entry":{"type":"string"}},"required":["entry"],"additionalProperties":false}`)})
	}
	for range 5 {
		m := complete(t, req).Message
		req.Messages = append(req.Messages, m)
		if len(m.ToolCalls) == 0 {
			_, answer, _ = strings.Cut(m.Content, "Answer: ")
			return called, answer
		}
		for _, c := range m.ToolCalls {
			var in struct{ Entry string }
			if err := json.Unmarshal([]byte(c.Arguments), &in); err != nil {
				t.Fatal(err)
			}
			called = append(called, c.Name+" "+in.Entry)
			value := map[string]string{"north": "7", "south": "8", "measure": in.Entry + "0"}[c.Name]
			req.Messages = append(req.Messages, model.Message{Role: model.ToolRole, ToolCallID: c.ID, Content: fmt.Sprintf(`{"entry":%q,"value":%q}`, in.Entry, value)})
		}
	}
	t.Fatalf("no answer after %v", called)
	return nil, ""
}

func block(line string) string { return "<playbook>\n" + line + "\n</playbook>" }

// The model follows an advised sequence if the question has most words of its condition, and all its tools
// are offered.
func TestAdviceIsFollowedWhereItFits(t *testing.T) {
	const question = "How deep is the well of Arden Cross?"
	for seed := range int64(20) {
		called, answer := tabled(t, question, block("[str-00001] For questions with the words deep, well: call them. (tools: south → measure)"), seed)
		if got := strings.Join(called, ", "); got != "south Arden Cross, measure 8" || answer != "80" {
			t.Fatalf("seed %d: called %s, answered %q", seed, got, answer)
		}
	}
	for name, line := range map[string]string{
		"other words":  "[str-00001] For questions with the words tall, tower: call them. (tools: south → measure)",
		"no such tool": "[str-00001] For questions with the words deep, well: call them. (tools: west)",
		"no sequence":  "[str-00001] For questions with the words deep, well: call south.",
	} {
		ways := map[string]bool{}
		for seed := range int64(20) {
			called, _ := tabled(t, question, block(line), seed)
			ways[strings.Join(called, ", ")] = true
		}
		if len(ways) < 3 {
			t.Errorf("%s: 20 seeds went only these ways: %v", name, ways)
		}
	}
}
