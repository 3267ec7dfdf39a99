package serve

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/seed-5817661a/concur/runner/model"
)

// event is one server-sent event. Its fields depend on its type.
type event map[string]any

// stream sends a reply as server-sent events. The model has answered by then, so that a
// failure comes as a plain error before any event.
func stream(w http.ResponseWriter, m messageReply) {
	var all [][]byte
	for _, e := range eventsOf(m) {
		raw, err := encodeJSON(e)
		if err != nil {
			writeMessagesError(w, apiError{Status: http.StatusInternalServerError, Message: "the response cannot be written as JSON"})
			return
		}
		all = append(all, fmt.Appendf(nil, "event: %s\ndata: %s\n", e["type"], raw)) // raw ends its line
	}
	writeEvents(w, all...)
}

func eventsOf(m messageReply) []event {
	start := m
	start.Content, start.StopReason, start.Usage.Output = []any{}, "", 0
	out := []event{{"type": "message_start", "message": struct {
		messageReply
		StopReason *model.FinishReason `json:"stop_reason"` // null until it is known
	}{start, nil}}}
	for i, b := range m.Content {
		open, deltas := fragments(b)
		out = append(out, event{"type": "content_block_start", "index": i, "content_block": open})
		for _, d := range deltas {
			out = append(out, event{"type": "content_block_delta", "index": i, "delta": d})
		}
		out = append(out, event{"type": "content_block_stop", "index": i})
	}
	return append(out,
		event{"type": "message_delta", "delta": event{"stop_reason": m.StopReason, "stop_sequence": m.StopSequence}, "usage": m.Usage},
		event{"type": "message_stop"})
}

// fragments splits a block into its empty start and the pieces of its content.
func fragments(block any) (open any, deltas []event) {
	if c, ok := block.(replyCall); ok {
		for _, piece := range piecesOf(string(c.Input)) {
			deltas = append(deltas, event{"type": "input_json_delta", "partial_json": piece})
		}
		c.Input = json.RawMessage(`{}`)
		return c, deltas
	}
	t, _ := block.(replyText) // there is no third kind
	for _, piece := range piecesOf(t.Text) {
		deltas = append(deltas, event{"type": "text_delta", "text": piece})
	}
	return replyText{Type: "text"}, deltas
}
