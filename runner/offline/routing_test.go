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

// town returns a table tool of a town.
func town(name, about string) model.ToolSpec {
	return model.ToolSpec{Name: name, Description: about, Parameters: json.RawMessage(
		`{"type":"object","properties":{"entry":{"type":"string"}},"required":["entry"],"additionalProperties":false}`)}
}

// finder is a tool that finds other tools.
var finder = model.ToolSpec{Name: "search_tools", Description: "Finds tools.", Parameters: json.RawMessage(
	`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"],"additionalProperties":false}`)}

// The model calls the table whose description fits the question, at any place among 50.
func TestTableByDescription(t *testing.T) {
	for seed := range int64(10) {
		req := model.Request{Temperature: 0.7, Seed: seed, Messages: []model.Message{
			{Role: model.System, Content: "Answer."}, {Role: model.User, Content: "How tall is the church of Arden Cross?"},
		}}
		for i := range 50 {
			about := fmt.Sprintf("Prices of goods of kind %d, by the name of the town.", i)
			if i == int(seed)*5 {
				about = "Heights of churches, by the name of the town."
			}
			req.Tools = append(req.Tools, town(fmt.Sprintf("table_%02d", i), about))
		}
		m := complete(t, req).Message
		if want := fmt.Sprintf("table_%02d", seed*5); len(m.ToolCalls) != 1 || m.ToolCalls[0].Name != want {
			t.Errorf("seed %d: called %v, want %s", seed, m.ToolCalls, want)
		}
	}
}

// If no offered table fits, the model searches for tools, once, and then uses what is offered.
func TestToolsAreSearched(t *testing.T) {
	const question = "How tall is the church of Arden Cross?"
	req := model.Request{Temperature: 0.7, Messages: []model.Message{
		{Role: model.System, Content: "Answer."}, {Role: model.User, Content: question},
	}, Tools: []model.ToolSpec{town("prices", "Prices of goods, by the name of the town."), finder}}
	m := complete(t, req).Message
	if len(m.ToolCalls) != 1 || m.ToolCalls[0].Name != "search_tools" || !strings.Contains(m.ToolCalls[0].Arguments, question) {
		t.Fatalf("called %v, want search_tools", m.ToolCalls)
	}
	req.Messages = append(req.Messages, m, model.Message{Role: model.ToolRole, ToolCallID: m.ToolCalls[0].ID, Content: `{"tools":[]}`})
	if got := complete(t, req).Message.ToolCalls; len(got) != 1 || got[0].Name != "prices" {
		t.Errorf("without a better tool it called %v, want prices", got)
	}
	req.Tools = append(req.Tools, town("churches", "Heights of churches, by the name of the town."))
	if got := complete(t, req).Message.ToolCalls; len(got) != 1 || got[0].Name != "churches" {
		t.Errorf("with a better tool it called %v, want churches", got)
	}
	req.Tools = req.Tools[1:2]
	req.Messages = req.Messages[:2]
	if got := complete(t, req).Message.ToolCalls; len(got) != 1 || got[0].Name != "search_tools" {
		t.Errorf("without any table it called %v, want search_tools", got)
	}
}

// In the text protocol, tools that were found are only in the result of search_tools, and in no other result.
func TestFoundToolsInText(t *testing.T) {
	line := func(s model.ToolSpec) string {
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	churches := line(town("churches", "Heights of churches, by the name of the town."))
	for called, want := range map[string]string{"search_tools": "churches", "prices": "search_tools"} {
		req := model.Request{Messages: []model.Message{
			{Role: model.System, Content: "Thought: …\nAction: …\nAction Input: …\nFinal: …\n" + line(finder) + "\n" + line(town("prices", "Prices."))},
			{Role: model.User, Content: "How tall is the church of Arden Cross?"},
			{Role: model.Assistant, Content: "Thought: Search.\nAction: " + called + "\nAction Input: {\"entry\": \"x\"}"},
			{Role: model.User, Content: `Observation: {"tools":[` + churches + `]}`},
		}}
		if got := complete(t, req).Message.Content; !strings.Contains(got, "Action: "+want+"\n") {
			t.Errorf("after a result of %s, the model wrote %q, want a call of %s", called, got, want)
		}
	}
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
