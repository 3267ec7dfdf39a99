package external_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// server is an agent that is an HTTP server. It asks the model, calls the tool that the model requests, and
// asks again with the result.
func server(t *testing.T, result string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in request
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Endpoint == nil {
			http.Error(w, "no endpoint", http.StatusBadRequest)
			return
		}
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		messages := []any{map[string]any{"role": "user", "content": in.Query}}
		for {
			body, _ := json.Marshal(map[string]any{"model": "m", "messages": messages})
			req, _ := http.NewRequestWithContext(r.Context(), http.MethodPost, in.Endpoint.OpenAI+"/chat/completions", bytes.NewReader(body))
			req.Header.Set("Authorization", "Bearer "+in.Endpoint.Key)
			resp, err := client.Do(req)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadGateway)
				return
			}
			var out struct {
				Choices []struct{ Message map[string]any }
			}
			err = json.NewDecoder(resp.Body).Decode(&out)
			resp.Body.Close()
			if err != nil || len(out.Choices) == 0 {
				http.Error(w, "the model did not reply", http.StatusBadGateway)
				return
			}
			message := out.Choices[0].Message
			calls, _ := message["tool_calls"].([]any)
			if len(calls) == 0 {
				_ = json.NewEncoder(w).Encode(map[string]any{"message": message["content"]})
				return
			}
			messages = append(messages, message)
			for _, c := range calls {
				messages = append(messages, map[string]any{"role": "tool", "tool_call_id": c.(map[string]any)["id"], "content": result})
			}
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// searcher is a model that requests one search, in a call without an id, and then answers with the result.
func searcher(_ context.Context, r model.Request) (model.Response, error) {
	last := r.Messages[len(r.Messages)-1]
	if last.Role == model.ToolRole {
		text := "The heron lives at the river [wiki_1].\nAnswer: river"
		return model.Response{Message: model.Message{Role: model.Assistant, Content: text}, Finish: model.FinishStop}, nil
	}
	call := model.ToolCall{Name: "search", Arguments: `{"q": "heron"}`}
	return model.Response{Message: model.Message{Role: model.Assistant, Content: "I look it up.", ToolCalls: []model.ToolCall{call}}, Finish: model.FinishToolCalls}, nil
}

func TestToolCallsBecomeEvents(t *testing.T) {
	result := `{"results": [{"id": "wiki_1", "title": "Heron", "url": "https://example.org/heron", "text": "The heron lives at the river.", "score": 0.9}]}`
	conf := configuration(func(e *config.External) { e.Exec, e.HTTP = nil, "http://set.below" })
	var r recorder
	a := &external.Agent{Config: conf, Transport: &external.HTTP{URL: server(t, result).URL}, Proxy: openProxy(t)}
	got := a.Run(t.Context(), task("Where does the heron live?", answer.Text, modelFunc(searcher), &r))
	if got.Answer != "river" || got.Steps != 2 || got.ToolCalls != 1 || got.ModelCalls != 2 {
		t.Errorf("got %+v", got)
	}
	if got.Grounded == nil || !*got.Grounded || got.Grounding.Claims != 1 {
		t.Errorf("grounded %v, %+v", got.Grounded, got.Grounding)
	}
	want := []trace.Body{
		trace.Thought{Content: "I look it up."},
		trace.Action{Name: "search", Input: json.RawMessage(`{"q": "heron"}`), CallID: "call_1_0"},
		trace.Observation{CallID: "call_1_0", Output: json.RawMessage(result), Documents: []trace.Document{
			{ID: "wiki_1", Ref: "https://example.org/heron", Title: "Heron", Source: "https://example.org/heron", Snippet: "The heron lives at the river.", Score: 0.9, Backend: "wiki"},
		}},
	}
	if d := cmp.Diff(want, r.events[:min(3, len(r.events))], cmpopts.IgnoreFields(trace.Observation{}, "DurationMS")); d != "" {
		t.Error(d)
	}
	if _, audited := r.events[len(r.events)-1].(trace.Audit); !audited {
		t.Errorf("the last event is %T", r.events[len(r.events)-1])
	}
}

// TestHTTPHidesKeys checks that neither the address nor a server's repetition of it shows a key.
func TestHTTPHidesKeys(t *testing.T) {
	const key = "k3y-of-the-agent"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "no "+r.URL.String(), http.StatusForbidden)
	}))
	defer s.Close()
	for _, url := range []string{s.URL, "http://127.0.0.1:1"} {
		h := &external.HTTP{URL: url + "/run?key=" + key, Hider: secret.New(key)}
		if _, err := h.Send(t.Context(), external.Request{}); err == nil || strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "/run?key=[API key]") {
			t.Errorf("got %v", err)
		}
	}
}

// TestReportedSteps checks an agent without the proxy, which reports its steps and usage itself.
func TestReportedSteps(t *testing.T) {
	reply := `{"answer": 12.50, "steps": [{"thought": "first", "action": {"name": "sql", "input": {"q": 1}}, "observation": [3]}, {"thought": "then"}], "usage": {"model_calls": 2, "input_tokens": 10.0, "output_tokens": -4}}`
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, reply) }))
	defer s.Close()
	var r recorder
	a := &external.Agent{Config: configuration(nil), Transport: &external.HTTP{URL: s.URL}}
	got := a.Run(t.Context(), task("Which?", answer.Decimal, nil, &r))
	if got.Answer != "12.50" || got.Steps != 2 || got.ToolCalls != 1 || got.ModelCalls != 2 || got.Usage != (model.Usage{InputTokens: 10}) {
		t.Errorf("got %+v", got)
	}
	impossible := trace.Guard{Rule: "format", Decision: "drop", Detail: "a usage of -4 is impossible, and is not counted"}
	want := []trace.Body{
		trace.Thought{Content: "first"},
		trace.Action{Name: "sql", Input: json.RawMessage(`{"q": 1}`), CallID: "call_0"},
		trace.Observation{CallID: "call_0", Output: json.RawMessage(`[3]`)},
		trace.Thought{Content: "then"},
		impossible,
	}
	if d := cmp.Diff(want, r.events); d != "" {
		t.Error(d)
	}
}

func FuzzReply(f *testing.F) {
	for _, seed := range []string{`{"answer": "42"}`, "x\n{\"answer\": [1, true]}\n", `{"answer": {}}`, `{"steps": [null]}`, "{}", "\x00", `{"evidence": [{"id": "a_1", "text": "t"}], "message": "m [a_1]"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, output []byte) {
		var r recorder
		a := &external.Agent{Config: configuration(nil), Transport: canned(output)}
		got := a.Run(t.Context(), task("Which?", answer.Text, nil, &r))
		if got.Outcome == "" || got.StopReason == "" {
			t.Errorf("%q ends without an outcome: %+v", output, got)
		}
	})
}

// canned is an agent with one output.
type canned []byte

func (c canned) Send(context.Context, external.Request) ([]byte, error) { return c, nil }
func (canned) Close() error                                             { return nil }
func (canned) Kill()                                                    {}
