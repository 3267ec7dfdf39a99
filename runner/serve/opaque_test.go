package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/serve"
)

// TestOpaqueComesBack sends a reply back like each API's clients, and checks that the provider gets the data
// that it needs back.
func TestOpaqueComesBack(t *testing.T) {
	opaque := json.RawMessage(`{"anthropic":[{"type":"thinking","thinking":"<hm>","signature":"s"},"call"]}`)
	for _, c := range []struct {
		path, ask, output string // output is the field of the reply that is sent back
		again             func(reply json.RawMessage) string
	}{
		{chatPath, `{"model": "m", "messages": [{"role": "user", "content": "q"}]}`, "choices", func(reply json.RawMessage) string {
			var choices []struct{ Message json.RawMessage }
			if err := json.Unmarshal(reply, &choices); err != nil {
				t.Fatal(err)
			}
			return `{"model": "m", "messages": [{"role": "user", "content": "q"}, ` + string(choices[0].Message) + `, {"role": "tool", "tool_call_id": "c1", "content": "x"}]}`
		}},
		{messagesPath, ask(""), "content", func(reply json.RawMessage) string {
			return `{"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": ` + string(reply) + `},
			 {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "x"}]}]}`
		}},
		{responsesPath, input(`{"role": "user", "content": "q"}`, ""), "output", func(reply json.RawMessage) string {
			items := strings.TrimSuffix(strings.TrimPrefix(string(reply), "["), "]")
			return input(`{"role": "user", "content": "q"}, `+items+`, {"type": "function_call_output", "call_id": "c1", "output": "x"}`, "")
		}},
	} {
		t.Run(c.path, func(t *testing.T) {
			var got model.Request
			h := serve.Handler(fake(func(_ context.Context, req model.Request) (model.Response, error) {
				got = req
				return model.Response{Message: model.Message{
					Role: model.Assistant, Opaque: opaque, ToolCalls: []model.ToolCall{{ID: "c1", Name: "f", Arguments: "{}"}},
				}, Finish: model.FinishToolCalls}, nil
			}), "m")
			first := send(h, http.MethodPost, c.path, c.ask)
			var reply map[string]json.RawMessage
			if err := json.Unmarshal(first.Body.Bytes(), &reply); err != nil {
				t.Fatal(err)
			}
			if w := send(h, http.MethodPost, c.path, c.again(reply[c.output])); w.Code != http.StatusOK {
				t.Fatalf("status %d: %s", w.Code, w.Body)
			}
			if len(got.Messages) != 3 || !bytes.Equal(got.Messages[1].Opaque, opaque) || len(got.Messages[1].ToolCalls) != 1 {
				t.Errorf("%+v", got.Messages)
			}
			streamed := send(h, http.MethodPost, c.path, strings.Replace(c.ask, "{", `{"stream": true, `, 1)).Body.String()
			if n := strings.Count(streamed, "eyJhbnRocm9waWMi"); n == 0 { // the beginning of {"anthropic" in base64
				t.Errorf("the stream lacks it: %s", streamed)
			}
		})
	}
}
