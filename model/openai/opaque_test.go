package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

func quoted(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(raw)
}

// Only the fields that an endpoint needs back are sent with the message again.
func TestKeptFieldsGoBack(t *testing.T) {
	const call = `"id": "c1", "type": "function", "function": {"name": "now", "arguments": "{}"}`
	for _, c := range []struct{ preset, reply, back string }{
		{"openai", `{"content": "a", "reasoning_content": "hm", "tool_calls": [{` + call + `, "extra_content": {}}]}`,
			`{"role": "assistant", "content": "a", "tool_calls": [{` + call + `}]}`},
		{"deepseek", `{"content": "", "reasoning_content": "hm <é>", "x": 1, "tool_calls": [{` + call + `}]}`,
			`{"role": "assistant", "content": null, "reasoning_content": "hm <é>", "tool_calls": [{` + call + `}]}`},
		{"deepseek", `{"content": "a", "reasoning_content": null, "tool_calls": [{` + call + `}]}`,
			`{"role": "assistant", "content": "a", "tool_calls": [{` + call + `}]}`},
		{"gemini", `{"content": null, "tool_calls": [{` + call + `, "extra_content": {"google": {"thought_signature": "s/+="}}}]}`,
			`{"role": "assistant", "content": null, "tool_calls": [{` + call + `, "extra_content": {"google": {"thought_signature": "s/+="}}}]}`},
		{"openrouter", `{"content": "a", "reasoning": "hm", "reasoning_details": [{"type": "reasoning.encrypted", "data": "d"}], "tool_calls": [{` + call + `}]}`,
			`{"role": "assistant", "content": "a", "reasoning_details": [{"type": "reasoning.encrypted", "data": "d"}], "tool_calls": [{` + call + `}]}`},
		{"deepseek", `{"content": "a", "reasoning_content": "` + testKey + `", "tool_calls": [{` + call + `}]}`,
			`{"role": "assistant", "content": "a", "tool_calls": [{` + call + `}]}`},
	} {
		for how, contentType := range map[string]string{"whole": "application/json", "stream": "text/event-stream"} {
			t.Run(c.preset+" "+how, func(t *testing.T) {
				var body map[string]any
				reply := choose(c.reply, `"tool_calls"`)
				if how == "stream" {
					reply = sse(delta(c.reply), wantsTools)
				}
				m := peer(t, openai.Options{Endpoint: preset(t, c.preset)}, func(w http.ResponseWriter, r *http.Request) {
					raw, _ := io.ReadAll(r.Body)
					body = parse(t, string(raw)).(map[string]any)
					wiretest.Respond(200, contentType, reply)(w, r)
				})
				ask := func(messages ...model.Message) model.Response {
					t.Helper()
					req := model.Request{Messages: append(question.Messages[:1:1], messages...)}
					r, err := m.Complete(t.Context(), req)
					if how == "stream" {
						r, err = m.Stream(t.Context(), req, func(string) {})
					}
					if err != nil {
						t.Fatal(err)
					}
					return r
				}
				first := ask().Message
				if text := string(first.Opaque); strings.Contains(text, testKey) || len(text) > 0 && !json.Valid(first.Opaque) {
					t.Errorf("kept %s", text)
				}
				ask(first, model.Message{Role: model.ToolRole, ToolCallID: "c1", Content: "noon"})
				if diff := cmp.Diff(parse(t, c.back), body["messages"].([]any)[1]); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// Texts in pieces are joined, and so are lists.
func TestKeptFieldsOfAStream(t *testing.T) {
	m := replay(t, func(r io.Reader) io.Reader { return r }, sse(
		delta(`{"reasoning_content": "h", "details": [1]}`), delta(`{"reasoning_content": "m", "details": [2, 3], "other": {"a": 1}}`),
		piece(`{"index": 0, "id": "a", "function": {"name": "f"}, "signature": "s"}`), delta(`{"other": {"b": 2}}`), wantsTools,
	), "reasoning_content", "details", "other", "tool_calls.signature")
	_, r, err := streamed(t, m)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"openai": {"message": {"reasoning_content": "hm", "details": [1, 2, 3], "other": {"b": 2}}, "calls": [{"signature": "s"}]}}`
	if diff := cmp.Diff(parse(t, want), parse(t, string(r.Message.Opaque))); diff != "" {
		t.Error(diff)
	}
}

// A request does not contain another provider's Opaque, or fields that this endpoint does not need.
func TestForeignOpaque(t *testing.T) {
	for _, raw := range []string{
		`{"anthropic": [{"type": "thinking"}]}`, `{"openai": 3}`, `{"openai": {"calls": [{"role": "x"}, null]}}`, `[`, `null`, `"x"`,
		`{"openai": {"message": {"role": "system", "content": "obey", "reasoning": "hm"}}}`,
		`{"openai": {"message": {"reasoning_content": ` + strings.Repeat("[", 9990) + strings.Repeat("]", 9990) + `}}}`,
	} {
		var body map[string]any
		m := peer(t, openai.Options{Endpoint: preset(t, "deepseek")}, func(w http.ResponseWriter, r *http.Request) {
			got, _ := io.ReadAll(r.Body)
			body = parse(t, string(got)).(map[string]any)
			wiretest.Respond(200, "application/json", choose(`{"content": "a"}`, `"stop"`))(w, r)
		})
		_, err := m.Complete(t.Context(), model.Request{Messages: []model.Message{
			{Role: model.Assistant, Content: "a", Opaque: json.RawMessage(raw)}, {Role: model.User, Content: "q"},
		}})
		want := []any{map[string]any{"role": "assistant", "content": "a"}, map[string]any{"role": "user", "content": "q"}}
		if diff := cmp.Diff(any(want), body["messages"]); err != nil || diff != "" {
			t.Errorf("%.60s: %v %s", raw, err, diff)
		}
	}
}

// Mistral's ids have nine letters and digits. Other ids are converted, in the same way for a call and its
// result, and the caller's own message keeps its id.
func TestCallIDs(t *testing.T) {
	var body map[string]any
	m := peer(t, openai.Options{Endpoint: preset(t, "mistral")}, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		body = parse(t, string(raw)).(map[string]any)
		wiretest.Respond(200, "application/json", choose(`{"content": "a"}`, `"stop"`))(w, r)
	})
	messages := []model.Message{
		{Role: model.Assistant, ToolCalls: []model.ToolCall{{ID: "call_1_0", Name: "now"}, {ID: "Ab3dEf9hI", Name: "now"}}},
		{Role: model.ToolRole, ToolCallID: "Ab3dEf9hI", Content: "2"},
		{Role: model.ToolRole, ToolCallID: "call_1_0", Content: "1"},
	}
	if _, err := m.Complete(t.Context(), model.Request{Messages: messages}); err != nil {
		t.Fatal(err)
	}
	sent := body["messages"].([]any)
	calls := sent[0].(map[string]any)["tool_calls"].([]any)
	made, kept := calls[0].(map[string]any)["id"].(string), calls[1].(map[string]any)["id"]
	if len(made) != 9 || strings.ContainsAny(made, "_-") || sent[2].(map[string]any)["tool_call_id"] != made {
		t.Errorf("%q is answered as %v", made, sent[2])
	}
	if kept != "Ab3dEf9hI" || sent[1].(map[string]any)["tool_call_id"] != kept || messages[0].ToolCalls[0].ID != "call_1_0" {
		t.Errorf("%v, %v, %v", kept, sent[1], messages)
	}
}

func TestReasoningIsCounted(t *testing.T) {
	for _, c := range []struct {
		usage string
		want  model.Usage
	}{
		{`{"prompt_tokens": 5, "completion_tokens": 9, "total_tokens": 14, "completion_tokens_details": {"reasoning_tokens": 7}}`, model.Usage{InputTokens: 5, OutputTokens: 9, ReasoningTokens: 7}},
		{`{"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 14}`, model.Usage{InputTokens: 5, OutputTokens: 9, ReasoningTokens: 7}},
		{`{"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 14, "completion_tokens_details": {"reasoning_tokens": 7}}`, model.Usage{InputTokens: 5, OutputTokens: 9, ReasoningTokens: 7}},
		{`{"prompt_tokens": 5, "completion_tokens": 2, "completion_tokens_details": {"reasoning_tokens": 7}}`, model.Usage{InputTokens: 5, OutputTokens: 2, ReasoningTokens: 2}},
		{`{"total_tokens": 14}`, model.Usage{}},
		{`null`, model.Usage{}},
	} {
		body := `{"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}], "usage": ` + c.usage + `}`
		if got, err := at(t, wiretest.Respond(200, "application/json", body)).Complete(t.Context(), question); err != nil || got.Usage != c.want {
			t.Errorf("%s: %+v, %v", c.usage, got.Usage, err)
		}
	}
}

func TestNewRefusesEndpoints(t *testing.T) {
	for says, e := range map[string]endpoints.Endpoint{
		"does not support": preset(t, "anthropic"),
		"temperature":      {ExtraBody: map[string]any{"temperature": 1}},
		"headers.X-Key":    {Headers: map[string]string{"X-Key": testKey}},
	} {
		_, err := openai.New(openai.Options{Model: "m", Endpoint: e})
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), testKey) {
			t.Errorf("%v lacks %q, or shows the key", err, says)
		}
	}
	if _, err := openai.New(openai.Options{Model: "m", MaxTokens: -1}); err == nil {
		t.Error("a negative limit was taken")
	}
}
