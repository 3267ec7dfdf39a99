package responses_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

// behaviour is a server's reply, and its meaning: a response, or an error of a kind.
type behaviour struct {
	name   string
	status int    // 0 means 200
	kind   string // content type; "" means application/json
	header map[string]string
	body   string

	content string
	thought string
	calls   []model.ToolCall
	finish  model.FinishReason
	usage   model.Usage
	fails   model.ErrorKind // "" if there is no error
	says    string          // a part of the error
	after   time.Duration   // the value of its Retry-After
}

const (
	stream = "text/event-stream"
	okay   = `"status": "completed", "error": null, "incomplete_details": null`
)

// bare returns a response with some fields and items.
func bare(members string, items ...string) string {
	return `{"id": "resp_1", "object": "response", ` + members + `, "output": [` + strings.Join(items, ",") + `]}`
}

var longID = "call_" + strings.Repeat("0123456789abcdef", 4096)

// behaviours has replies of compatible servers, and connections that break.
var behaviours = []behaviour{
	{name: "cut within an event", kind: stream, body: `data: {"type": "response.output_text.delta", "output_index": 0, "del`, fails: model.ErrUnavailable},
	{name: "cut after an item is done", kind: stream, body: eventsOf(created, done(0, text("", "Answer: 5"))), fails: model.ErrUnavailable, says: "broke off"},
	{name: "a body that is cut", body: replyOf(text("", "Answer: 5"))[:120], fails: model.ErrMalformed},
	{name: "items that end in another order", kind: stream, body: eventsOf(created, added(1, text("", "")), done(1, text("", "b")), added(0, thought), done(0, thought), finished(bare(okay))),
		content: "b", thought: "First I look.", finish: model.FinishStop},
	{name: "a call that is done before it is added", kind: stream, body: eventsOf(created, done(0, calc), added(0, strings.Replace(calc, `{\"e\": 1.50}`, "", 1)), finished(bare(okay))),
		calls: calls[:1], finish: model.FinishToolCalls},
	{name: "pieces before the item", kind: stream, body: eventsOf(created, delta("output_text", 0, "Answer: "), added(0, text("", "")), delta("output_text", 0, "5"), finished(bare(okay))),
		content: "Answer: 5", finish: model.FinishStop},
	{name: "two items of reasoning one after another", body: bare(okay, thought, open, text("", "5")), content: "5", thought: "First I look.\nIs it 4?", finish: model.FinishStop},
	{name: "unknown kinds of items, parts and events", kind: stream, body: eventsOf(created, `{"type": "response.hologram.delta", "output_index": [], "delta": 3}`, finished(bare(okay, unheardOf,
		`{"type": "message", "role": "assistant", "content": [{"type": "hologram", "data": [1]}, {"type": "output_text", "text": "5"}]}`))), content: "5", finish: model.FinishStop},
	{name: "usage as a text", body: bare(okay+`, "usage": "12 tokens"`, text("", "5")), content: "5", finish: model.FinishStop},
	{name: "usage of texts", body: bare(okay+`, "usage": {"input_tokens": "12", "output_tokens": " 3.0 "}`, text("", "5")), content: "5", finish: model.FinishStop, usage: model.Usage{InputTokens: 12, OutputTokens: 3}},
	{name: "incomplete without details", body: bare(`"status": "incomplete"`, text("", "Ans")), content: "Ans", finish: model.FinishLength},
	{name: "incomplete, details as a text", body: bare(`"status": "incomplete", "incomplete_details": "max_output_tokens"`, text("", "Ans")), content: "Ans", finish: model.FinishLength},
	{name: "incomplete, details without a reason", body: bare(`"status": "incomplete", "incomplete_details": {}`, text("", "Ans")), content: "Ans", finish: model.FinishLength},
	{name: "an error object in the stream", kind: stream, body: eventsOf(created, delta("output_text", 0, "Answer: 5"), `{"error": {"message": "CUDA out of memory", "type": "server_error"}}`), fails: model.ErrUnavailable, says: "CUDA"},
	{name: "an error that is a text in the stream", kind: stream, body: eventsOf(created, `{"type": "error", "error": "engine died"}`), fails: model.ErrUnavailable, says: "engine died"},
	{name: "an error beside a text", body: bare(`"status": "completed", "error": {"code": "server_error", "message": "The model failed"}`, text("", "Answer: 5")), fails: model.ErrUnavailable, says: "failed"},
	{name: "429 with Retry-After", status: 429, header: map[string]string{"Retry-After": "7"}, body: `{"error": {"message": "Slow down", "code": "rate_limit_exceeded"}}`, fails: model.ErrRateLimited, says: "retry after 7", after: 7 * time.Second},
	{name: "429 of a page", status: 429, kind: "text/html", header: map[string]string{"Retry-After": "2"}, body: "<html>", fails: model.ErrRateLimited, after: 2 * time.Second},
	{name: "the content filter", body: bare(`"status": "incomplete", "incomplete_details": {"reason": "content_filter"}`), finish: model.FinishContentFilter},
	{name: "the content filter as a status", status: 400, body: `{"error": {"message": "The response was filtered", "code": "content_filter"}}`, fails: model.ErrContentFilter},
	{name: "a refusal in pieces", kind: stream, body: eventsOf(created, added(0, strings.Replace(refusal, "I cannot help with that.", "", 1)), delta("refusal", 0, "I can"), delta("refusal", 0, "not."), finished(bare(okay))),
		content: "I cannot.", finish: model.FinishContentFilter},
	{name: "an empty output", body: bare(okay), finish: model.FinishStop},
	{name: "no output but output_text", body: `{"object": "response", ` + okay + `, "output_text": "Answer: 5"}`, content: "Answer: 5", finish: model.FinishStop},
	{name: "no output_text but parts of texts", body: bare(okay, `{"type": "message", "role": "assistant", "content": ["Answer: ", "5"]}`), content: "Answer: 5", finish: model.FinishStop},
	{name: "a very long id", body: bare(okay, strings.Replace(calc, "call_1", longID, 1)), calls: []model.ToolCall{{ID: longID, Name: "calc", Arguments: calls[0].Arguments}}, finish: model.FinishToolCalls},
	{name: "ids that are numbers", body: bare(okay, `{"type": "function_call", "id": 7, "call_id": 12, "name": "now", "arguments": null}`), calls: []model.ToolCall{{ID: "12", Name: "now"}}, finish: model.FinishToolCalls},
	{name: "a BOM", body: "\uFEFF" + bare(okay, text("", "5")), content: "5", finish: model.FinishStop},
	{name: "a BOM before a stream", kind: stream, body: "\uFEFF" + eventsOf(finished(bare(okay, text("", "5")))), content: "5", finish: model.FinishStop},
	{name: "a stream that was not asked for", kind: stream, body: eventsOf(created, delta("output_text", 0, "5"), finished(bare(okay, text("", "5")))), content: "5", finish: model.FinishStop},
	{name: "null fields", body: `{"id": null, "object": null, "model": null, "status": null, "error": null, "incomplete_details": null, "usage": null, "output": [
		{"type": "reasoning", "id": null, "summary": null, "content": null, "encrypted_content": null},
		{"type": "message", "role": null, "phase": null, "status": null, "content": [{"type": "output_text", "text": "5", "annotations": null}, {"type": "refusal", "refusal": null}, null]}]}`,
		content: "5", finish: model.FinishStop},
	{name: "null deltas", kind: stream, body: eventsOf(created, `{"type": "response.output_text.delta", "output_index": null, "delta": null}`, finished(bare(okay, text("", "5")))), content: "5", finish: model.FinishStop},
	{name: "an index that is a text", kind: stream, body: eventsOf(created, `{"type": "response.output_item.done", "output_index": "0", "item": `+text("", "5")+`}`, finished(bare(okay))), content: "5", finish: model.FinishStop},
	{name: "a phase and a model of another type", body: bare(okay+`, "model": 7`, `{"type": "message", "phase": 1, "content": "5"}`), content: "5", finish: model.FinishStop},
}

// TestBehavioursOfServers checks that a server's reply has the same meaning whether or not a stream was
// requested.
func TestBehavioursOfServers(t *testing.T) {
	for _, c := range behaviours {
		t.Run(c.name, func(t *testing.T) {
			kind, status := c.kind, c.status
			if kind == "" {
				kind = "application/json"
			}
			if status == 0 {
				status = 200
			}
			m := at(t, func(w http.ResponseWriter, r *http.Request) {
				for name, value := range c.header {
					w.Header().Set(name, value)
				}
				wiretest.Respond(status, kind, c.body)(w, r)
			})
			whole, wholeErr := m.Complete(t.Context(), question)
			streamed, streamedErr := m.Stream(t.Context(), question, func(string) {})
			for how, got := range map[string]struct {
				model.Response
				err error
			}{"whole": {whole, wholeErr}, "streamed": {streamed, streamedErr}} {
				if c.fails != "" {
					words := fails(t, got.err, c.fails)
					e, _ := errors.AsType[*model.Error](got.err)
					if !strings.Contains(words, c.says) || e.RetryAfter != c.after {
						t.Errorf("%s: %s, to be sent again after %v", how, words, e.RetryAfter)
					}
					continue
				}
				if got.err != nil {
					t.Errorf("%s: %v", how, got.err)
					continue
				}
				got.Message.Opaque, got.Model, got.Sent = nil, "", nil
				if c.usage == (model.Usage{}) {
					got.Usage = c.usage // see TestUsageOfAnyForm
				}
				want := model.Response{Message: model.Message{Role: model.Assistant, Content: c.content, Thought: c.thought, ToolCalls: c.calls}, Finish: c.finish, Usage: c.usage}
				if diff := cmp.Diff(want, got.Response); diff != "" {
					t.Errorf("%s (-want +got):\n%s", how, diff)
				}
			}
		})
	}
}
