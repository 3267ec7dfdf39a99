package openai_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

func preset(t *testing.T, name string) endpoints.Endpoint {
	t.Helper()
	e, ok := endpoints.Lookup(name)
	if !ok {
		t.Fatalf("there is no preset %q", name)
	}
	return e
}

// peer returns a model and its loopback server, which behaves like an endpoint.
func peer(t *testing.T, o openai.Options, h http.HandlerFunc) *openai.Model {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	o.BaseURL, o.Transport = server.URL+"/v1", server.Client().Transport
	return newModel(t, o)
}

// full uses all parts of a request.
var full = model.Request{
	Messages: []model.Message{
		{Role: model.User, Content: "q"},
		{Role: model.Assistant, ToolCalls: []model.ToolCall{{ID: "call_1_0", Name: "now"}}},
		{Role: model.ToolRole, ToolCallID: "call_1_0", Content: "noon"},
	},
	Tools:  []model.ToolSpec{{Name: "now"}},
	Choice: "now", SingleCall: true, Temperature: 0.5, Seed: 7, Stop: []string{"x"},
	Schema: &model.ResponseSchema{Name: "v", Schema: model.RawSchema(`{"type":"object"}`)},
}

// The body that each endpoint gets for the same request, and whether it streams.
func TestPresets(t *testing.T) {
	const (
		named  = `, "tool_choice": {"type": "function", "function": {"name": "now"}}`
		single = `, "parallel_tool_calls": false`
		schema = `, "response_format": {"type": "json_schema", "json_schema": {"name": "v", "schema": {"type": "object"}, "strict": true}}`
		object = `, "response_format": {"type": "json_object"}`
		usage  = `, "stream_options": {"include_usage": true}`
	)
	for _, c := range []struct{ preset, model, whole, streamed string }{
		{"", "o3", `"seed": 7, "stop": ["x"], "max_tokens": 9` + named + single + schema, usage},
		{"openai", "gpt-4o-mini", `"temperature": 0.5, "seed": 7, "stop": ["x"], "max_completion_tokens": 9` + named + single + schema, usage},
		{"openai", "o3-mini", `"seed": 7, "max_completion_tokens": 9` + named + schema, usage},
		{"openai", "gpt-5-mini", `"seed": 7, "max_completion_tokens": 9` + named + single + schema, usage},
		{"openai", "gpt-5-chat-latest", `"temperature": 0.5, "seed": 7, "stop": ["x"], "max_completion_tokens": 9` + named + single + schema, usage},
		{"openai", "gpt-5.1", `"temperature": 0.5, "seed": 7, "max_completion_tokens": 9` + named + single + schema, usage},
		{"openai", "gpt-6-sol", `"temperature": 0.5, "reasoning_effort": "none", "seed": 7, "max_completion_tokens": 9` + named + single + schema, usage},
		{"openai", "gpt-6-astra", `"seed": 7, "max_completion_tokens": 9` + named + single + schema, usage},
		{"dashscope", "qwen-plus", `"temperature": 0.5, "seed": 7, "stop": ["x"], "max_tokens": 9, "enable_thinking": false` + named + single + object, usage},
		{"dashscope", "qwq-plus", `"temperature": 0.5, "seed": 7, "stop": ["x"], "max_tokens": 9, "stream": true` + single + usage, usage},
		{"dashscope", "qwen3-235b-a22b-thinking-2507", `"temperature": 0.5, "seed": 7, "stop": ["x"], "max_tokens": 9, "stream": true` + single + usage, usage},
		{"ollama", "qwen3:8b", `"temperature": 0.5, "seed": 7, "stop": ["x"], "max_tokens": 9` + schema, usage},
		{"openrouter", "openai/gpt-4o", `"temperature": 0.5, "seed": 7, "stop": ["x"], "max_tokens": 9` + named + single + schema, usage},
		{"openrouter", "openai/o3", `"seed": 7, "stop": ["x"], "max_tokens": 9` + named + single + schema, usage},
		{"deepseek", "deepseek-chat", `"temperature": 0.5, "stop": ["x"], "max_tokens": 9` + named + object, usage},
		{"deepseek", "deepseek-reasoner", `"stop": ["x"], "max_tokens": 9` + object, usage},
		{"groq", "llama-3.3-70b-versatile", `"temperature": 0.5, "seed": 7, "stop": ["x"], "max_completion_tokens": 9` + named + single + object, usage},
		{"groq", "openai/gpt-oss-20b", `"temperature": 0.5, "seed": 7, "stop": ["x"], "max_completion_tokens": 9` + named + single + schema, usage},
		{"mistral", "mistral-small-latest", `"temperature": 0.5, "random_seed": 7, "stop": ["x"], "max_tokens": 9` + named + single + schema, ``},
		{"gemini", "gemini-2.5-flash", `"temperature": 0.5, "stop": ["x"], "max_tokens": 9` + named + schema, ``},
	} {
		t.Run(c.preset+":"+c.model, func(t *testing.T) {
			var body string
			o := openai.Options{Model: c.model, MaxTokens: 9}
			if c.preset != "" {
				o.Endpoint = preset(t, c.preset)
			}
			m := peer(t, o, func(w http.ResponseWriter, r *http.Request) {
				raw, _ := io.ReadAll(r.Body)
				body = string(raw)
				if strings.Contains(body, `"stream":true`) {
					wiretest.Respond(200, "text/event-stream", sse(`{"choices": [{"delta": {"content": "a"}, "finish_reason": "stop"}]}`, "[DONE]"))(w, r)
					return
				}
				wiretest.Respond(200, "application/json", choose(`{"content": "a"}`, `"stop"`))(w, r)
			})
			check := func(how, want string) {
				t.Helper()
				got := parse(t, body).(map[string]any)
				delete(got, "messages")
				delete(got, "tools")
				whole := parse(t, `{"stream": false, "model": "`+c.model+`", `+want+`}`)
				if diff := cmp.Diff(whole, any(got)); diff != "" {
					t.Errorf("%s: %s", how, diff)
				}
			}
			if r, err := m.Complete(t.Context(), full); err != nil || r.Message.Content != "a" {
				t.Fatalf("%+v, %v", r, err)
			}
			check("whole", c.whole)
			if _, err := m.Stream(t.Context(), full, func(string) {}); err != nil {
				t.Fatal(err)
			}
			check("streamed", strings.TrimSuffix(strings.Replace(c.whole, `, "stream": true`, "", 1), usage)+`, "stream": true`+c.streamed)
		})
	}
}

// Errors name the endpoint and its own variables, and no other provider's.
func TestHintsNameTheEndpoint(t *testing.T) {
	own := endpoints.Endpoint{Name: "local", Kind: endpoints.OpenAI, Auth: endpoints.Auth{None: true}}
	theirs := endpoints.Endpoint{Name: "theirs", Kind: endpoints.OpenAI, Auth: endpoints.Auth{Env: []string{"THEIR_KEY"}}}
	for _, c := range []struct {
		e       endpoints.Endpoint
		key, at string
	}{
		{preset(t, "openai"), "set OPENAI_API_KEY", "OPENAI_BASE_URL (http"},
		{preset(t, "dashscope"), "set DASHSCOPE_API_KEY", "DASHSCOPE_BASE_URL (http"},
		{preset(t, "ollama"), "providers.ollama.auth", "OLLAMA_BASE_URL (http"},
		{preset(t, "openrouter"), "set OPENROUTER_API_KEY", "OPENROUTER_BASE_URL (http"},
		{preset(t, "deepseek"), "set DEEPSEEK_API_KEY", "DEEPSEEK_BASE_URL (http"},
		{preset(t, "groq"), "set GROQ_API_KEY", "GROQ_BASE_URL (http"},
		{preset(t, "mistral"), "set MISTRAL_API_KEY", "MISTRAL_BASE_URL (http"},
		{preset(t, "gemini"), "set GEMINI_API_KEY or GOOGLE_API_KEY", "GEMINI_BASE_URL (http"},
		{own, "providers.local.auth", "providers.local.base_url (http"},
		{theirs, "set THEIR_KEY", "providers.theirs.base_url (http"},
	} {
		t.Run(c.e.Name, func(t *testing.T) {
			for status, want := range map[int]string{401: c.key, 404: c.at, 200: c.at, 301: strings.TrimSuffix(c.at, " (http")} {
				m := peer(t, openai.Options{Endpoint: c.e}, wiretest.Respond(status, "text/html", "<html>"+testKey))
				for how, call := range map[string]func() error{
					"whole":  func() error { _, err := m.Complete(t.Context(), question); return err },
					"stream": func() error { _, err := m.Stream(t.Context(), question, func(string) {}); return err },
				} {
					text := fmt.Sprint(call())
					if !strings.Contains(text, want) || !strings.Contains(text, c.e.Name+":m") {
						t.Errorf("%d, %s: %s\nlacks %q", status, how, text, want)
					}
					if c.e.Name != "openai" && strings.Contains(text, "OPENAI_") || strings.Contains(text, testKey) {
						t.Errorf("%d, %s: %s\nnames what is not its own", status, how, text)
					}
				}
			}
		})
	}
}

func TestEndpointsOfTheUser(t *testing.T) {
	var headers http.Header
	var body map[string]any
	own := endpoints.Endpoint{
		Name: "local", Kind: endpoints.OpenAI, Auth: endpoints.Auth{None: true},
		Headers:   map[string]string{"X-Title": "evaluation", "User-Agent": "me"},
		ExtraBody: map[string]any{"top_k": 20, "provider": map[string]any{"order": []string{"a"}}},
	}
	m := peer(t, openai.Options{Endpoint: own}, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		headers, body = r.Header, parse(t, string(raw)).(map[string]any)
		wiretest.Respond(200, "application/json", choose(`{"content": "a"}`, `"stop"`))(w, r)
	})
	if _, err := m.Complete(t.Context(), question); err != nil {
		t.Fatal(err)
	}
	if headers.Get("X-Title") != "evaluation" || headers.Get("User-Agent") != "me" {
		t.Error(headers)
	}
	if diff := cmp.Diff(map[string]any{"order": []any{"a"}}, body["provider"]); diff != "" || body["top_k"] != 20.0 {
		t.Errorf("%v %s", body, diff)
	}
}

func TestChoiceOfTools(t *testing.T) {
	tools := []model.ToolSpec{{Name: "now"}}
	for _, c := range []struct {
		req  model.Request
		want any // the value of tool_choice
		says string
	}{
		{model.Request{Tools: tools}, nil, ""},
		{model.Request{Tools: tools, Choice: model.ChooseNone}, "none", ""},
		{model.Request{Tools: tools, Choice: model.ChooseRequired}, "required", ""},
		{model.Request{Choice: model.ChooseNone, SingleCall: true}, nil, ""},
		{model.Request{Choice: model.ChooseRequired}, nil, "the request offers none"},
		{model.Request{Tools: tools, Choice: "later"}, nil, `"later"`},
	} {
		var body map[string]any
		m := at(t, func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			body = parse(t, string(raw)).(map[string]any)
			wiretest.Respond(200, "application/json", choose(`{"content": "a"}`, `"stop"`))(w, r)
		})
		c.req.Messages = question.Messages
		_, err := m.Complete(t.Context(), c.req)
		if c.says != "" {
			checkError(t, err, model.ErrBadRequest)
			if !strings.Contains(err.Error(), c.says) || body != nil {
				t.Errorf("%v, sent %v", err, body)
			}
			continue
		}
		if err != nil || body["tool_choice"] != c.want {
			t.Errorf("%q: tool_choice %v, %v", c.req.Choice, body["tool_choice"], err)
		}
		if _, sent := body["parallel_tool_calls"]; sent {
			t.Errorf("%v says something of parallel calls", body)
		}
	}
}

// TestNoChoiceNoTools checks that no tools are offered if a request cannot forbid their use.
func TestNoChoiceNoTools(t *testing.T) {
	for name, want := range map[string]bool{"openai": true, "groq": true, "ollama": false} {
		var body map[string]any
		m := peer(t, openai.Options{Endpoint: preset(t, name)}, func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			body = parse(t, string(raw)).(map[string]any)
			wiretest.Respond(200, "application/json", choose(`{"content": "a"}`, `"stop"`))(w, r)
		})
		req := question
		req.Tools, req.Choice = []model.ToolSpec{{Name: "now"}}, model.ChooseNone
		if _, err := m.Complete(t.Context(), req); err != nil || (body["tools"] != nil) != want || (body["tool_choice"] == "none") != want {
			t.Errorf("%s: %v, %v", name, body, err)
		}
	}
}

// The error of a refused conversation names the wrong message.
func TestCallsWithoutTheirAnswer(t *testing.T) {
	call := func(ids ...string) model.Message {
		m := model.Message{Role: model.Assistant}
		for _, id := range ids {
			m.ToolCalls = append(m.ToolCalls, model.ToolCall{ID: id, Name: "now"})
		}
		return m
	}
	answer := func(id string) model.Message { return model.Message{Role: model.ToolRole, ToolCallID: id} }
	user := model.Message{Role: model.User, Content: "q"}
	m := newModel(t, openai.Options{Transport: wiretest.Transport(func(*http.Request) (*http.Response, error) {
		t.Error("a request was sent")
		return wiretest.OK(""), nil
	})})
	for says, messages := range map[string][]model.Message{
		`message 1 answers the call "c9"`:           {user, answer("c9")},
		`message 2 answers the call "c9"`:           {user, call("c1"), answer("c9")},
		`message 3 answers the call "c1"`:           {user, call("c1"), answer("c1"), answer("c1")},
		`message 3: the calls ["c2"] have no`:       {user, call("c1", "c2"), answer("c1"), user},
		`the calls ["c1"] have no answer`:           {user, call("c1")},
		`message 1: the call of "now" has the id "`: {user, call("c1", "c1"), answer("c1")},
		`has the id "", which is empty`:             {user, call("")},
	} {
		_, err := m.Complete(t.Context(), model.Request{Messages: messages})
		checkError(t, err, model.ErrBadRequest)
		if !strings.Contains(err.Error(), says) {
			t.Errorf("%v\nlacks %s", err, says)
		}
	}
}

// TestTokenLimit checks that the lower of the request's limit and the model's applies.
func TestTokenLimit(t *testing.T) {
	for _, c := range []struct{ own, asked, want int }{{0, 0, 0}, {9, 0, 9}, {0, 256, 256}, {9, 256, 9}, {900, 256, 256}} {
		var body string
		m := peer(t, openai.Options{Model: "m", MaxTokens: c.own}, func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			body = string(raw)
			wiretest.Respond(200, "application/json", choose(`{"content": "a"}`, `"stop"`))(w, r)
		})
		if _, err := m.Complete(t.Context(), model.Request{Messages: []model.Message{{Role: model.User, Content: "q"}}, MaxTokens: c.asked}); err != nil {
			t.Fatal(err)
		}
		got, sent := parse(t, body).(map[string]any)["max_tokens"]
		if sent != (c.want > 0) || sent && got != float64(c.want) {
			t.Errorf("own %d, asked %d: sent %v", c.own, c.asked, got)
		}
	}
}

// Azure gets the deployment in the path, the version in the query, and the key in a header of its own.
func TestAzure(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Method+" "+r.URL.String()+" "+r.Header.Get("Api-Key")+" "+r.Header.Get("Authorization"))
		_, _ = io.WriteString(w, `{"choices": [{"message": {"role": "assistant", "content": "ok"}, "finish_reason": "stop"}]}`)
	}))
	defer server.Close()
	for address, want := range map[string]string{
		server.URL:                 "/openai/deployments/my-4o/chat/completions?api-version=2024-10-21",
		server.URL + "/openai/v1/": "/openai/v1/chat/completions",
	} {
		e := preset(t, "azure")
		e.BaseURL, got = address, nil
		m := newModel(t, openai.Options{Endpoint: e, Model: "my-4o", Transport: server.Client().Transport})
		if _, err := m.Complete(t.Context(), question); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"POST " + want + " " + testKey + " "}, got); diff != "" {
			t.Errorf("%s: %s", address, diff)
		}
	}
}
