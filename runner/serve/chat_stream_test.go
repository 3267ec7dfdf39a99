package serve_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/serve"
)

// joined is the reply that the chunks of a stream form.
type joined struct {
	Role, Content string
	Calls         []model.ToolCall
	Finish        string
	Usage         string // as JSON; "" if missing
	pieces        int    // number of pieces of the content
}

// failer is a test, or a property of one.
type failer interface {
	Helper()
	Errorf(string, ...any)
	Fatalf(string, ...any)
}

// joinChat joins the chunks of a stream, and checks the rules for every chunk.
func joinChat(t failer, body string) joined {
	t.Helper()
	var out joined
	finished, done := false, false
	for data := range strings.SplitSeq(strings.TrimSuffix(body, "\n\n"), "\n\n") {
		data, ok := strings.CutPrefix(data, "data: ")
		if !ok || done {
			t.Fatalf("%q is no event, or comes after the end", data)
		}
		if done = data == "[DONE]"; done {
			continue
		}
		var c struct {
			ID, Object, Model string
			Choices           []struct {
				Index int
				Delta struct {
					Role, Content string
					ToolCalls     []struct {
						Index    int
						ID, Type string
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				}
				Finish *string `json:"finish_reason"`
			}
			Usage json.RawMessage
		}
		if err := json.Unmarshal([]byte(data), &c); err != nil || c.Choices == nil || c.Object != "chat.completion.chunk" || !strings.HasPrefix(c.ID, "chatcmpl-") {
			t.Fatalf("%s is no chunk: %v", data, err)
		}
		if len(c.Usage) > 0 {
			out.Usage = string(c.Usage)
		}
		for _, choice := range c.Choices {
			if finished {
				t.Errorf("%s comes after the reason to finish", data)
			}
			out.Role += choice.Delta.Role
			if out.Content += choice.Delta.Content; choice.Delta.Content != "" {
				out.pieces++
			}
			for _, call := range choice.Delta.ToolCalls {
				if call.Index == len(out.Calls) && call.Type == "function" {
					out.Calls = append(out.Calls, model.ToolCall{ID: call.ID, Name: call.Function.Name})
				}
				if call.Index != len(out.Calls)-1 {
					t.Fatalf("%s is no part of call %d", data, len(out.Calls)-1)
				}
				out.Calls[call.Index].Arguments += call.Function.Arguments
			}
			if choice.Finish != nil {
				out.Finish, finished = *choice.Finish, true
			}
		}
	}
	if !done || !finished || out.Role != "assistant" {
		t.Errorf("the stream does not begin or end: %s", body)
	}
	return out
}

func TestChatStream(t *testing.T) {
	two := []model.ToolCall{{ID: "c1", Name: "calc", Arguments: `{"expression": "1234567 * 89"}`}, {ID: "c2", Name: "now"}}
	const usage = `{"completion_tokens":3,"completion_tokens_details":{"reasoning_tokens":0},"prompt_tokens":5,"prompt_tokens_details":{"cache_write_tokens":0,"cached_tokens":2},"total_tokens":8}`
	for _, c := range []struct {
		name, more string
		reply      model.Response
		want       joined
		least      int // minimum number of pieces of the content
	}{
		{"text", "", model.Response{Message: model.Message{Content: strings.Repeat("é𝄞<>", 30)}, Finish: "stop"}, joined{Content: strings.Repeat("é𝄞<>", 30), Finish: "stop"}, 2},
		{"short text", "", model.Response{Message: model.Message{Content: "a"}, Finish: "stop"}, joined{Content: "a", Finish: "stop"}, 1},
		{"nothing", "", model.Response{Finish: "length"}, joined{Finish: "length"}, 0},
		{"calls", "", model.Response{Message: model.Message{ToolCalls: two}, Finish: "tool_calls"}, joined{Calls: two, Finish: "tool_calls"}, 0},
		{"text and calls", "", model.Response{Message: model.Message{Content: "I look.", ToolCalls: two}, Finish: "tool_calls"}, joined{Content: "I look.", Calls: two, Finish: "tool_calls"}, 1},
		{"usage", `, "stream_options": {"include_usage": true}`, model.Response{Finish: "stop", Usage: model.Usage{InputTokens: 5, OutputTokens: 3, CachedTokens: 2}}, joined{Finish: "stop", Usage: usage}, 0},
		{"usage not asked for", `, "stream_options": {"include_usage": false}`, model.Response{Finish: "stop", Usage: model.Usage{InputTokens: 5}}, joined{Finish: "stop"}, 0},
	} {
		h := serve.Handler(fake(func(context.Context, model.Request) (model.Response, error) { return c.reply, nil }), "m")
		w := send(h, http.MethodPost, chatPath, `{"model": "m", "stream": true, "messages": [{"role": "user", "content": "q"}]`+c.more+`}`)
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/event-stream" || !strings.HasPrefix(w.Header().Get("X-Request-Id"), "req_") {
			t.Errorf("%s: status %d, %v", c.name, w.Code, w.Header())
		}
		c.want.Role = "assistant"
		got := joinChat(t, w.Body.String())
		if diff := cmp.Diff(c.want, got, cmpopts.IgnoreUnexported(joined{})); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if got.pieces < c.least {
			t.Errorf("%s: %d pieces", c.name, got.pieces)
		}
	}
}

// The chunks have the form in OpenAI's reference; keys are sorted.
func TestChatChunks(t *testing.T) {
	s := &serve.Server{Name: "m", Now: func() time.Time { return time.Unix(1700000000, 0) }, Model: fake(func(context.Context, model.Request) (model.Response, error) {
		return model.Response{Message: model.Message{Content: "a", ToolCalls: []model.ToolCall{{ID: "c1", Name: "calc", Arguments: "{}"}}}, Finish: "tool_calls"}, nil
	})}
	w := send(s, http.MethodPost, chatPath, `{"model": "m", "stream": true, "stream_options": {"include_usage": true}, "messages": [{"role": "user", "content": "q"}]}`)
	var deltas []string
	for data := range strings.SplitSeq(w.Body.String(), "\n\n") {
		var chunk struct{ Choices, Usage json.RawMessage }
		if raw, ok := strings.CutPrefix(data, "data: {"); ok {
			if err := json.Unmarshal([]byte("{"+raw), &chunk); err != nil {
				t.Fatal(err)
			}
		}
		deltas = append(deltas, string(chunk.Choices)+string(chunk.Usage))
	}
	choice := func(delta, finish string) string {
		return `[{"delta":` + delta + `,"finish_reason":` + finish + `,"index":0,"logprobs":null}]null`
	}
	want := []string{
		choice(`{"content":"","role":"assistant"}`, "null"),
		choice(`{"content":"a"}`, "null"),
		choice(`{"tool_calls":[{"function":{"arguments":"","name":"calc"},"id":"c1","index":0,"type":"function"}]}`, "null"),
		choice(`{"tool_calls":[{"function":{"arguments":"{}"},"index":0}]}`, "null"),
		choice(`{}`, `"tool_calls"`),
		`[]{"completion_tokens":0,"completion_tokens_details":{"reasoning_tokens":0},"prompt_tokens":0,"prompt_tokens_details":{"cache_write_tokens":0,"cached_tokens":0},"total_tokens":0}`,
		"", "",
	}
	if diff := cmp.Diff(want, deltas); diff != "" {
		t.Error(diff)
	}
}

// The pieces of a reply have the same content as the whole reply.
func TestChatPiecesMakeTheReply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reply := model.Response{Finish: "stop", Message: model.Message{Content: rapid.String().Draw(t, "content") + strings.Repeat("é", rapid.IntRange(0, 300).Draw(t, "more"))}}
		for range rapid.IntRange(0, 3).Draw(t, "calls") {
			reply.Message.ToolCalls = append(reply.Message.ToolCalls, model.ToolCall{ID: "c", Name: "f", Arguments: rapid.String().Draw(t, "arguments")})
		}
		h := serve.Handler(fake(func(context.Context, model.Request) (model.Response, error) { return reply, nil }), "m")
		w := send(h, http.MethodPost, chatPath, `{"model": "m", "stream": true, "messages": [{"role": "user", "content": "q"}]}`)
		got := joinChat(t, w.Body.String())
		if got.Content != reply.Message.Content || !cmp.Equal(got.Calls, reply.Message.ToolCalls) || got.pieces > 8 {
			t.Errorf("%+v", got)
		}
	})
}
