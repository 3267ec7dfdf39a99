package responses_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/responses"
	"github.com/seed-5817661a/concur/runner/serve"
)

var words = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", " ", "<b>&amp;</b>", "\u2028 \x00 é 𝄞", `{"broken": `}))

// drawn draws any reply of a model behind concur serve.
var drawn = rapid.Custom(func(t *rapid.T) model.Response {
	r := model.Response{
		Message: model.Message{Role: model.Assistant, Content: words.Draw(t, "content"), Thought: rapid.SampledFrom([]string{"", "Is it <4>?"}).Draw(t, "thought")},
		Finish:  rapid.SampledFrom([]model.FinishReason{model.FinishStop, model.FinishLength, model.FinishContentFilter}).Draw(t, "finish"),
		Usage:   model.Usage{InputTokens: 100, OutputTokens: 50},
		Model:   "m-1",
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "calls") {
		r.Finish = model.FinishToolCalls
		r.Message.ToolCalls = append(r.Message.ToolCalls, model.ToolCall{ID: string(rune('a' + i)), Name: "calc", Arguments: words.Draw(t, "arguments")})
	}
	if rapid.Bool().Draw(t, "opaque") {
		r.Message.Opaque = json.RawMessage(`{"x":1}`)
	}
	r.Usage.CachedTokens = rapid.IntRange(0, 60).Draw(t, "cached")
	r.Usage.CacheWriteTokens = rapid.IntRange(0, 40).Draw(t, "written")
	r.Usage.ReasoningTokens = rapid.IntRange(0, 50).Draw(t, "reasoning")
	return r
})

// TestRoundTrip checks that a reply has the same meaning through concur serve, as one piece or as a stream,
// and that the model behind it gets the same conversation with the data that it needs back.
func TestRoundTrip(t *testing.T) {
	var reply model.Response
	var seen model.Request
	server := httptest.NewServer(serve.Handler(fake(func(_ context.Context, req model.Request) (model.Response, error) {
		seen = req
		return reply, nil
	}), "m"))
	defer server.Close()
	m := newModel(t, responses.Options{BaseURL: server.URL + "/v1"})
	rapid.Check(t, func(rt *rapid.T) {
		reply = drawn.Draw(rt, "reply")
		stream := rapid.Bool().Draw(rt, "stream")
		complete := func(req model.Request) model.Response {
			var got model.Response
			var err error
			if stream {
				got, err = m.Stream(t.Context(), req, func(string) {})
			} else {
				got, err = m.Complete(t.Context(), req)
			}
			if err != nil {
				rt.Fatal(err)
			}
			return got
		}
		got := complete(question)
		want := reply
		if len(want.Message.ToolCalls) > 0 { // text next to calls is not an answer
			want.Message.Content, want.Message.Thought = "", got.Message.Thought
		}
		ignore := cmpopts.IgnoreFields(model.Message{}, "Opaque")
		if diff := cmp.Diff(want, got, ignore); diff != "" {
			rt.Fatalf("(-want +got):\n%s", diff)
		}
		messages := answered(got)
		complete(model.Request{Messages: messages})
		messages[1] = reply.Message
		messages[1].Thought = "" // thoughts are not sent back
		if messages[1].Content == "" && len(messages[1].ToolCalls) == 0 {
			return // an empty text is not sent
		}
		if diff := cmp.Diff(messages, seen.Messages, cmpopts.EquateEmpty()); diff != "" {
			rt.Fatalf("seen (-want +got):\n%s", diff)
		}
	})
}
