package responses_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

const (
	created = `{"type": "response.created", "sequence_number": 0, "response": {"id": "resp_1", "status": "in_progress", "output": [], "error": null}}`
	steps   = `{"type": "response.steer_requested", "delta": {"a": 1}, "output_index": "x"}`
)

func added(index int, item string) string {
	return fmt.Sprintf(`{"type": "response.output_item.added", "output_index": %d, "item": %s}`, index, item)
}

func done(index int, item string) string {
	return fmt.Sprintf(`{"type": "response.output_item.done", "output_index": %d, "item": %s}`, index, item)
}

func delta(kind string, index int, text string) string {
	return fmt.Sprintf(`{"type": "response.%s.delta", "output_index": %d, "delta": %q}`, kind, index, text)
}

func finished(body string) string {
	kind := "completed"
	if strings.Contains(body, `"status": "incomplete"`) {
		kind = "incomplete"
	}
	return `{"type": "response.` + kind + `", "response": ` + body + `}`
}

func TestStreamsMeanTheSame(t *testing.T) {
	for _, c := range replies {
		got, err := streaming(t, created, steps, finished(c.body)).Stream(t.Context(), question, func(string) {})
		checkReply(t, c.name, got, err, c.content, c.thought, c.calls, c.finish)
	}
}

// TestStreamsAreToldAsTheyCome checks that onText gets only the text of answers, and that all other items are
// put together.
func TestStreamsAreToldAsTheyCome(t *testing.T) {
	empty := `{"type": "message", "role": "assistant", "phase": "%s", "content": []}`
	events := []string{
		created, `{"type": "keepalive"}`, added(0, thought), `{"type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": "First"}`, done(0, thought),
		added(1, fmt.Sprintf(empty, "commentary")), delta("output_text", 1, "Answer: 4"), done(1, text("commentary", "Answer: 4")),
		added(2, fmt.Sprintf(empty, "final_answer")), delta("output_text", 2, "Answer"), delta("output_text", 2, ": 5"),
	}
	for name, end := range map[string][]string{
		"whole":       {done(2, text("final_answer", "Answer: 5")), finished(replyOf(thought, text("commentary", "Answer: 4"), text("final_answer", "Answer: 5")))},
		"of items":    {done(2, text("final_answer", "Answer: 5")), finished(replyOf())},
		"of pieces":   {finished(replyOf())},
		"end missing": {done(2, text("final_answer", "Answer: 5"))},
	} {
		var told []string
		got, err := streaming(t, append(events[:len(events):len(events)], end...)...).Stream(t.Context(), question, func(piece string) { told = append(told, piece) })
		if name == "end missing" {
			fails(t, err, model.ErrUnavailable)
			continue
		}
		checkReply(t, name, got, err, "Answer: 5", "First I look.\nAnswer: 4", nil, model.FinishStop)
		if len(told) < 2 || strings.Join(told, "") != "Answer: 5" {
			t.Errorf("%s: told %q", name, told)
		}
	}
}

func TestStreamOfCallsInPieces(t *testing.T) {
	began := strings.Replace(calc, `"{\"e\": 1.50}"`, `""`, 1)
	got, err := streaming(t, created, added(0, began), delta("function_call_arguments", 0, `{"e":`), delta("function_call_arguments", 0, ` 1.50}`),
		done(1, lookup), finished(replyOf())).Stream(t.Context(), question, func(string) {})
	checkReply(t, "pieces", got, err, "", "", calls, model.FinishToolCalls)
}

func TestBrokenStreams(t *testing.T) {
	whole := eventsOf(created, added(0, text("", "")), delta("output_text", 0, "Answer: 5"), finished(replyOf(text("", "Answer: 5"))))
	for _, c := range []struct {
		name, body string
		kind       model.ErrorKind
		says       string
	}{
		{"cut before the end", eventsOf(created, delta("output_text", 0, "Answer: 5")), model.ErrUnavailable, "broke off"},
		{"ended by another wire's mark", eventsOf(created) + "data: [DONE]\n\n", model.ErrUnavailable, "broke off"},
		{"failed", eventsOf(created, `{"type": "response.failed", "response": `+ended("failed", `"error": {"code": "rate_limit_exceeded", "message": "Slow down"}`)+`}`), model.ErrRateLimited, "Slow down"},
		{"failed without a cause", eventsOf(created, `{"type": "response.failed", "response": {"status": "failed"}}`), model.ErrUnavailable, `"failed"`},
		{"an error", eventsOf(created, `{"type": "error", "code": "server_error", "message": "Overloaded", "param": null, "sequence_number": 3}`), model.ErrUnavailable, "Overloaded"},
		{"an error of the policy", eventsOf(created, `{"type": "error", "code": "bio_policy", "message": "No"}`), model.ErrContentFilter, "No"},
		{"an error in an envelope", eventsOf(created, `{"type": "error", "error": {"type": "tokens", "code": "context_length_exceeded", "message": "Too long"}}`), model.ErrContextOverflow, "Too long"},
		{"an error without a type", eventsOf(created, `{"error": {"message": "out of memory", "code": 500}}`), model.ErrUnavailable, "out of memory"},
		{"another wire", "data: {\"choices\": []}\n\n", model.ErrMalformed, "no events of a response"},
		{"not JSON", "data: {\"type\": \n\n", model.ErrMalformed, "not JSON"},
		{"an end without a response", eventsOf(created, `{"type": "response.completed"}`), model.ErrMalformed, "response of unknown form"},
	} {
		_, err := at(t, wiretest.Respond(200, "text/event-stream", c.body)).Stream(t.Context(), question, func(string) {})
		if text := fails(t, err, c.kind); !strings.Contains(text, c.says) {
			t.Errorf("%s: %s\nlacks %q", c.name, text, c.says)
		}
	}
	for n := range len(whole) - len("\n\n") { // the last event counts when its data is complete
		_, err := at(t, wiretest.Respond(200, "text/event-stream", whole[:n])).Stream(t.Context(), question, func(string) {})
		kind := model.KindOf(err)
		if err == nil || kind != model.ErrUnavailable && kind != model.ErrMalformed {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
	}
}

func TestConnectionsThatBreak(t *testing.T) {
	m := at(t, wiretest.HangUp(t, 0))
	_, err := m.Complete(t.Context(), question)
	fails(t, err, model.ErrUnavailable)
	m = at(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Length", "99999")
		_, _ = w.Write([]byte(eventsOf(created)))
	})
	_, err = m.Stream(t.Context(), question, func(string) {})
	if fails(t, err, model.ErrUnavailable); errors.Unwrap(err) == nil {
		t.Errorf("%v has no cause", err)
	}
}
