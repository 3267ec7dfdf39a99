package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/seed-5817661a/concur/runner/model"
)

// event is one server-sent event. Its fields depend on its type.
type event map[string]any

// stream sends a reply as server-sent events. A model here answers all at once, so every
// block comes in one piece, and a failure comes as a plain error before any event.
func stream(w http.ResponseWriter, m messageReply) {
	var out bytes.Buffer
	for _, e := range eventsOf(m) {
		raw, err := encodeJSON(e)
		if err != nil {
			writeMessagesError(w, apiError{Status: http.StatusInternalServerError, Message: "the response cannot be written as JSON"})
			return
		}
		fmt.Fprintf(&out, "event: %s\ndata: %s\n", e["type"], raw) // raw ends its line
		out.WriteByte('\n')
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(out.Bytes()) // a client that has left cannot be told of a failure
}

func eventsOf(m messageReply) []event {
	start := m
	start.Content, start.StopReason, start.Usage.Output = []any{}, "", 0
	out := []event{{"type": "message_start", "message": struct {
		messageReply
		StopReason *model.FinishReason `json:"stop_reason"` // null until it is known
	}{start, nil}}}
	for i, b := range m.Content {
		open, delta := fragments(b)
		out = append(out,
			event{"type": "content_block_start", "index": i, "content_block": open},
			event{"type": "content_block_delta", "index": i, "delta": delta},
			event{"type": "content_block_stop", "index": i})
	}
	return append(out,
		event{"type": "message_delta", "delta": event{"stop_reason": m.StopReason, "stop_sequence": m.StopSequence}, "usage": m.Usage},
		event{"type": "message_stop"})
}

// fragments splits a block into its empty start and all of its content.
func fragments(block any) (open any, delta event) {
	if c, ok := block.(replyCall); ok {
		input := string(c.Input)
		c.Input = json.RawMessage(`{}`)
		return c, event{"type": "input_json_delta", "partial_json": input}
	}
	t, _ := block.(replyText) // there is no third kind
	return replyText{Type: "text"}, event{"type": "text_delta", "text": t.Text}
}
