package anthropic_test

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
	"github.com/seed-5817661a/concur/model/anthropic"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

func reply(content string, finish model.FinishReason, calls ...model.ToolCall) model.Response {
	return model.Response{Message: model.Message{Role: model.Assistant, Content: content, ToolCalls: calls}, Finish: finish, Model: "m-1"}
}

func calc(arguments string) model.ToolCall {
	return model.ToolCall{ID: "c1", Name: "calc", Arguments: arguments}
}

func use(input string) string {
	return replyOf(`{"type": "tool_use", "id": "c1", "name": "calc"`+input+`}`, "tool_use")
}

func TestReplies(t *testing.T) {
	a := text("a")
	unnamed := reply("a", model.FinishStop)
	unnamed.Model = "m"
	thinking := reply("a", model.FinishStop)
	thinking.Message.Thought = "<hm> & é 1.50"
	counted := reply("a", model.FinishStop)
	counted.Usage = model.Usage{InputTokens: 1110, OutputTokens: 3, CachedTokens: 100, CacheWriteTokens: 1000}
	absurd := reply("a", model.FinishStop)
	absurd.Usage = model.Usage{InputTokens: 1 << 32}
	usage := func(fields string) string {
		return strings.Replace(replyOf(a, "end_turn"), `"type": "message"`, `"type": "message", "usage": {`+fields+`}`, 1)
	}
	for _, c := range []struct {
		name, body string
		want       model.Response
	}{
		{"end", replyOf(a, "end_turn"), reply("a", model.FinishStop)},
		{"stop sequence", replyOf(a, "stop_sequence"), reply("a", model.FinishStop)},
		{"too long", replyOf(a, "max_tokens"), reply("a", model.FinishLength)},
		{"paused", replyOf(a, "pause_turn"), reply("a", model.FinishLength)},
		{"a refusal that is explained", strings.Replace(replyOf(a, "refusal"), `"msg_1"`, `7, "stop_details": {"type": "refusal", "category": "cyber", "explanation": "It would help an attack."}`, 1),
			reply("a\ncyber: It would help an attack.", model.FinishContentFilter)},
		{"context full", replyOf(a, "model_context_window_exceeded"), reply("a", model.FinishLength)},
		{"refused", replyOf(a, "refusal"), reply("a", model.FinishContentFilter)},
		{"call", replyOf(a+","+call, "tool_use"), reply("a", model.FinishToolCalls, calc(`{"e":"1+1"}`))},
		{"cut amid a call", replyOf(call, "max_tokens"), reply("", model.FinishLength, calc(`{"e":"1+1"}`))},
		{"unknown reason", replyOf(a, "made_up"), reply("a", "made_up")},
		{"no reason", `{"model": "m-1", "content": [` + a + `], "stop_reason": null}`, reply("a", "")},
		{"no model", `{"content": [` + a + `], "stop_reason": "end_turn"}`, unnamed},
		{"nothing", replyOf("", "end_turn"), reply("", model.FinishStop)},
		{"texts", replyOf(a+","+text("b"), "end_turn"), reply("ab", model.FinishStop)},
		{"null text", replyOf(`{"type": "text", "text": null}`, "end_turn"), reply("", model.FinishStop)},
		{"citations", replyOf(`{"type": "text", "text": "a", "citations": [3]}`, "end_turn"), reply("a", model.FinishStop)},
		{"thinking", replyOf(thought+","+a+","+redacted, "end_turn"), thinking},
		{"a block without a type", replyOf(`{"text": "b"},`+a, "end_turn"), reply("a", model.FinishStop)},
		{"a block of a foreign type", replyOf(`{"type": 3, "text": {}},`+unknown+","+a, "end_turn"), reply("a", model.FinishStop)},
		{"arguments", use(`, "input": {"e": 1.50, "big": 12345678901234567890, "t": "<é>"}`), reply("", model.FinishToolCalls, calc(`{"e": 1.50, "big": 12345678901234567890, "t": "<é>"}`))},
		{"arguments of a text", use(`, "input": "{\"e\": "`), reply("", model.FinishToolCalls, calc(`{"e": `))},
		{"null arguments", use(`, "input": null`), reply("", model.FinishToolCalls, calc(``))},
		{"no arguments", use(``), reply("", model.FinishToolCalls, calc(``))},
		{"usage", usage(`"input_tokens": 10, "cache_creation_input_tokens": 1000, "cache_read_input_tokens": 100, "output_tokens": 3`), counted},
		{"null usage", usage(`"input_tokens": null, "cache_read_input_tokens": null`), reply("a", model.FinishStop)},
		{"impossible usage", usage(`"input_tokens": 9223372036854775807, "output_tokens": -11, "cache_read_input_tokens": -1`), absurd},
		{"foreign fields", strings.Replace(replyOf(a, "end_turn"), `"msg_1"`, `7, "error": null, "container": {}, "stop_details": [1]`, 1), reply("a", model.FinishStop)},
		{"no UTF-8", replyOf(text("a\xff"), "end_turn"), reply("a\uFFFD", model.FinishStop)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := at(t, wiretest.Respond(200, "application/json", c.body)).Complete(context.Background(), question)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(model.Message{}, "Opaque")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The content of a reply with a schema is the input of its tool, as the model wrote it.
func TestStructuredReplies(t *testing.T) {
	verdict := `{"type": "tool_use", "id": "c9", "name": "verdict", "input": {"score": 1.50, "why": "<é>"}}`
	const content = `{"score": 1.50, "why": "<é>"}`
	req := question
	req.Schema = &model.ResponseSchema{Name: "verdict", Schema: model.RawSchema(`{"type": "object"}`)}
	for _, c := range []struct {
		name, body string
		want       model.Response
	}{
		{"alone", replyOf(verdict, "tool_use"), reply(content, model.FinishStop)},
		{"with words", replyOf(text("Well.")+","+verdict, "tool_use"), reply(content, model.FinishStop)},
		{"twice", replyOf(verdict+","+strings.Replace(verdict, "1.50", "2", 1), "tool_use"), reply(content, model.FinishStop)},
		{"cut", replyOf(verdict, "max_tokens"), reply(content, model.FinishLength)},
		{"prose", replyOf(text("I think so."), "end_turn"), reply("I think so.", model.FinishStop)},
		{"refusal", replyOf("", "refusal"), reply("", model.FinishContentFilter)},
		{"another tool", replyOf(text("a")+","+call, "tool_use"), reply("a", model.FinishToolCalls, calc(`{"e":"1+1"}`))},
	} {
		got, err := at(t, wiretest.Respond(200, "application/json", c.body)).Complete(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// If an endpoint quotes the key in a reply, the key must not get into a recording.
func TestAnEchoedKeyIsHidden(t *testing.T) {
	escaped := `\u0073` + testKey[1:]
	body := fmt.Sprintf(`{"model": "m-%[1]s", "stop_reason": "%[1]s", "content": [
	 {"type": "thinking", "thinking": "%[1]s"}, {"type": "thinking", "thinking": "%[2]s"}, {"type": "thinking", "thinking": "clean"},
	 {"type": "text", "text": "it is %[1]s"}, {"type": "text", "text": ""}, {"type": "text", "text": "%[3]s"}, {"type": "text", "text": "%[4]s"},
	 {"type": "tool_use", "id": "%[1]s", "name": "f%[1]s", "input": {"k": "%[1]s"}}]}`, testKey, escaped, testKey[:9], testKey[9:])
	got, err := at(t, wiretest.Respond(200, "application/json", body)).Complete(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	kept := string(got.Message.Opaque)
	got.Message.Opaque = nil
	if shown := fmt.Sprintf("%+v", got); strings.Contains(shown, testKey) || strings.Count(shown, "[API key]") != 9 {
		t.Errorf("the reply reads %s", shown)
	}
	if strings.Contains(kept, testKey[1:]) || !strings.Contains(kept, "clean") {
		t.Errorf("kept %s", kept)
	}
}

func FuzzReply(f *testing.F) {
	f.Add(200, replyOf(thought+","+text("a")+","+call, "tool_use"), false)
	f.Add(200, replyOf(strings.Replace(call, "calc", "v", 1), "tool_use"), true)
	f.Add(200, replyOf(unknown+`,{"type":"text"},{"type":"tool_use","input":[]}`, "pause_turn"), false)
	f.Add(200, `{"type": "error", "error": {"type": "overloaded_error", "message": "x"}}`, false)
	f.Add(400, `{"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 9 > 8"}}`, true)
	f.Add(529, "<html>\x00"+testKey, false)
	f.Add(404, "0", true) // the list of models is requested, too
	f.Fuzz(func(t *testing.T, status int, body string, structured bool) {
		m := newModel(t, anthropic.Options{Transport: wiretest.Transport(func(r *http.Request) (*http.Response, error) {
			_, _ = io.Copy(io.Discard, r.Body)
			resp := wiretest.OK(body)
			resp.StatusCode = status
			return resp, nil
		})})
		req := question
		if structured {
			req.Schema = &model.ResponseSchema{Name: "v", Schema: model.RawSchema(`{}`)}
		}
		r, err := m.Complete(context.Background(), req)
		switch {
		case err != nil:
			checkError(t, err, model.KindOf(err))
			return
		case r.Message.Role != model.Assistant || r.Model == "" || r.Usage.CachedTokens > r.Usage.InputTokens:
			t.Errorf("%+v", r)
		case r.Message.Opaque != nil && !json.Valid(r.Message.Opaque):
			t.Errorf("kept %q", r.Message.Opaque)
		}
		for i := range r.Message.ToolCalls { // the loop does the same for calls without an id
			r.Message.ToolCalls[i].ID = fmt.Sprint("call_", i)
		}
		sentBack(t, r.Message)
	})
}
