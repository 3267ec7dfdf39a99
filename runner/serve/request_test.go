package serve_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/serve"
)

func TestRequestArrivesWhole(t *testing.T) {
	const body = `{
	 "model": "m", "temperature": 0, "seed": 7, "stop": ["a", "b"], "user": "x", "n": 1, "store": true, "metadata": {"a": "b"}, "top_p": 0.90, "reasoning_effort": "low", "presence_penalty": 0, "logit_bias": {}, "min_p": 0.1, "stream": false, "stream_options": null,
	 "messages": [
	  {"role": "developer", "content": "be exact"},
	  {"role": "user", "content": [{"type": "text", "text": "one "}, {"type": "text", "text": "two"}]},
	  {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "calc", "arguments": "{\"e\": 1"}}]},
	  {"role": "tool", "tool_call_id": "c1", "name": "calc", "content": ""},
	  {"role": "assistant", "content": null, "refusal": "I will not."},
	  {"role": "user", "name": "eve", "content": "why"},
	  {"role": "assistant", "name": "planner", "content": [{"type": "refusal", "refusal": "No"}, {"type": "text", "text": "."}]},
	  {"role": "assistant"}
	 ],
	 "tools": [{"type": "function", "function": {"name": "calc", "description": "d", "parameters": {"type": "object", "required": ["e"]}}},
	           {"type": "function", "function": {"name": "bare", "strict": true}}],
	 "tool_choice": "auto", "max_tokens": 256, "parallel_tool_calls": true,
	 "response_format": {"type": "json_schema", "json_schema": {"name": "verdict", "strict": true, "schema": {"type": "object"}}}
	}`
	want := model.Request{
		Messages: []model.Message{
			{Role: model.System, Content: "be exact"},
			{Role: model.User, Content: "one two"},
			{Role: model.Assistant, ToolCalls: []model.ToolCall{{ID: "c1", Name: "calc", Arguments: `{"e": 1`}}},
			{Role: model.ToolRole, ToolCallID: "c1"},
			{Role: model.Assistant, Content: "I will not."},
			{Role: model.User, Name: "eve", Content: "why"},
			{Role: model.Assistant, Name: "planner", Content: "No."},
			{Role: model.Assistant},
		},
		Tools: []model.ToolSpec{
			{Name: "calc", Description: "d", Parameters: model.RawSchema(`{"type": "object", "required": ["e"]}`)},
			{Name: "bare", Parameters: model.RawSchema(`{"type":"object","properties":{}}`), Strict: true},
		},
		Extra: map[string]json.RawMessage{"top_p": json.RawMessage(`0.90`), "reasoning_effort": json.RawMessage(`"low"`), "min_p": json.RawMessage(`0.1`)},
		Seed:  7, Stop: []string{"a", "b"}, MaxTokens: 256,
		Schema: &model.ResponseSchema{Name: "verdict", Schema: model.RawSchema(`{"type": "object"}`)},
	}
	var got model.Request
	h := serve.Handler(fake(func(_ context.Context, req model.Request) (model.Response, error) {
		got = req
		return model.Response{}, nil
	}), "m")
	if w := send(h, http.MethodPost, chatPath, body); w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDefaults(t *testing.T) {
	var got model.Request
	h := serve.Handler(fake(func(_ context.Context, req model.Request) (model.Response, error) {
		got = req
		return model.Response{}, nil
	}), "")
	bare := []model.ToolSpec{{Name: "t", Parameters: model.RawSchema(`{"type":"object","properties":{}}`)}}
	for _, c := range []struct {
		more string
		want model.Request
	}{
		{``, model.Request{NoTemperature: true, NoSeed: true, Temperature: 1}},
		{`, "temperature": null, "seed": null, "stop": null, "tools": null, "response_format": null, "top_p": null`, model.Request{NoTemperature: true, NoSeed: true, Temperature: 1}},
		{`, "stop": "end", "response_format": {"type": "text"}`, model.Request{NoTemperature: true, NoSeed: true, Temperature: 1, Stop: []string{"end"}}},
		{`, "max_completion_tokens": 7, "max_tokens": 9`, model.Request{NoTemperature: true, NoSeed: true, Temperature: 1, MaxTokens: 7}},
		{`, "seed": 0, "temperature": 0`, model.Request{}},
		{`, "response_format": {"type": "json_object"}`, model.Request{
			NoTemperature: true, NoSeed: true, Temperature: 1, Extra: map[string]json.RawMessage{"response_format": json.RawMessage(`{"type":"json_object"}`)},
		}},
		{`, "response_format": {"type": "json_schema", "json_schema": {"name": "v", "description": "d", "schema": {}}}`, model.Request{
			NoTemperature: true, NoSeed: true, Temperature: 1, Schema: &model.ResponseSchema{Name: "v", Description: "d", Schema: model.RawSchema(`{}`), Lax: true},
		}},
		{`, "tools": [{"type": "function", "function": {"name": "t"}}], "tool_choice": "none"`, model.Request{NoTemperature: true, NoSeed: true, Temperature: 1, Choice: model.ChooseNone, Tools: bare}},
		{`, "tools": [{"type": "function", "function": {"name": "t"}}], "tool_choice": "required"`, model.Request{NoTemperature: true, NoSeed: true, Temperature: 1, Choice: model.ChooseRequired, Tools: bare}},
		{`, "tools": [{"type": "function", "function": {"name": "t"}}], "tool_choice": {"type": "function", "function": {"name": "t"}}`, model.Request{NoTemperature: true, NoSeed: true, Temperature: 1, Choice: "t", Tools: bare}},
	} {
		body := `{"model": "any", "messages": [{"role": "user", "content": "q"}]` + c.more + `}`
		if w := send(h, http.MethodPost, chatPath, body); w.Code != http.StatusOK {
			t.Fatalf("%s: status %d: %s", c.more, w.Code, w.Body)
		}
		c.want.Messages = []model.Message{{Role: model.User, Content: "q"}}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.more, diff)
		}
	}
}

func TestRefusedRequests(t *testing.T) {
	reached := fake(func(context.Context, model.Request) (model.Response, error) {
		t.Error("the model was asked")
		return model.Response{}, nil
	})
	h := serve.Handler(reached, "m")
	with := func(more string) string {
		return `{"model": "m", "messages": [{"role": "user", "content": "q"}]` + more + `}`
	}
	messages := func(list string) string { return `{"model": "m", "messages": [` + list + `]}` }
	for _, c := range []struct {
		name, body string
		status     int
		param      string
	}{
		{"empty", ``, 400, ""},
		{"no JSON", `{"model"`, 400, ""},
		{"an array", `[]`, 400, ""},
		{"null", `null`, 400, "model"},
		{"more than an object", with("") + "x", 400, ""},
		{"wrong type", `{"model": 3}`, 400, "model"},
		{"no model", `{"messages": [{"role": "user", "content": "q"}]}`, 400, "model"},
		{"another model", `{"model": "n", "messages": [{"role": "user", "content": "q"}]}`, 404, "model"},
		{"no messages", `{"model": "m"}`, 400, "messages"},
		{"empty messages", messages(``), 400, "messages"},
		{"unknown role", messages(`{"role": "wizard", "content": "q"}`), 400, "messages[0].role"},
		{"no role", messages(`{"content": "q"}`), 400, "messages[0].role"},
		{"image", messages(`{"role": "user", "content": [{"type": "image_url"}]}`), 400, "messages[0].content"},
		{"content of a number", messages(`{"role": "user", "content": 3}`), 400, "messages[0].content"},
		{"tool without id", messages(`{"role": "tool", "content": "q"}`), 400, "messages[0].tool_call_id"},
		{"user with id", messages(`{"role": "user", "tool_call_id": "c", "content": "q"}`), 400, "messages[0].tool_call_id"},
		{"user with calls", messages(`{"role": "user", "tool_calls": [{"id": "c"}]}`), 400, "messages[0].tool_calls"},
		{"custom call", messages(`{"role": "assistant", "tool_calls": [{"id": "c", "type": "custom"}]}`), 400, "messages[0].tool_calls"},
		{"function_call", messages(`{"role": "assistant", "function_call": {}}`), 400, "messages[0].function_call"},
		{"stream of a text", with(`, "stream": "yes"`), 400, "stream"},
		{"stream options", with(`, "stream": true, "stream_options": 3`), 400, "stream_options"},
		{"streamed several", with(`, "stream": true, "n": 2`), 400, "n"},
		{"cold", with(`, "temperature": -1`), 400, "temperature"},
		{"hot", with(`, "temperature": 2.1`), 400, "temperature"},
		{"seed", with(`, "seed": 1.5`), 400, "seed"},
		{"stop", with(`, "stop": {}`), 400, "stop"},
		{"several", with(`, "n": 2`), 400, "n"},
		{"max_tokens", with(`, "max_tokens": 0`), 400, "max_tokens"},
		{"max_completion_tokens", with(`, "max_completion_tokens": -1`), 400, "max_completion_tokens"},
		{"logprobs", with(`, "logprobs": true`), 400, "logprobs"},
		{"required of none", with(`, "tool_choice": "required"`), 400, "tool_choice"},
		{"unknown forced tool", with(`, "tool_choice": {"type": "function", "function": {"name": "f"}}`), 400, "tool_choice"},
		{"unknown choice", with(`, "tool_choice": {"type": "allowed_tools"}`), 400, "tool_choice"},
		{"custom tool", with(`, "tools": [{"type": "custom"}]`), 400, "tools"},
		{"nameless tool", with(`, "tools": [{"type": "function"}]`), 400, "tools"},
		{"no schema", with(`, "tools": [{"type": "function", "function": {"name": "t", "parameters": []}}]`), 400, "tools"},
		{"unknown format", with(`, "response_format": {"type": "xml"}`), 400, "response_format"},
		{"format without schema", with(`, "response_format": {"type": "json_schema"}`), 400, "response_format"},
		{"long", `"` + strings.Repeat(" ", 16<<20), 413, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := send(h, http.MethodPost, chatPath, c.body)
			e := readError(t, w)
			param := ""
			if e.Error.Param != nil {
				param = *e.Error.Param
			}
			if w.Code != c.status || param != c.param {
				t.Errorf("status %d, param %q (%s); want %d, %q", w.Code, param, e.Error.Message, c.status, c.param)
			}
		})
	}
}

func FuzzChat(f *testing.F) {
	f.Add(`{"model":"m","messages":[{"role":"user","content":"q"}]}`)
	f.Add(`{"model":"m","messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{"}}]}],"stop":"x"}`)
	f.Add(`{"model":"m","messages":[{}],"tools":[{"type":"function","function":{"name":"f","parameters":{}}}],"response_format":{"type":"json_schema"}}`)
	f.Add(`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"q"}]}`)
	f.Add(`[`)
	h := serve.Handler(fake(parrot), "m")
	f.Fuzz(func(t *testing.T, body string) {
		w := send(h, http.MethodPost, chatPath, body)
		if w.Code == http.StatusOK && w.Header().Get("Content-Type") == "text/event-stream" {
			joinChat(t, w.Body.String())
			return
		}
		if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
		if w.Code != http.StatusOK {
			readError(t, w)
		}
	})
}
