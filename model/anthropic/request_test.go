package anthropic_test

import (
	"encoding/json"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/anthropic"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

var conversation = []model.Message{
	{Role: model.System, Content: "be exact"},
	{Role: model.System, Content: "be <brief>"},
	{Role: model.User, Content: "q"},
	{Role: model.Assistant, Content: "I look.", ToolCalls: []model.ToolCall{
		{ID: "c1", Name: "calc", Arguments: `{"e": 1.50}`}, {ID: "c2", Name: "calc", Arguments: `{"e": `}, {ID: "c3", Name: "now"},
	}},
	{Role: model.ToolRole, ToolCallID: "c2", Content: "ERROR: bad_tool_arguments(calc)"},
	{Role: model.ToolRole, ToolCallID: "c1", Content: "1.5"},
	{Role: model.ToolRole, ToolCallID: "c3", Content: " "},
	{Role: model.User, Content: "go on"},
	{Role: model.User, Content: "\n"},
	{Role: model.Assistant, Content: ""},
	{Role: model.User, Content: "well?"},
}

const conversationOnTheWire = `[
 {"role": "user", "content": [{"type": "text", "text": "q"}]},
 {"role": "assistant", "content": [
  {"type": "text", "text": "I look."},
  {"type": "tool_use", "id": "c1", "name": "calc", "input": {"e": 1.50}},
  {"type": "tool_use", "id": "c2", "name": "calc", "input": {"arguments": "{\"e\": "}},
  {"type": "tool_use", "id": "c3", "name": "now", "input": {}}]},
 {"role": "user", "content": [
  {"type": "tool_result", "tool_use_id": "c2", "content": "ERROR: bad_tool_arguments(calc)", "is_error": true},
  {"type": "tool_result", "tool_use_id": "c1", "content": "1.5"},
  {"type": "tool_result", "tool_use_id": "c3", "content": "(no output)"},
  {"type": "text", "text": "go on"},
  {"type": "text", "text": "well?"}]}
]`

const systemOnTheWire = `[{"type": "text", "text": "be exact"}, {"type": "text", "text": "be <brief>", "cache_control": {"type": "ephemeral"}}]`

func TestTheWire(t *testing.T) {
	calc := model.ToolSpec{Name: "calc", Description: "d", Parameters: model.RawSchema(`{"type":"object","required":["e"]}`)}
	verdict := &model.ResponseSchema{Name: "verdict", Schema: model.RawSchema(`{"type":"object"}`)}
	const mark = `"cache_control": {"type": "ephemeral"}`
	const verdictTool = `{"name": "verdict", "description": "Gives the reply. Call it with the whole of your reply.", "input_schema": {"type": "object"}, ` + mark + `}`
	const unmarked = `{"name": "calc", "description": "d", "input_schema": {"type": "object", "required": ["e"]}}`
	const calcTool = `{"name": "calc", "description": "d", "input_schema": {"type": "object", "required": ["e"]}, ` + mark + `}`
	calcs := []model.ToolSpec{calc}
	ask := func(change func(*model.Request)) model.Request {
		r := model.Request{Messages: question.Messages}
		change(&r)
		return r
	}
	const least = `"model": "m", "max_tokens": 4096, "messages": [{"role": "user", "content": [{"type": "text", "text": "q"}]}]`
	for _, c := range []struct {
		name string
		o    anthropic.Options
		req  model.Request
		want string
	}{
		{"least", anthropic.Options{}, question, `{` + least + `, "temperature": 0}`},
		{"all", anthropic.Options{MaxTokens: 77}, model.Request{
			Messages: conversation, Temperature: 0.5, Seed: 7, Stop: []string{"\nObservation:"},
			Tools: []model.ToolSpec{{Name: "now"}, calc},
		}, `{"model": "m", "max_tokens": 77, "temperature": 0.5, "stop_sequences": ["\nObservation:"],
		 "system": ` + systemOnTheWire + `, "messages": ` + conversationOnTheWire + `,
		 "tools": [{"name": "now", "input_schema": {"type": "object", "properties": {}}},
		  {"name": "calc", "description": "d", "input_schema": {"type": "object", "required": ["e"]}, ` + mark + `}]}`},
		{"a last turn without tools", anthropic.Options{}, model.Request{Messages: conversation}, `{"model": "m", "max_tokens": 4096, "temperature": 0,
		 "system": ` + systemOnTheWire + `, "messages": ` + conversationOnTheWire + `,
		 "tools": [{"name": "calc", "input_schema": {"type": "object", "properties": {}}}, {"name": "now", "input_schema": {"type": "object", "properties": {}}, ` + mark + `}],
		 "tool_choice": {"type": "none"}}`},
		{"hot", anthropic.Options{}, ask(func(r *model.Request) { r.Temperature = 1.7 }), `{` + least + `, "temperature": 1}`},
		{"cold", anthropic.Options{}, ask(func(r *model.Request) { r.Temperature = -1 }), `{` + least + `, "temperature": 0}`},
		{"a model that thinks", anthropic.Options{NoTemperature: true, Thinking: json.RawMessage(`{"type": "adaptive"}`)},
			ask(func(r *model.Request) { r.Temperature, r.MaxTokens = 0.7, 256 }), `{` + least + `, "thinking": {"type": "adaptive"}}`},
		{"a short reply", anthropic.Options{}, ask(func(r *model.Request) { r.MaxTokens = 256 }), `{` + strings.Replace(least, "4096", "256", 1) + `, "temperature": 0}`},
		{"a long reply", anthropic.Options{}, ask(func(r *model.Request) { r.MaxTokens = 9000 }), `{` + strings.Replace(least, "4096", "9000", 1) + `, "temperature": 0}`},
		{"no more than the model's", anthropic.Options{MaxTokens: 4096}, ask(func(r *model.Request) { r.MaxTokens = 9000 }), `{` + least + `, "temperature": 0}`},
		{"nothing invented", anthropic.Options{}, ask(func(r *model.Request) { r.Temperature, r.NoTemperature, r.NoSeed = 1, true, true }), `{` + least + `}`},
		{"further settings", anthropic.Options{Thinking: json.RawMessage(`{"type": "adaptive"}`)}, ask(func(r *model.Request) {
			r.MaxTokens, r.Extra = 256, map[string]json.RawMessage{"top_k": json.RawMessage(`40`), "top_p": json.RawMessage(`0.90`), "thinking": json.RawMessage(`{"type": "disabled"}`)}
		}), `{` + strings.Replace(least, "4096", "256", 1) + `, "temperature": 0, "top_k": 40, "top_p": 0.90, "thinking": {"type": "disabled"}}`},
		{"never in place of another", anthropic.Options{}, ask(func(r *model.Request) { r.Extra = map[string]json.RawMessage{"max_tokens": json.RawMessage("1")} }), `{` + least + `, "temperature": 0}`},
		{"no call", anthropic.Options{}, ask(func(r *model.Request) { r.Tools, r.Choice, r.SingleCall = calcs, model.ChooseNone, true }),
			`{` + least + `, "temperature": 0, "tools": [` + calcTool + `], "tool_choice": {"type": "none"}}`},
		{"a call", anthropic.Options{}, ask(func(r *model.Request) { r.Tools, r.Choice = calcs, model.ChooseRequired }),
			`{` + least + `, "temperature": 0, "tools": [` + calcTool + `], "tool_choice": {"type": "any"}}`},
		{"a call of one tool", anthropic.Options{}, ask(func(r *model.Request) { r.Tools, r.Choice = calcs, "calc" }),
			`{` + least + `, "temperature": 0, "tools": [` + calcTool + `], "tool_choice": {"type": "tool", "name": "calc"}}`},
		{"one call at most", anthropic.Options{}, ask(func(r *model.Request) { r.Tools, r.SingleCall = calcs, true }),
			`{` + least + `, "temperature": 0, "tools": [` + calcTool + `], "tool_choice": {"type": "auto", "disable_parallel_tool_use": true}}`},
		{"just one call", anthropic.Options{}, ask(func(r *model.Request) { r.Tools, r.Choice, r.SingleCall = calcs, model.ChooseRequired, true }),
			`{` + least + `, "temperature": 0, "tools": [` + calcTool + `], "tool_choice": {"type": "any", "disable_parallel_tool_use": true}}`},
		{"one call of no tools", anthropic.Options{}, ask(func(r *model.Request) { r.SingleCall = true }), `{` + least + `, "temperature": 0}`},
		{"no call of no tools", anthropic.Options{}, ask(func(r *model.Request) { r.Choice = model.ChooseNone }), `{` + least + `, "temperature": 0}`},
		{"a form and no call", anthropic.Options{}, ask(func(r *model.Request) { r.Schema, r.Tools, r.Choice = verdict, calcs, model.ChooseNone }),
			`{` + least + `, "temperature": 0, "tools": [` + unmarked + `, ` + verdictTool + `], "tool_choice": {"type": "tool", "name": "verdict", "disable_parallel_tool_use": true}}`},
		{"a form beside one call at most", anthropic.Options{}, ask(func(r *model.Request) { r.Schema, r.Tools, r.SingleCall = verdict, calcs, true }),
			`{` + least + `, "temperature": 0, "tools": [` + unmarked + `, ` + verdictTool + `], "tool_choice": {"type": "any", "disable_parallel_tool_use": true}}`},
		{"a call rather than a form", anthropic.Options{}, ask(func(r *model.Request) { r.Schema, r.Tools, r.Choice = verdict, calcs, "calc" }),
			`{` + least + `, "temperature": 0, "tools": [` + calcTool + `], "tool_choice": {"type": "tool", "name": "calc"}}`},
		{"a form", anthropic.Options{}, ask(func(r *model.Request) { r.Schema = verdict }),
			`{` + least + `, "temperature": 0, "tools": [` + verdictTool + `], "tool_choice": {"type": "tool", "name": "verdict", "disable_parallel_tool_use": true}}`},
		{"a form beside tools", anthropic.Options{}, ask(func(r *model.Request) { r.Schema, r.Tools = verdict, []model.ToolSpec{calc} }),
			`{` + least + `, "temperature": 0, "tools": [{"name": "calc", "description": "d", "input_schema": {"type": "object", "required": ["e"]}}, ` + verdictTool + `], "tool_choice": {"type": "any", "disable_parallel_tool_use": true}}`},
		{"a tool unforced", anthropic.Options{NoForcedTool: true}, ask(func(r *model.Request) { r.Tools, r.Choice = calcs, "calc" }),
			`{` + least + `, "temperature": 0, "tools": [` + calcTool + `]}`},
		{"no tool, where one cannot be forced", anthropic.Options{NoForcedTool: true}, ask(func(r *model.Request) { r.Tools, r.Choice = calcs, model.ChooseNone }),
			`{` + least + `, "temperature": 0, "tools": [` + calcTool + `], "tool_choice": {"type": "none"}}`},
		{"a form unforced", anthropic.Options{NoForcedTool: true}, ask(func(r *model.Request) { r.Schema = verdict }),
			`{` + least + `, "temperature": 0, "output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := wire(t, c.o, c.req)
			if diff := cmp.Diff(parse(t, c.want), parse(t, got)); diff != "" {
				t.Error(diff)
			}
			if strings.Contains(got, `\u003c`) {
				t.Errorf("%s escapes what need not be", got)
			}
		})
	}
}

func TestRequestsThatCannotBeSent(t *testing.T) {
	m := newModel(t, anthropic.Options{Transport: wiretest.Transport(func(*http.Request) (*http.Response, error) {
		t.Error("a request was sent")
		return wiretest.OK(""), nil
	})})
	user := model.Message{Role: model.User, Content: "q"}
	use := func(ids ...string) model.Message {
		m := model.Message{Role: model.Assistant}
		for _, id := range ids {
			m.ToolCalls = append(m.ToolCalls, model.ToolCall{ID: id, Name: "f"})
		}
		return m
	}
	result := func(id string) model.Message {
		return model.Message{Role: model.ToolRole, ToolCallID: id, Content: "1"}
	}
	talk := func(m ...model.Message) model.Request {
		return model.Request{Messages: append([]model.Message{user}, m...)}
	}
	for _, c := range []struct {
		req  model.Request
		says string
	}{
		{model.Request{}, "question"},
		{model.Request{Messages: []model.Message{{Role: model.System, Content: "s"}, {Role: model.User, Content: " "}}}, "question"},
		{model.Request{Messages: []model.Message{{Role: "wizard"}}}, `"wizard"`},
		{talk(use("a")), "no answer"},
		{talk(use("a"), user), "message 2"},
		{talk(use("a"), use("b"), result("a"), result("b")), "no answer"},
		{talk(use("a", "b"), result("a"), user, result("b")), "no answer"},
		{talk(use("a"), result("a"), result("a")), "already has a result"},
		{talk(result("a")), "did not make"},
		{talk(use("a", "a"), result("a")), "taken"},
		{talk(use(""), result("")), "empty"},
		{model.Request{Messages: question.Messages, Tools: []model.ToolSpec{{Name: "calc", Parameters: model.RawSchema(`{`)}}}, `"calc"`},
		{model.Request{Messages: question.Messages, Schema: &model.ResponseSchema{Name: "verdict"}}, `"verdict"`},
		{model.Request{Messages: question.Messages, Tools: []model.ToolSpec{{Name: "v"}}, Schema: &model.ResponseSchema{Name: "v", Schema: model.RawSchema(`{}`)}}, "same name"},
		{model.Request{Messages: question.Messages, Tools: []model.ToolSpec{{Name: "v"}}, Choice: "v", Schema: &model.ResponseSchema{Name: "v", Schema: model.RawSchema(`{}`)}}, "same name"},
		{model.Request{Messages: question.Messages, Choice: model.ChooseRequired}, "the request offers none"},
		{model.Request{Messages: question.Messages, Choice: "calc"}, "the request offers none"},
		{model.Request{Messages: question.Messages, Choice: "calc", Tools: []model.ToolSpec{{Name: "now"}}}, `"calc"`},
		{model.Request{Messages: question.Messages, Temperature: math.NaN()}, "temperature"},
		{model.Request{Messages: question.Messages, Temperature: math.Inf(1)}, "temperature"},
	} {
		_, err := m.Complete(t.Context(), c.req)
		checkError(t, err, model.ErrBadRequest)
		if !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v lacks %s", err, c.says)
		}
	}
}
