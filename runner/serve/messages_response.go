package serve

import (
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/model"
)

// messages is Anthropic's API.
var messages = apiForm{read: parseMessages, write: messageOf, events: messageEvents, fail: failMessages}

// messageOf writes a reply. A structured reply that is a JSON object becomes the input of a call; any other
// text stays a text, so that a client sees the model's words.
func messageOf(a replyRequest, r model.Response, _ int64) fields {
	req := a.request
	content, stop := []fields{}, stopReasonOf(r)
	if len(r.Message.Opaque) > 0 {
		content = append(content, fields{"type": "redacted_thinking", "data": encodeOpaque(r.Message.Opaque)})
	}
	calls := r.Message.ToolCalls
	switch text := r.Message.Content; {
	case req.Schema != nil && isObject(text):
		calls = slices.Insert(slices.Clone(calls), 0,
			model.ToolCall{ID: model.CallID(len(req.Messages), 0), Name: req.Schema.Name, Arguments: text})
		if stop == "end_turn" {
			stop = "tool_use"
		}
	case text != "":
		content = append(content, fields{"type": "text", "text": text})
	}
	for _, c := range calls {
		content = append(content, fields{"type": "tool_use", "id": c.ID, "name": c.Name, "input": inputOf(c.Arguments)})
	}
	return fields{
		"id": "msg_" + rand.Text(), "type": "message", "role": model.Assistant, "model": r.Model, "content": content,
		"stop_reason": stop, "stop_sequence": nil,
		"usage": fields{
			"input_tokens":                max(0, r.Usage.InputTokens-r.Usage.CachedTokens-r.Usage.CacheWriteTokens),
			"cache_creation_input_tokens": r.Usage.CacheWriteTokens,
			"cache_read_input_tokens":     r.Usage.CachedTokens, "output_tokens": r.Usage.OutputTokens,
		},
	}
}

// messageEvents divides a message into events: the start of the message; for each block the empty block, its
// text and its end; and the end of the message.
func messageEvents(m fields, _ replyRequest, _ model.Response) []event {
	var out []event
	add := func(name string, e fields) { out = append(out, event{name, overlay(e, fields{"type": name})}) }
	content, _ := m["content"].([]fields) // as messageOf has them
	usage, _ := m["usage"].(fields)
	add("message_start", fields{"message": overlay(m,
		fields{"content": []fields{}, "stop_reason": nil, "usage": overlay(usage, fields{"output_tokens": 0})})})
	for i, block := range content {
		var pieces []string
		var delta, piece string
		switch block["type"] {
		case "text":
			text, _ := block["text"].(string)
			pieces, delta, piece, block = piecesOf(text), "text_delta", "text", overlay(block, fields{"text": ""})
		case "tool_use":
			input, _ := block["input"].(json.RawMessage)
			pieces, delta, piece, block = piecesOf(string(input)), "input_json_delta", "partial_json",
				overlay(block, fields{"input": fields{}})
		}
		add("content_block_start", fields{"index": i, "content_block": block})
		for _, text := range pieces {
			add("content_block_delta", fields{"index": i, "delta": fields{"type": delta, piece: text}})
		}
		add("content_block_stop", fields{"index": i})
	}
	add("message_delta", fields{"delta": fields{"stop_reason": m["stop_reason"], "stop_sequence": nil}, "usage": usage})
	add("message_stop", fields{})
	return out
}

// stopReasonOf returns the API's word for a reason to finish, or the reason itself if there is no word for it.
func stopReasonOf(r model.Response) model.FinishReason {
	switch r.Finish {
	case model.FinishToolCalls:
		return "tool_use"
	case model.FinishLength:
		return "max_tokens"
	case model.FinishContentFilter:
		return "refusal"
	case model.FinishStop, "":
		return "end_turn"
	default:
		return r.Finish
	}
}

func isObject(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "{") && json.Valid([]byte(text))
}

// inputOf returns the input of a call. This is the object that the model wrote. If it wrote no object, it is
// the text that it wrote, so that a client can see the mistake.
func inputOf(arguments string) json.RawMessage {
	if isObject(arguments) {
		return json.RawMessage(arguments)
	}
	raw, _ := json.Marshal(arguments) // a text is always JSON
	return raw
}
