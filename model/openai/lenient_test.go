package openai_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

// A good reply is not lost if fields have other types than documented, or calls are in another place.
func TestRepliesThatDeviate(t *testing.T) {
	const calls = `[{"id": 7, "index": "0", "function": {"name": "f", "arguments": "{\"a\":1}"}}]`
	one := []model.ToolCall{{ID: "7", Name: "f", Arguments: `{"a":1}`}}
	ten := model.Usage{InputTokens: 10, OutputTokens: 5}
	for _, c := range []struct {
		name, body string
		content    string
		thought    string
		calls      []model.ToolCall
		usage      model.Usage
	}{
		{"ids as numbers", `{"choices": [{"message": {"tool_calls": ` + calls + `}}]}`, "", "", one, model.Usage{}},
		{"a call of the older form", `{"choices": [{"message": {"function_call": {"name": "f", "arguments": "{}"}}}]}`, "", "", []model.ToolCall{{Name: "f", Arguments: "{}"}}, model.Usage{}},
		{"a call in the second choice", `{"choices": [{"message": {"content": "a"}}, {"message": {"content": "b", "tool_calls": ` + calls + `}}]}`, "a", "", one, model.Usage{}},
		{"calls in both choices", `{"choices": [{"message": {"tool_calls": ` + calls + `}}, {"message": {"tool_calls": [{"id": "x", "function": {"name": "g"}}]}}]}`, "", "", one, model.Usage{}},
		{"reasoning details", `{"choices": [{"message": {"content": "a", "reasoning_details": [{"text": "b"}, {"data": "x"}, {"summary": "c"}]}}]}`, "a", "bc", nil, model.Usage{}},
		{"usage of fractions", `{"choices": [{"message": {"content": "a"}}], "usage": {"prompt_tokens": 10.0, "completion_tokens": 5e0}}`, "a", "", nil, ten},
		{"usage of texts", `{"choices": [{"message": {"content": "a"}}], "usage": {"prompt_tokens": "10", "completion_tokens": "5"}}`, "a", "", nil, ten},
		{"details as lists", `{"choices": [{"message": {"content": "a"}}], "usage": {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": [], "completion_tokens_details": []}}`, "a", "", nil, ten},
		{"usage of no form", `{"choices": [{"message": {"content": "a"}}], "usage": "much"}`, "a", "", nil, model.Usage{}},
		{"an empty error", `{"error": {}, "choices": [{"message": {"content": "a"}}]}`, "a", "", nil, model.Usage{}},
	} {
		r, err := at(t, wiretest.Respond(200, "application/json", c.body)).Complete(context.Background(), question)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if r.Message.Content != c.content || r.Message.Thought != c.thought || r.Usage != c.usage {
			t.Errorf("%s: %+v", c.name, r)
		}
		if diff := cmp.Diff(c.calls, r.Message.ToolCalls); diff != "" {
			t.Errorf("%s: calls (-want +got):\n%s", c.name, diff)
		}
	}
}

// A stream that was not requested is read, too. Calls with the same index are kept separate.
func TestStreamsThatDeviate(t *testing.T) {
	const stop = `data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}` + "\n\ndata: [DONE]\n\n"
	piece := func(calls string) string {
		return `data: {"choices": [{"index": 0, "delta": {"tool_calls": [` + calls + `]}}]}` + "\n\n"
	}
	for _, c := range []struct{ name, body, want string }{
		{"two calls under one index", piece(`{"index": 0, "function": {"name": "f", "arguments": "{\"a\":1}"}}`) + piece(`{"index": 0, "function": {"name": "f", "arguments": "{\"a\":2}"}}`) + stop, `f{"a":1} f{"a":2}`},
		{"and one id", piece(`{"index": 0, "id": "f", "function": {"name": "f", "arguments": "{\"a\":1}"}}`) + piece(`{"index": 0, "id": "f", "function": {"name": "f", "arguments": "{\"a\":2}"}}`) + stop, `f{"a":1} f{"a":2}`},
		{"a name in each piece", piece(`{"index": 0, "id": "x", "function": {"name": "f", "arguments": "{\"a\""}}`) + piece(`{"index": 0, "id": "x", "function": {"name": "f", "arguments": ":1}"}}`) + stop, `f{"a":1}`},
		{"an index as a text", piece(`{"index": "0", "function": {"name": "f", "arguments": "{}"}}`) + stop, "f{}"},
		{"a call in the second choice", `data: {"choices": [{"index": 0, "delta": {"content": "a"}}]}` + "\n\n" + `data: {"choices": [{"index": 1, "delta": {"tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}}]}` + "\n\n" + stop, "f{}"},
		{"a message for a delta", `data: {"choices": [{"index": 0, "message": {"tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}}]}` + "\n\n" + stop, "f{}"},
	} {
		r, err := at(t, wiretest.Respond(200, "text/event-stream", c.body)).Complete(context.Background(), question)
		var got []string
		for _, call := range r.Message.ToolCalls {
			got = append(got, call.Name+call.Arguments)
		}
		if s := strings.Join(got, " "); err != nil || s != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, s, err, c.want)
		}
	}
}

// A reply that the endpoint broke off, or that contains an error, is a failure and not an answer.
func TestRepliesThatFailed(t *testing.T) {
	const part = `"message": {"content": "Answer: 5"}`
	for name, body := range map[string]string{
		"error":             `{"choices": [{` + part + `, "finish_reason": "error"}]}`,
		"upper case":        `{"choices": [{` + part + `, "finish_reason": "ABORT"}]}`,
		"in the choice":     `{"choices": [{` + part + `, "finish_reason": "stop", "error": {"code": 502, "message": "upstream died"}}]}`,
		"beside the choice": `{"choices": [{` + part + `}], "error": {"code": 502, "message": "upstream died"}}`,
		"without envelope":  `{"object": "error", "message": "engine died", "type": "InternalServerError"}`,
	} {
		_, err := at(t, wiretest.Respond(200, "application/json", body)).Complete(context.Background(), question)
		if model.KindOf(err) != model.ErrUnavailable || err == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, event := range map[string]string{
		"error event":    "event: error\ndata: {\"message\": \"overloaded\", \"type\": \"server_error\"}\n\n",
		"finish":         `data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "abort"}]}` + "\n\n",
		"choice's error": `data: {"choices": [{"index": 0, "delta": {}, "error": {"message": "died"}}]}` + "\n\n",
	} {
		body := `data: {"choices": [{"index": 0, "delta": {"content": "Answer: 5"}}]}` + "\n\n" + event + "data: [DONE]\n\n"
		_, err := at(t, wiretest.Respond(200, "text/event-stream", body)).Complete(context.Background(), question)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// If the server could not read a call of the model, the model's text is the reply, so that the agent can ask
// again.
func TestARefusedCallIsTheModelsFault(t *testing.T) {
	body := `{"error": {"message": "Failed to call a function.", "code": "tool_use_failed", "failed_generation": "<function=f{}"}}`
	r, err := at(t, wiretest.Respond(400, "application/json", body)).Complete(context.Background(), question)
	if err != nil || r.Finish != model.FinishMalformedCall || r.Message.Content != "<function=f{}" {
		t.Errorf("%+v, %v", r, err)
	}
}
