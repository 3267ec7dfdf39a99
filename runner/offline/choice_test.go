package offline_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
)

// TestToolChoice checks that a request can forbid calls, demand a call, or name the tool to call.
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
		question, tool string // "" means no call, but a final message
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

// withArguments returns a tool with text arguments of these names.
func withArguments(name string, arguments ...string) model.ToolSpec {
	var properties []string
	for _, a := range arguments {
		properties = append(properties, `"`+a+`":{"type":"string"}`)
	}
	required, _ := json.Marshal(arguments)
	return model.ToolSpec{Name: name, Parameters: json.RawMessage(`{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":` + string(required) + `}`)}
}

// TestExplains checks that, if the model must explain itself, it announces the tool that it then calls, or
// that it will answer, and that its decision is the same as without an explanation.
func TestExplains(t *testing.T) {
	offered := []model.ToolSpec{withArguments("explain", "plan", "tool", "reason"), withArguments("web_search", "query")}
	first := []model.Message{{Role: model.System, Content: instructions}, {Role: model.User, Content: "Who composed Ilvane?"}}
	reply := func(choice model.ToolChoice, messages ...model.Message) model.ToolCall {
		t.Helper()
		m := complete(t, model.Request{Messages: append(first[:2:2], messages...), Tools: offered, Choice: choice}).Message
		if len(m.ToolCalls) != 1 {
			t.Fatalf("%+v; want one call", m)
		}
		return m.ToolCalls[0]
	}
	free, explained := reply(""), reply("explain")
	if explained.Name != "explain" || !strings.Contains(explained.Arguments, `"tool":"web_search"`) {
		t.Errorf("explanation %+v", explained)
	}
	then := reply("", model.Message{Role: model.Assistant, ToolCalls: []model.ToolCall{explained}},
		model.Message{Role: model.ToolRole, ToolCallID: explained.ID, Content: "Noted."})
	if free.Name != "web_search" || then.Name != free.Name || then.Arguments != free.Arguments || then.ID == explained.ID {
		t.Errorf("explained, it calls %+v; else %+v", then, free)
	}
	offered = offered[:1]
	if last := reply("explain"); !strings.Contains(last.Arguments, `"tool":"none"`) {
		t.Errorf("without a tool it announces %s", last.Arguments)
	}
}

// TestDelegates checks that, without a search, the model gives look-ups to the first agent, and reads the
// documents in its reply.
func TestDelegates(t *testing.T) {
	agent := withArguments("helper", "task", "context", "reason")
	request := model.Request{
		Messages: []model.Message{{Role: model.System, Content: instructions}, {Role: model.User, Content: "Who composed Ilvane?"}},
		Tools:    []model.ToolSpec{agent},
	}
	calls := complete(t, request).Message.ToolCalls
	if len(calls) != 1 || calls[0].Name != "helper" || !strings.Contains(calls[0].Arguments, "Ilvane") {
		t.Fatalf("%+v; want a call of the helper", calls)
	}
	request.Messages = append(request.Messages, model.Message{Role: model.Assistant, ToolCalls: calls}, model.Message{Role: model.ToolRole, ToolCallID: calls[0].ID,
		Content: `{"answer":"x","message":"","outcome":"answered","results":[{"id":"corpus_1","title":"Ilvane","snippet":"The opera Ilvane was composed by Tova Merrin.","source":"s","score":1}]}`})
	if m := complete(t, request).Message; short(m.Content) != "Tova Merrin" {
		t.Errorf("answer %q", m.Content)
	}
	request.Messages, request.Tools = request.Messages[:2], append(request.Tools, withArguments("web_search", "query"))
	if calls := complete(t, request).Message.ToolCalls; len(calls) != 1 || calls[0].Name != "web_search" {
		t.Errorf("%+v; want its own search", calls)
	}
}
