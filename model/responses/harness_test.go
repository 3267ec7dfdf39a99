package responses_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/responses"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

// testKey is the key, which no error may contain.
const testKey = "sk-test-0123456789abcdef"

// question is the smallest valid request.
var question = model.Request{Messages: []model.Message{{Role: model.User, Content: "q"}}}

func newModel(t *testing.T, o responses.Options) *responses.Model {
	t.Helper()
	if o.Model == "" {
		o.Model = "m"
	}
	o.APIKey = testKey
	m, err := responses.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// at returns a model whose endpoint is a loopback server.
func at(t *testing.T, h http.HandlerFunc) *responses.Model {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return newModel(t, responses.Options{BaseURL: server.URL + "/v1", Transport: server.Client().Transport})
}

// saying returns a model whose endpoint replies to every request with a body.
func saying(t *testing.T, status int, body string) *responses.Model {
	t.Helper()
	return at(t, wiretest.Respond(status, "application/json", body))
}

// streaming returns a model whose endpoint replies with events.
func streaming(t *testing.T, events ...string) *responses.Model {
	t.Helper()
	return at(t, wiretest.Respond(200, "text/event-stream", eventsOf(events...)))
}

// eventsOf writes events with their types as names, as OpenAI does.
func eventsOf(events ...string) string {
	var out strings.Builder
	for _, e := range events {
		var kind struct{ Type string }
		_ = json.Unmarshal([]byte(e), &kind) // an event without a type has no name
		fmt.Fprintf(&out, "event: %s\ndata: %s\n\n", kind.Type, strings.ReplaceAll(e, "\n", " "))
	}
	return out.String()
}

// fails checks the rules for all errors, and returns the text: the type, the host, and that no verb shows the
// key.
func fails(t *testing.T, err error, want model.ErrorKind) string {
	t.Helper()
	return wiretest.Failed(t, err, "openai", want, testKey)
}

// sent returns the body of the request that a model sends.
func sent(t *testing.T, o responses.Options, req model.Request) string {
	t.Helper()
	var body string
	o.Transport = wiretest.Transport(func(r *http.Request) (*http.Response, error) {
		raw, err := io.ReadAll(r.Body)
		if err != nil || int64(len(raw)) != r.ContentLength || r.URL.Path != "/v1/responses" {
			t.Errorf("read %d of %d bytes at %s: %v", len(raw), r.ContentLength, r.URL.Path, err)
		}
		body = string(raw)
		return wiretest.OK(replyOf(text("", "a"))), nil
	})
	if _, err := newModel(t, o).Complete(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	return body
}

// replyOf returns a completed response with some items.
func replyOf(items ...string) string {
	return ended("completed", `"incomplete_details": null`, items...)
}

func ended(status, more string, items ...string) string {
	return `{"id": "resp_1", "object": "response", "created_at": 1, "model": "m-1", "status": "` + status + `", "error": null, ` + more +
		`, "output": [` + strings.Join(items, ", ") + `],
		"usage": {"input_tokens": 75, "input_tokens_details": {"cached_tokens": 32, "cache_write_tokens": 40},
		 "output_tokens": 12, "output_tokens_details": {"reasoning_tokens": 7}, "total_tokens": 87}}`
}

// text returns a message in a phase; "" for a model without phases.
func text(phase, words string) string {
	was := ""
	if phase != "" {
		was = `, "phase": "` + phase + `"`
	}
	raw, _ := json.Marshal(words) // encoding a text never fails
	return `{"id": "msg_1", "type": "message", "role": "assistant", "status": "completed"` + was +
		`, "content": [{"type": "output_text", "annotations": [], "logprobs": [], "text": ` + string(raw) + `}]}`
}

const (
	refusal   = `{"id": "msg_2", "type": "message", "role": "assistant", "status": "completed", "content": [{"type": "refusal", "refusal": "I cannot help with that."}]}`
	thought   = `{"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "First I look."}], "encrypted_content": "gAAA<&>1"}`
	again     = `{"id": "rs_2",  "type": "reasoning", "summary": [], "encrypted_content": "gAAA2"}`
	open      = `{"id": "rs_3", "type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Is it 4?"}]}`
	calc      = `{"id": "fc_1", "type": "function_call", "status": "completed", "call_id": "call_1", "name": "calc", "arguments": "{\"e\": 1.50}"}`
	lookup    = `{"id": "fc_2", "type": "function_call", "status": "completed", "call_id": "call_2", "name": "now", "arguments": "{}"}`
	searched  = `{"id": "ws_1", "type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "a < b", "n": 1e2}}`
	unheardOf = `{"type": "hologram", "content": 7, "call_id": [1], "phase": {"a": null}}`
)

func parse(t *testing.T, document string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(document), &v); err != nil {
		t.Fatalf("%v: %s", err, document)
	}
	return v
}
