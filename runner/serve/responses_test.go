package serve_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/serve"
)

const responsesPath = "/v1/responses"

// input returns the smallest valid request with these items as input, and additional fields.
func input(items, more string) string {
	return `{"model": "m", "input": [` + items + `]` + more + `}`
}

func TestResponsesRequestArrives(t *testing.T) {
	user := []model.Message{{Role: model.User, Content: "q"}}
	opaque := json.RawMessage(`{"openai":{"message":{"reasoning_content":"hm"}}}`)
	sealed := base64.StdEncoding.EncodeToString(opaque)
	const ask = `{"role": "user", "content": "q"}`
	least := func(change func(*model.Request)) model.Request {
		r := model.Request{Temperature: 1, NoTemperature: true, NoSeed: true, Messages: user}
		change(&r)
		return r
	}
	said := func(messages ...model.Message) model.Request {
		return least(func(r *model.Request) { r.Messages = messages })
	}
	calls := func(ids ...string) (out []model.ToolCall) {
		for _, id := range ids {
			out = append(out, model.ToolCall{ID: id, Name: "f", Arguments: "{}"})
		}
		return out
	}
	call := func(id string) string {
		return `{"type": "function_call", "id": "fc_1", "call_id": "` + id + `", "name": "f", "arguments": "{}", "status": "completed"}`
	}
	output := func(id string) string {
		return `{"type": "function_call_output", "call_id": "` + id + `", "output": "x"}`
	}
	result := func(id string) model.Message {
		return model.Message{Role: model.ToolRole, ToolCallID: id, Content: "x"}
	}
	for _, c := range []struct {
		name, body string
		want       model.Request
	}{
		{"text", `{"model": "m", "input": "q", "previous_response_id": null, "store": false, "metadata": {"a": "b"}, "include": ["reasoning.encrypted_content"], "truncation": "disabled", "background": false}`, least(func(*model.Request) {})},
		{"settings", input(ask, `, "temperature": 0, "top_p": 0.90, "max_output_tokens": 7, "parallel_tool_calls": false, "reasoning": {"effort": "low", "summary": "auto"}, "text": {"verbosity": "high"}, "user": "x"`),
			model.Request{Messages: user, NoSeed: true, MaxTokens: 7, SingleCall: true, Extra: map[string]json.RawMessage{
				"top_p": json.RawMessage(`0.90`), "reasoning_effort": json.RawMessage(`"low"`), "verbosity": json.RawMessage(`"high"`),
			}}},
		{"instructions and roles", input(`{"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "be "}, {"type": "input_text", "text": "exact"}]}, `+ask, `, "instructions": "answer"`),
			said(model.Message{Role: model.System, Content: "answer"}, model.Message{Role: model.System, Content: "be exact"}, user[0])},
		{"items of one reply", input(ask+`, {"type": "reasoning", "id": "rs_1", "summary": []}, {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "I look.", "annotations": []}]}, `+
			call("c1")+`, `+call("c2")+`, `+output("c2")+`, {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "x"}]}, {"role": "assistant", "content": "a"}`, ""),
			said(user[0], model.Message{Role: model.Assistant, Content: "I look.", ToolCalls: calls("c1", "c2")}, result("c2"), result("c1"), model.Message{Role: model.Assistant, Content: "a"})},
		{"replies one after another", input(call("c1")+`, `+output("c1")+`, `+call("c2")+`, `+output("c2")+`, {"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]}`, ""),
			said(model.Message{Role: model.Assistant, ToolCalls: calls("c1")}, result("c1"), model.Message{Role: model.Assistant, ToolCalls: calls("c2")}, result("c2"),
				model.Message{Role: model.Assistant, Content: "a"}, model.Message{Role: model.Assistant, Content: "b"}, model.Message{Role: model.Assistant, Content: "no"})},
		{"text after a call", input(call("c1")+`, {"type": "reasoning", "summary": []}, {"role": "assistant", "content": "a"}, `+call("c2")+`, `+output("c1")+`, `+output("c2"), ""),
			said(model.Message{Role: model.Assistant, Content: "a", ToolCalls: calls("c1", "c2")}, result("c1"), result("c2"))},
		{"what a provider needs back", input(ask+`, {"type": "reasoning", "summary": [], "encrypted_content": "`+sealed+`"}, `+call("c1")+`, `+output("c1")+`, {"type": "reasoning", "encrypted_content": "gAAAA", "summary": []}, {"role": "assistant", "content": "a"}`, ""),
			said(user[0], model.Message{Role: model.Assistant, ToolCalls: calls("c1"), Opaque: opaque}, result("c1"), model.Message{Role: model.Assistant, Content: "a"})},
		{"tools", input(ask, `, "tools": [{"type": "function", "name": "f", "description": "d", "parameters": {"type": "object"}, "strict": true}, {"type": "function", "name": "g", "parameters": null, "strict": null}], "tool_choice": {"type": "function", "name": "f"}`),
			least(func(r *model.Request) {
				r.Tools = []model.ToolSpec{{Name: "f", Description: "d", Parameters: model.RawSchema(`{"type": "object"}`), Strict: true}, {Name: "g", Parameters: model.RawSchema(`{"type":"object","properties":{}}`)}}
				r.Choice = "f"
			})},
		{"form", input(ask, `, "text": {"format": {"type": "json_schema", "name": "v", "description": "d", "strict": true, "schema": {"type": "object"}}}`),
			least(func(r *model.Request) {
				r.Schema = &model.ResponseSchema{Name: "v", Description: "d", Schema: model.RawSchema(`{"type": "object"}`)}
			})},
		{"any JSON", input(ask, `, "text": {"format": {"type": "json_object"}}`),
			least(func(r *model.Request) {
				r.Extra = map[string]json.RawMessage{"response_format": json.RawMessage(`{"type":"json_object"}`)}
			})},
		{"plain text", input(ask, `, "text": {"format": {"type": "text"}}, "tool_choice": "auto"`), least(func(*model.Request) {})},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got model.Request
			h := serve.Handler(fake(func(_ context.Context, req model.Request) (model.Response, error) {
				got = req
				return model.Response{}, nil
			}), "m")
			if w := send(h, http.MethodPost, responsesPath, c.body); w.Code != http.StatusOK {
				t.Fatalf("status %d: %s", w.Code, w.Body)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRefusedResponsesRequests(t *testing.T) {
	h := serve.Handler(fake(func(context.Context, model.Request) (model.Response, error) {
		t.Error("the model was asked")
		return model.Response{}, nil
	}), "m")
	const ask = `{"role": "user", "content": "q"}`
	for _, c := range []struct {
		name, body string
		status     int
		param      string
		words      string
	}{
		{"no JSON", `{`, 400, "", ""},
		{"no model", `{"input": "q"}`, 400, "model", "GET /v1/models"},
		{"another model", `{"model": "n", "input": "q"}`, 404, "model", `there is "m"`},
		{"no input", `{"model": "m"}`, 400, "input", ""},
		{"no items", input(``, ""), 400, "input", ""},
		{"reasoning alone", input(`{"type": "reasoning", "summary": []}`, `, "instructions": "i"`), 400, "input", "no messages"},
		{"input of a number", `{"model": "m", "input": 3}`, 400, "input", ""},
		{"goes on", `{"model": "m", "previous_response_id": "resp_1", "input": "q"}`, 400, "previous_response_id", "send the whole conversation as input"},
		{"conversation", input(ask, `, "conversation": "conv_1"`), 400, "conversation", "leave it out"},
		{"reference", input(`{"type": "item_reference", "id": "msg_1"}`, ""), 400, "input[0]", "send the item itself"},
		{"image", input(ask+`, {"role": "user", "content": [{"type": "input_image"}]}`, ""), 400, "input[1].content", "input_image"},
		{"other item", input(`{"type": "computer_call"}`, ""), 400, "input[0]", "computer_call"},
		{"tool's role", input(`{"role": "tool", "content": "q"}`, ""), 400, "input[0].tool_call_id", ""},
		{"call without id", input(`{"type": "function_call", "name": "f"}`, ""), 400, "input[0]", "call_id"},
		{"output without id", input(`{"type": "function_call_output", "output": "x"}`, ""), 400, "input[0]", "call_id"},
		{"output of an image", input(`{"type": "function_call_output", "call_id": "c", "output": [{"type": "input_image"}]}`, ""), 400, "input[0].content", ""},
		{"hot", input(ask, `, "temperature": 3`), 400, "temperature", ""},
		{"short", input(ask, `, "max_output_tokens": 0`), 400, "max_output_tokens", ""},
		{"background", input(ask, `, "background": true`), 400, "background", ""},
		{"cut", input(ask, `, "truncation": "auto"`), 400, "truncation", ""},
		{"template", input(ask, `, "prompt": {"id": "p"}`), 400, "prompt", ""},
		{"built-in tool", input(ask, `, "tools": [{"type": "web_search"}]`), 400, "tools", "web_search"},
		{"unknown tool", input(ask, `, "tool_choice": {"type": "function", "name": "f"}`), 400, "tool_choice", `"f"`},
		{"form without schema", input(ask, `, "text": {"format": {"type": "json_schema", "name": "v"}}`), 400, "text.format", "schema"},
		{"unknown form", input(ask, `, "text": {"format": {"type": "grammar"}}`), 400, "text.format", "grammar"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := send(h, http.MethodPost, responsesPath, c.body)
			e := readError(t, w)
			param := ""
			if e.Error.Param != nil {
				param = *e.Error.Param
			}
			if w.Code != c.status || param != c.param || !strings.Contains(e.Error.Message, c.words) {
				t.Errorf("status %d, param %q: %s", w.Code, param, e.Error.Message)
			}
		})
	}
}

func FuzzResponses(f *testing.F) {
	f.Add(`{"model":"m","input":"q"}`)
	f.Add(`{"model":"m","stream":true,"input":[{"role":"user","content":[{"type":"input_text","text":"q"}]}],"instructions":"i"}`)
	f.Add(`{"model":"m","input":[{"type":"function_call","call_id":"c","name":"f","arguments":"{"},{"type":"function_call_output","call_id":"c","output":"x"}],"text":{"format":{"type":"json_schema","schema":{}}}}`)
	f.Add(`{"model":"m","input":[{"type":"reasoning","encrypted_content":"e30="},{"role":"assistant","content":null}],"reasoning":{"effort":"low"}}`)
	f.Add(`{"model":"m","input":[{"type":"reasoning"}]}`)
	f.Add(`{"model":"m","input":[null],"tools":[{"type":"function","name":"f","parameters":{}}],"tool_choice":{"type":"function","name":"f"}}`)
	h := serve.Handler(fake(parrot), "m")
	f.Fuzz(func(t *testing.T, body string) {
		w := send(h, http.MethodPost, responsesPath, body)
		switch {
		case w.Code != http.StatusOK:
			if w.Code >= 500 {
				t.Errorf("status %d: %s", w.Code, w.Body)
			}
			readError(t, w)
		case w.Header().Get("Content-Type") == "text/event-stream":
			joinResponse(t, w.Body.String())
		case !json.Valid(w.Body.Bytes()):
			t.Errorf("%s", w.Body)
		}
	})
}
