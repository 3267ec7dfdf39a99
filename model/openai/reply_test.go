package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

// choose returns a reply with one choice, without usage.
func choose(message, finish string) string {
	return `{"model": "m-1", "choices": [{"index": 0, "message": ` + message + `, "finish_reason": ` + finish + `}]}`
}

func callOf(arguments string) string {
	return choose(`{"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "calc"`+arguments+`}}]}`, `"tool_calls"`)
}

func replyOf(content string, finish model.FinishReason) model.Response {
	return model.Response{Message: model.Message{Role: model.Assistant, Content: content}, Finish: finish, Model: "m-1"}
}

func thought(content, thought string) model.Response {
	r := replyOf(content, model.FinishStop)
	r.Message.Thought = thought
	return r
}

func called(arguments string) model.Response {
	r := replyOf("", model.FinishToolCalls)
	r.Message.ToolCalls = []model.ToolCall{{ID: "c1", Name: "calc", Arguments: arguments}}
	return r
}

func TestReplies(t *testing.T) {
	counted := replyOf("a", model.FinishStop)
	counted.Usage = model.Usage{InputTokens: 12, OutputTokens: 3, CachedTokens: 8}
	uncached := counted
	uncached.Usage.CachedTokens = 0
	unnamed := replyOf("a", model.FinishStop)
	unnamed.Model = "m"
	for _, c := range []struct {
		name, body string
		want       model.Response
	}{
		{"no usage", choose(`{"content": "a"}`, `"stop"`), replyOf("a", model.FinishStop)},
		{"null usage", `{"model": "m-1", "usage": null, "choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}`, replyOf("a", model.FinishStop)},
		{"usage", `{"model": "m-1", "usage": {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15, "prompt_tokens_details": {"cached_tokens": 8}}, "choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}`, counted},
		{"usage without details", `{"model": "m-1", "usage": {"prompt_tokens": 12, "completion_tokens": 3, "prompt_tokens_details": null}, "choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}`, uncached},
		{"no model", `{"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}`, unnamed},
		{"foreign fields", `{"id": 7, "created": 1.5e9, "system_fingerprint": {}, "error": null, "model": "m-1", "choices": [{"index": "0", "logprobs": [], "message": {"role": "model", "content": "a", "annotations": 3}, "finish_reason": "stop"}]}`, replyOf("a", model.FinishStop)},
		{"second choice", `{"model": "m-1", "choices": [{"message": {"content": "a"}, "finish_reason": "stop"}, {"message": {"content": "b"}}]}`, replyOf("a", model.FinishStop)},
		{"null content", choose(`{"content": null}`, `"length"`), replyOf("", model.FinishLength)},
		{"parts", choose(`{"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}`, `"stop"`), thought("ab", "hm")},
		{"reasoning", choose(`{"content": "a", "reasoning_content": "hm", "reasoning": "hm"}`, `"stop"`), thought("a", "hm")},
		{"reasoning of OpenRouter", choose(`{"content": "a", "reasoning": "hm", "reasoning_details": [{"text": "hm"}]}`, `"stop"`), thought("a", "hm")},
		{"reasoning of another form", choose(`{"content": "a", "reasoning": {"effort": "low"}, "reasoning_content": null}`, `"stop"`), replyOf("a", model.FinishStop)},
		{"refusal", choose(`{"content": null, "refusal": "I will not."}`, `"content_filter"`), replyOf("I will not.", model.FinishStop)},
		{"refusal beside content", choose(`{"content": "Well.", "refusal": "I will not."}`, `"stop"`), replyOf("Well.\nI will not.", model.FinishStop)},
		{"null refusal", choose(`{"content": "a", "refusal": null}`, `"stop"`), replyOf("a", model.FinishStop)},
		{"filtered", choose(`{"content": ""}`, `"content_filter"`), replyOf("", model.FinishContentFilter)},
		{"unknown finish", choose(`{"content": "a"}`, `"made_up"`), replyOf("a", "made_up")},
		{"null finish", choose(`{"content": "a"}`, `null`), replyOf("a", "")},
		{"finish of Together", choose(`{"content": "a"}`, `"eos"`), replyOf("a", model.FinishStop)},
		{"finish of Mistral", choose(`{"content": "a"}`, `"model_length"`), replyOf("a", model.FinishLength)},
		{"finish of old", choose(`{"content": "a"}`, `"function_call"`), replyOf("a", model.FinishToolCalls)},
		{"arguments", callOf(`, "arguments": "{\"e\": \"1+1\"}"`), called(`{"e": "1+1"}`)},
		{"object", callOf(`, "arguments": {"e": 1.50, "big": 12345678901234567890, "t": "<é>"}`), called(`{"e": 1.50, "big": 12345678901234567890, "t": "<é>"}`)},
		{"array", callOf(`, "arguments": [1]`), called(`[1]`)},
		{"empty", callOf(`, "arguments": ""`), called(``)},
		{"null", callOf(`, "arguments": null`), called(``)},
		{"none", callOf(``), called(``)},
		{"broken", callOf(`, "arguments": "{\"e\": "`), called(`{"e": `)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := at(t, wiretest.Respond(200, "application/json", c.body)).Complete(context.Background(), question)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheWire(t *testing.T) {
	var body, address, authorization string
	server := wiretest.Transport(func(r *http.Request) (*http.Response, error) {
		raw, err := io.ReadAll(r.Body)
		if err != nil || int64(len(raw)) != r.ContentLength {
			t.Errorf("read %d of %d bytes: %v", len(raw), r.ContentLength, err)
		}
		body, address, authorization = string(raw), r.URL.String(), r.Header.Get("Authorization")
		return wiretest.OK(choose(`{"content": "a"}`, `"stop"`)), nil
	})
	m := newModel(t, openai.Options{Model: "gpt-4o", Transport: server})
	_, err := m.Complete(context.Background(), model.Request{
		Messages: []model.Message{
			{Role: model.System}, {Role: model.User, Content: "q"},
			{Role: model.Assistant, ToolCalls: []model.ToolCall{{ID: "c1", Name: "now"}}},
			{Role: model.ToolRole, ToolCallID: "c1"},
		},
		Tools:  []model.ToolSpec{{Name: "now"}},
		Schema: &model.ResponseSchema{Name: "v", Schema: model.RawSchema(`{"type":"object"}`)},
		Stop:   []string{"x"},
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
	 "model": "gpt-4o", "temperature": 0, "seed": 0, "stream": false, "stop": ["x"],
	 "messages": [
	  {"role": "system", "content": ""}, {"role": "user", "content": "q"},
	  {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "now", "arguments": ""}}]},
	  {"role": "tool", "tool_call_id": "c1", "content": "(no output)"}
	 ],
	 "tools": [{"type": "function", "function": {"name": "now", "parameters": {"type": "object", "properties": {}}}}],
	 "response_format": {"type": "json_schema", "json_schema": {"name": "v", "schema": {"type": "object"}, "strict": true}}
	}`
	if diff := cmp.Diff(parse(t, want), parse(t, body)); diff != "" {
		t.Error(diff)
	}
	if address != openai.DefaultBaseURL+"/chat/completions" {
		t.Errorf("sent to %s", address)
	}
	if authorization != "Bearer "+testKey {
		t.Errorf("Authorization %q", authorization)
	}
}

func TestNoKeyNoHeader(t *testing.T) {
	m, err := openai.New(openai.Options{Model: "m", Transport: wiretest.Transport(func(r *http.Request) (*http.Response, error) {
		if got, sent := r.Header["Authorization"]; sent {
			t.Errorf("Authorization %q", got)
		}
		return wiretest.OK(choose(`{"content": "a"}`, `"stop"`)), nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Complete(context.Background(), question); err != nil {
		t.Error(err)
	}
}

func parse(t *testing.T, document string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(document), &v); err != nil {
		t.Fatalf("%v: %s", err, document)
	}
	return v
}

// If an endpoint quotes the key in a reply, the key must not get into a recording.
func TestAnEchoedKeyIsHidden(t *testing.T) {
	body := fmt.Sprintf(`{"model": "m-%[1]s", "choices": [{"finish_reason": "%[1]s", "message": {"content": "it is %[1]s",
		"tool_calls": [{"id": "%[1]s", "function": {"name": "f%[1]s", "arguments": "{\"k\": \"%[1]s\"}"}}]}}]}`, testKey)
	got, err := at(t, wiretest.Respond(200, "application/json", body)).Complete(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprintf("%+v", got); strings.Contains(text, testKey) || strings.Count(text, "[API key]") != 6 {
		t.Errorf("the reply reads %s", text)
	}
}

func TestImpossibleUsage(t *testing.T) {
	body := `{"choices": [{"finish_reason": "stop", "message": {"content": "x"}}],
		"usage": {"prompt_tokens": 9223372036854775807, "completion_tokens": -11, "prompt_tokens_details": {"cached_tokens": -1}}}`
	got, err := at(t, wiretest.Respond(200, "application/json", body)).Complete(t.Context(), question)
	if want := (model.Usage{InputTokens: 1 << 32}); err != nil || got.Usage != want {
		t.Errorf("%+v, %v; want %+v", got.Usage, err, want)
	}
}
