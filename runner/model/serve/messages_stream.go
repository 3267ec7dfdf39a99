package serve

import (
	"encoding/json"

	"github.com/seed-5817661a/concur/runner/model"
)

// fields are those of an event or of a part of one; they depend on its type.
type fields map[string]any

func eventsOf(m messageReply) []event {
	var out []event
	add := func(e fields) {
		name, _ := e["type"].(string)
		out = append(out, event{name, e})
	}
	start := m
	start.Content, start.StopReason, start.Usage.Output = []any{}, "", 0
	add(fields{"type": "message_start", "message": struct {
		messageReply
		StopReason *model.FinishReason `json:"stop_reason"` // null until it is known
	}{start, nil}})
	for i, b := range m.Content {
		open, deltas := fragments(b)
		add(fields{"type": "content_block_start", "index": i, "content_block": open})
		for _, d := range deltas {
			add(fields{"type": "content_block_delta", "index": i, "delta": d})
		}
		add(fields{"type": "content_block_stop", "index": i})
	}
	add(fields{"type": "message_delta", "delta": fields{"stop_reason": m.StopReason, "stop_sequence": m.StopSequence}, "usage": m.Usage})
	add(fields{"type": "message_stop"})
	return out
}

// fragments splits a block into its empty start and the pieces of its content.
func fragments(block any) (open any, deltas []fields) {
	if c, ok := block.(replyCall); ok {
		for _, piece := range piecesOf(string(c.Input)) {
			deltas = append(deltas, fields{"type": "input_json_delta", "partial_json": piece})
		}
		c.Input = json.RawMessage(`{}`)
		return c, deltas
	}
	t, ok := block.(replyText)
	if !ok { // sealed, which comes at once
		return block, nil
	}
	for _, piece := range piecesOf(t.Text) {
		deltas = append(deltas, fields{"type": "text_delta", "text": piece})
	}
	return replyText{Type: "text"}, deltas
}
