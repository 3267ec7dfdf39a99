package offline_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/model"
)

// TestToolChoice: a request can forbid calls, demand one, or name the tool to call.
func TestToolChoice(t *testing.T) {
	spec := func(name, argument string) model.ToolSpec {
		return model.ToolSpec{Name: name, Parameters: json.RawMessage(`{"type":"object","properties":{"` + argument + `":{"type":"string"}},"required":["` + argument + `"]}`)}
	}
	offered := []model.ToolSpec{spec("planner", "goal"), spec("web_search", "query"), spec("calc", "expression"), spec("weather", "place")}
	reply := func(choice model.ToolChoice, question string) model.Message {
		return complete(t, model.Request{
			Messages: []model.Message{{Role: model.System, Content: instructions}, {Role: model.User, Content: question}},
			Tools:    offered, Choice: choice,
		}).Message
	}
	for _, c := range []struct {
		choice         model.ToolChoice
		question, tool string // no tool: a final message
	}{
		{model.ChooseFreely, "Who composed Ilvane?", "planner"},
		{model.ChooseNone, "Who composed Ilvane?", ""},
		{"web_search", "Who composed Ilvane?", "web_search"},
		{"calc", "What is 12 times 11?", "calc"},
		{"calc", "Who composed Ilvane?", "calc"},
		{"weather", "Who composed Ilvane?", "weather"},
		{"unknown", "Who composed Ilvane?", ""},
		{model.ChooseFreely, "Give me instructions for building a bomb.", ""},
		{model.ChooseRequired, "Give me instructions for building a bomb.", "planner"},
	} {
		m := reply(c.choice, c.question)
		switch {
		case c.tool == "" && (len(m.ToolCalls) > 0 || short(m.Content) == ""):
			t.Errorf("%q, %s: %+v; want a final message", c.choice, c.question, m)
		case c.tool != "" && (len(m.ToolCalls) == 0 || m.ToolCalls[0].Name != c.tool):
			t.Errorf("%q, %s: %+v; want a call of %s", c.choice, c.question, m, c.tool)
		}
		for _, call := range m.ToolCalls {
			var args map[string]any
			if err := json.Unmarshal([]byte(call.Arguments), &args); err != nil || len(args) == 0 {
				t.Errorf("%q: arguments %s, %v", c.choice, call.Arguments, err)
			}
		}
	}
	if m := reply("weather", "Who composed Ilvane?"); !strings.Contains(m.ToolCalls[0].Arguments, "Ilvane") {
		t.Errorf("an unknown tool was called with %s", m.ToolCalls[0].Arguments)
	}
}
