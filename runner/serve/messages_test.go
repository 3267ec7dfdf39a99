package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/serve"
)

const messagesPath = "/v1/messages"

// ask returns the smallest valid request, with additional fields.
func ask(more string) string {
	return `{"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "q"}]` + more + `}`
}

// problem reads an error in Anthropic's form, and returns its type and its message.
func problem(t *testing.T, body string) (kind, text string) {
	t.Helper()
	var e struct {
		Type  string
		Error struct{ Type, Message string }
		ID    string `json:"request_id"`
	}
	if err := json.Unmarshal([]byte(body), &e); err != nil || e.Type != "error" || e.Error.Type == "" || e.Error.Message == "" || !strings.HasPrefix(e.ID, "req_") {
		t.Fatalf("%s (%v) is no error in Anthropic's form", body, err)
	}
	return e.Error.Type, e.Error.Message
}

func TestMessagesRequestArrivesWhole(t *testing.T) {
	const body = `{
	 "model": "m", "max_tokens": 100, "temperature": 0, "stop_sequences": ["a", "b"], "stream": false, "metadata": {"user_id": "x"}, "top_p": null,
	 "system": [{"type": "text", "text": "be exact", "cache_control": {"type": "ephemeral"}}],
	 "messages": [
	  {"role": "user", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]},
	  {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "I "}, {"type": "text", "text": "look."},
	   {"type": "tool_use", "id": "c1", "name": "calc", "input": {"e": "1"}}, {"type": "tool_use", "id": "c2", "name": "now", "input": {}}]},
	  {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c2", "is_error": true, "content": "down"},
	   {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "1"}]}, {"type": "text", "text": "go on"}]},
	  {"role": "assistant", "content": "Answer: 1"}
	 ],
	 "tools": [{"name": "calc", "description": "d", "input_schema": {"type": "object"}}, {"type": "custom", "name": "now", "input_schema": {}}],
	 "tool_choice": {"type": "auto"}
	}`
	want := model.Request{
		Messages: []model.Message{
			{Role: model.System, Content: "be exact"},
			{Role: model.User, Content: "one"}, {Role: model.User, Content: "two"},
			{Role: model.Assistant, Content: "I look.", ToolCalls: []model.ToolCall{{ID: "c1", Name: "calc", Arguments: `{"e": "1"}`}, {ID: "c2", Name: "now", Arguments: `{}`}}},
			{Role: model.ToolRole, ToolCallID: "c2", Content: "ERROR: down"}, {Role: model.ToolRole, ToolCallID: "c1", Content: "1"},
			{Role: model.User, Content: "go on"},
			{Role: model.Assistant, Content: "Answer: 1"},
		},
		Tools: []model.ToolSpec{
			{Name: "calc", Description: "d", Parameters: model.RawSchema(`{"type": "object"}`)}, {Name: "now", Parameters: model.RawSchema(`{}`)},
		},
		Stop: []string{"a", "b"}, MaxTokens: 100, NoSeed: true,
	}
	calc := model.RawSchema(`{"type": "object"}`)
	for _, c := range []struct {
		name, body string
		want       model.Request
	}{
		{"all", body, want},
		{"defaults", ask(`, "temperature": null`), model.Request{Temperature: 1, NoTemperature: true, NoSeed: true, MaxTokens: 9, Messages: []model.Message{{Role: model.User, Content: "q"}}}},
		{"further settings", ask(`, "top_p": 0.90, "top_k": 40, "thinking": {"type": "disabled"}, "cache_control": {"type": "ephemeral"}, "metadata": {}, "mcp_servers": []`),
			model.Request{
				Temperature: 1, NoTemperature: true, NoSeed: true, MaxTokens: 9, Messages: []model.Message{{Role: model.User, Content: "q"}},
				Extra: map[string]json.RawMessage{"top_p": json.RawMessage(`0.90`), "top_k": json.RawMessage(`40`), "thinking": json.RawMessage(`{"type": "disabled"}`)},
			}},
		{"a strict tool", ask(`, "tools": [{"name": "calc", "strict": true, "input_schema": {}}]`),
			model.Request{Temperature: 1, NoTemperature: true, NoSeed: true, MaxTokens: 9, Messages: []model.Message{{Role: model.User, Content: "q"}}, Tools: []model.ToolSpec{{Name: "calc", Parameters: model.RawSchema(`{}`), Strict: true}}}},
		{"no tools", ask(`, "system": "s", "tools": [{"name": "calc", "input_schema": {}}], "tool_choice": {"type": "none"}`),
			model.Request{Temperature: 1, NoTemperature: true, NoSeed: true, MaxTokens: 9, Choice: model.ChooseNone, Messages: []model.Message{{Role: model.System, Content: "s"}, {Role: model.User, Content: "q"}}, Tools: []model.ToolSpec{{Name: "calc", Parameters: model.RawSchema(`{}`)}}}},
		{"any tool", ask(`, "tools": [{"name": "calc", "input_schema": {}}], "tool_choice": {"type": "any"}`),
			model.Request{Temperature: 1, NoTemperature: true, NoSeed: true, MaxTokens: 9, Choice: model.ChooseRequired, Messages: []model.Message{{Role: model.User, Content: "q"}}, Tools: []model.ToolSpec{{Name: "calc", Parameters: model.RawSchema(`{}`)}}}},
		{"one call at a time", ask(`, "thread": null, "tools": [{"name": "calc", "input_schema": {"type": "object"}}], "tool_choice": {"type": "auto", "disable_parallel_tool_use": true}`),
			model.Request{Temperature: 1, NoTemperature: true, NoSeed: true, MaxTokens: 9, SingleCall: true, Messages: []model.Message{{Role: model.User, Content: "q"}}, Tools: []model.ToolSpec{{Name: "calc", Parameters: calc}}}},
		{"a forced tool", ask(`, "tools": [{"name": "other", "description": "d", "input_schema": {}}, {"name": "calc", "input_schema": {"type": "object"}}], "tool_choice": {"type": "tool", "name": "calc", "disable_parallel_tool_use": true}`),
			model.Request{Temperature: 1, NoTemperature: true, NoSeed: true, MaxTokens: 9, SingleCall: true, Choice: "calc", Messages: []model.Message{{Role: model.User, Content: "q"}},
				Tools: []model.ToolSpec{{Name: "other", Description: "d", Parameters: model.RawSchema(`{}`)}, {Name: "calc", Parameters: calc}}}},
		{"a forced tool alone", ask(`, "tools": [{"name": "calc", "input_schema": {"type": "object"}}], "tool_choice": {"type": "tool", "name": "calc"}`),
			model.Request{Temperature: 1, NoTemperature: true, NoSeed: true, MaxTokens: 9, Choice: "calc", Messages: []model.Message{{Role: model.User, Content: "q"}}, Tools: []model.ToolSpec{{Name: "calc", Parameters: calc}}}},
		{"a structured reply", ask(`, "tools": [{"name": "calc", "description": "Gives the reply. Call it with the whole of your reply.", "input_schema": {"type": "object"}}], "tool_choice": {"type": "tool", "name": "calc", "disable_parallel_tool_use": true}`),
			model.Request{Temperature: 1, NoTemperature: true, NoSeed: true, MaxTokens: 9, Messages: []model.Message{{Role: model.User, Content: "q"}}, Schema: &model.ResponseSchema{Name: "calc", Schema: calc}}},
	} {
		var got model.Request
		h := serve.Handler(fake(func(_ context.Context, req model.Request) (model.Response, error) {
			got = req
			return model.Response{}, nil
		}), "m")
		if w := send(h, http.MethodPost, messagesPath, c.body); w.Code != http.StatusOK {
			t.Fatalf("%s: status %d: %s", c.name, w.Code, w.Body)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// called is a model that replies with a text and a call.
func called(context.Context, model.Request) (model.Response, error) {
	return model.Response{
		Message: model.Message{Content: "<I>", ToolCalls: []model.ToolCall{{ID: "c1", Name: "calc", Arguments: `{"e":"<1>"}`}, {Name: "bad", Arguments: "{"}}},
		Finish:  model.FinishToolCalls, Usage: model.Usage{InputTokens: 5, OutputTokens: 3, CachedTokens: 2, CacheWriteTokens: 1},
	}, nil
}

func TestMessagesResponse(t *testing.T) {
	w := send(serve.Handler(fake(called), "m"), http.MethodPost, messagesPath, ask(""))
	if !strings.Contains(w.Body.String(), "<I>") {
		t.Errorf("%s escapes its text", w.Body)
	}
	var got map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if id, _ := got["id"].(string); !strings.HasPrefix(id, "msg_") {
		t.Errorf("id %q", id)
	}
	delete(got, "id")
	want := map[string]any{
		"type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use", "stop_sequence": nil,
		"content": []any{
			map[string]any{"type": "text", "text": "<I>"},
			map[string]any{"type": "tool_use", "id": "c1", "name": "calc", "input": map[string]any{"e": "<1>"}},
			map[string]any{"type": "tool_use", "id": "call_1_1", "name": "bad", "input": "{"},
		},
		"usage": map[string]any{"input_tokens": 2.0, "cache_creation_input_tokens": 1.0, "cache_read_input_tokens": 2.0, "output_tokens": 3.0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestMessagesStopReasons(t *testing.T) {
	const forced = `, "tools": [{"name": "v", "description": "Gives the reply. Call it with the whole of your reply.", "input_schema": {}}], "tool_choice": {"type": "tool", "name": "v"}`
	for _, c := range []struct {
		content, more string
		finish        model.FinishReason
		want          string
	}{
		{"a", "", model.FinishStop, "end_turn"},
		{"a", "", "", "end_turn"},
		{"a", "", model.FinishLength, "max_tokens"},
		{"a", "", model.FinishToolCalls, "tool_use"},
		{"a", "", model.FinishContentFilter, "refusal"},
		{"a", "", "made_up", "made_up"},
		{`{"v": 1}`, forced, model.FinishStop, "tool_use"},
		{`{"v": 1}`, forced, model.FinishLength, "max_tokens"},
		{`Prose.`, forced, model.FinishStop, "end_turn"},
	} {
		h := serve.Handler(fake(func(context.Context, model.Request) (model.Response, error) {
			return model.Response{Message: model.Message{Content: c.content}, Finish: c.finish}, nil
		}), "m")
		w := send(h, http.MethodPost, messagesPath, ask(c.more))
		if !strings.Contains(w.Body.String(), `"stop_reason":"`+c.want+`"`) {
			t.Errorf("%q %s: %s lacks %s", c.content, c.finish, w.Body, c.want)
		}
	}
}

func TestMessagesStream(t *testing.T) {
	w := send(serve.Handler(fake(called), "m"), http.MethodPost, messagesPath, ask(`, "stream": true`))
	if got := w.Header().Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("content type %q", got)
	}
	var kinds []string
	var text, input, stop string
	for lines := bufio.NewScanner(w.Body); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e struct {
			Type  string
			Index int
			Delta struct {
				Text, Partial_json, Stop_reason string
			}
			Message *struct{ Stop_reason *string }
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, e.Type)
		text, stop = text+e.Delta.Text, stop+e.Delta.Stop_reason
		if e.Index == 1 {
			input += e.Delta.Partial_json
		}
		if e.Message != nil && e.Message.Stop_reason != nil {
			t.Error("the message stops before it begins")
		}
	}
	block := "content_block_start content_block_delta content_block_stop "
	if got := strings.Join(kinds, " "); got != "message_start "+strings.Repeat(block, 3)+"message_delta message_stop" {
		t.Error(got)
	}
	if text != "<I>" || input != `{"e":"<1>"}` || stop != "tool_use" {
		t.Errorf("text %q, input %q, stop %q", text, input, stop)
	}
}

func TestRefusedMessagesRequests(t *testing.T) {
	h := serve.Handler(fake(func(context.Context, model.Request) (model.Response, error) {
		t.Error("the model was asked")
		return model.Response{}, nil
	}), "m")
	turns := func(list string) string { return `{"model": "m", "max_tokens": 9, "messages": [` + list + `]}` }
	const use = `{"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]}`
	const result = `{"type": "tool_result", "tool_use_id": "c", "content": "1"}`
	for _, c := range []struct {
		name, body string
		status     int
		says       string
	}{
		{"empty", ``, 400, "not JSON"},
		{"an array", `[]`, 400, "right form"},
		{"wrong type", ask(`, "temperature": "hot"`), 400, "temperature"},
		{"no model", `{}`, 400, "model"},
		{"another model", strings.Replace(ask(""), `"m"`, `"n"`, 1), 404, `"n"`},
		{"no max_tokens", `{"model": "m", "messages": [{"role": "user", "content": "q"}]}`, 400, "max_tokens"},
		{"no messages", turns(``), 400, "messages"},
		{"hot", ask(`, "temperature": 1.1`), 400, "temperature"},
		{"servers", ask(`, "mcp_servers": [{}]`), 400, "mcp_servers"},
		{"container", ask(`, "container": "c"`), 400, "container"},
		{"system role", turns(`{"role": "system", "content": "q"}`), 400, "messages.0.role"},
		{"image", turns(`{"role": "user", "content": [{"type": "image"}]}`), 400, `"image"`},
		{"image system", ask(`, "system": [{"type": "image"}]`), 400, `"image"`},
		{"content of a number", turns(`{"role": "user", "content": 3}`), 400, "messages.0.content"},
		{"blank", turns(`{"role": "user", "content": [{"type": "text", "text": " "}]}`), 400, "non-whitespace"},
		{"blank text", turns(`{"role": "user", "content": " "}`), 400, "non-empty"},
		{"no blocks", turns(`{"role": "assistant", "content": []}`), 400, "non-empty"},
		{"no content", turns(`{"role": "user"}`), 400, "non-empty"},
		{"open call", turns(use), 400, "without `tool_result`"},
		{"call left open", turns(use + `, {"role": "user", "content": "go on"}`), 400, "without `tool_result`"},
		{"text before the result", turns(use + `, {"role": "user", "content": [{"type": "text", "text": "x"}, ` + result + `]}`), 400, "without `tool_result`"},
		{"answered twice", turns(use + `, {"role": "user", "content": [` + result + `, ` + result + `]}`), 400, "unexpected tool_use_id"},
		{"answered unasked", turns(`{"role": "user", "content": [` + result + `]}`), 400, "unexpected tool_use_id"},
		{"an image as result", turns(use + `, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": [{"type": "image"}]}]}`), 400, `"image"`},
		{"same id twice", turns(use + `, {"role": "user", "content": [` + result + `]}, ` + use), 400, "unique"},
		{"input of a text", turns(strings.Replace(use, `{}`, `"{}"`, 1)), 400, "object"},
		{"a call by a user", turns(strings.Replace(use, `assistant`, `user`, 1)), 400, `"tool_use"`},
		{"server tool", ask(`, "tools": [{"type": "web_search_20250305", "name": "web_search"}]`), 400, "web_search_20250305"},
		{"nameless tool", ask(`, "tools": [{"input_schema": {}}]`), 400, "name"},
		{"tool without schema", ask(`, "tools": [{"name": "f"}]`), 400, "input_schema"},
		{"any of none", ask(`, "tool_choice": {"type": "any"}`), 400, "no tools"},
		{"unknown choice", ask(`, "tool_choice": {"type": "most"}`), 400, "most"},
		{"unknown forced tool", ask(`, "tool_choice": {"type": "tool", "name": "f"}`), 400, `"f"`},
		{"one of any at a time", ask(`, "tool_choice": {"type": "any", "disable_parallel_tool_use": true}`), 400, "any"},
		{"thread", ask(`, "thread": {"type": "create"}`), 400, "thread"},
		{"thread gone on with", `{"model": "m", "thread": {"type": "continue", "previous_message_id": "msg_1"}, "messages": []}`, 400, "thread"},
		{"long", `"` + strings.Repeat(" ", 16<<20), 413, "longer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := send(h, http.MethodPost, messagesPath, c.body)
			if _, text := problem(t, w.Body.String()); w.Code != c.status || !strings.Contains(text, c.says) {
				t.Errorf("status %d: %s; want %d and %q", w.Code, text, c.status, c.says)
			}
		})
	}
}

// After an error with these details, the official client sends the whole conversation.
func TestThreadsAreRefusedWithDetails(t *testing.T) {
	w := send(serve.Handler(fake(parrot), "m"), http.MethodPost, messagesPath+"?beta=true", ask(`, "thread": {"type": "create"}`))
	var e struct {
		Error struct {
			Details struct {
				Code        string `json:"error_code"`
				Unsupported []string
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil {
		t.Fatal(err)
	}
	if d := e.Error.Details; w.Code != http.StatusBadRequest || d.Code != "thread_unsupported_request" || !cmp.Equal(d.Unsupported, []string{"thread"}) {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

func TestPathsBelowMessages(t *testing.T) {
	s := &serve.Server{Model: fake(parrot), Name: "m", Key: "k-123"}
	for _, c := range []struct {
		method, path, key string
		status            int
		kind              string
	}{
		{http.MethodPost, "/v1/messages/count_tokens", "k-123", 404, "not_found_error"},
		{http.MethodGet, "/v1/messages/batches", "k-123", 404, "not_found_error"},
		{http.MethodPost, "/v1/messages/count_tokens", "", 401, "authentication_error"},
	} {
		w := send(s, c.method, c.path, ask(""), "X-Api-Key", c.key)
		if kind, _ := problem(t, w.Body.String()); w.Code != c.status || kind != c.kind {
			t.Errorf("%s %s: status %d, %s", c.method, c.path, w.Code, kind)
		}
	}
}

func TestMessagesErrors(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		kind   string
		after  string
	}{
		{&model.Error{Kind: model.ErrAuth}, 401, "authentication_error", ""},
		{&model.Error{Kind: model.ErrQuota}, 402, "billing_error", ""},
		{&model.Error{Kind: model.ErrRateLimited, RetryAfter: 1500 * time.Millisecond}, 429, "rate_limit_error", "2"},
		{&model.Error{Kind: model.ErrBadRequest}, 400, "invalid_request_error", ""},
		{&model.Error{Kind: model.ErrContextOverflow}, 400, "invalid_request_error", ""},
		{&model.Error{Kind: model.ErrContentFilter}, 400, "invalid_request_error", ""},
		{&model.Error{Kind: model.ErrUnavailable}, 529, "overloaded_error", ""},
		{&model.Error{Kind: model.ErrTimeout}, 504, "timeout_error", ""},
		{&model.Error{Kind: model.ErrMalformed}, 502, "api_error", ""},
		{&model.Error{Kind: model.ErrCancelled}, 502, "api_error", ""},
		{errors.New("anything"), 529, "overloaded_error", ""},
	} {
		h := serve.Handler(fake(func(context.Context, model.Request) (model.Response, error) { return model.Response{}, c.err }), "m")
		w := send(h, http.MethodPost, messagesPath, ask(`, "stream": true`))
		kind, text := problem(t, w.Body.String())
		if w.Code != c.status || kind != c.kind || !strings.HasSuffix(text, c.err.Error()) || w.Header().Get("Retry-After") != c.after {
			t.Errorf("%v: status %d, %s, %q after %q", c.err, w.Code, kind, text, w.Header().Get("Retry-After"))
		}
	}
}

func TestMessagesKeyAndMethod(t *testing.T) {
	s := &serve.Server{Model: fake(parrot), Name: "m", Key: "k-123"}
	for _, c := range []struct {
		method, header, value string
		status                int
		kind                  string
	}{
		{http.MethodPost, "X-Api-Key", "k-123", 200, ""},
		{http.MethodPost, "Authorization", "Bearer k-123", 200, ""},
		{http.MethodPost, "X-Api-Key", "k-12", 401, "authentication_error"},
		{http.MethodPost, "X-Api-Key", "", 401, "authentication_error"},
		{http.MethodGet, "X-Api-Key", "k-123", 405, "invalid_request_error"},
	} {
		w := send(s, c.method, messagesPath, ask(""), c.header, c.value)
		if w.Code != c.status || strings.Contains(w.Body.String(), "k-123") {
			t.Errorf("%s %s: status %d, %s; want %d", c.method, c.value, w.Code, w.Body, c.status)
		}
		if c.kind != "" {
			if kind, _ := problem(t, w.Body.String()); kind != c.kind {
				t.Errorf("%s %s: %s, want %s", c.method, c.value, kind, c.kind)
			}
		}
	}
}

func FuzzMessages(f *testing.F) {
	f.Add(ask(`, "stream": true`))
	f.Add(ask(`, "tools": [{"name": "f", "input_schema": {}}], "tool_choice": {"type": "tool", "name": "f"}`))
	f.Add(`{"model":"m","max_tokens":1,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c"}]}]}`)
	f.Add(`{"model":"m","max_tokens":1,"system":[{}],"messages":[{}]}`)
	f.Add(`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[]}]}`)
	f.Add(`[`)
	h := serve.Handler(fake(parrot), "m")
	f.Fuzz(func(t *testing.T, body string) {
		w := send(h, http.MethodPost, messagesPath, body)
		if w.Code >= 500 {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
		if w.Code != http.StatusOK {
			problem(t, w.Body.String())
		}
	})
}
