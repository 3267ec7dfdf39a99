package serve

import (
	"crypto/rand"
	"maps"

	"github.com/seed-5817661a/concur/model"
)

// responses is the form of OpenAI's Responses API.
var responses = apiForm{read: parseResponses, write: responseOf, events: responseEvents, fail: failChat}

// responseOf writes a reply with the settings of its request. Its output is a list of items.
func responseOf(a replyRequest, r model.Response, created int64) fields {
	out := fields{
		"instructions": nil, "max_output_tokens": nil, "parallel_tool_calls": true,
		"reasoning":   fields{"effort": nil, "summary": nil},
		"temperature": nil, "text": fields{"format": fields{"type": "text"}}, "tool_choice": "auto", "tools": []any{},
		"top_p": nil, "metadata": fields{},
	}
	for name := range out {
		if value := a.echo[name]; present(value) {
			out[name] = value
		}
	}
	status, incomplete := "completed", any(nil)
	switch r.Finish {
	case model.FinishLength:
		status, incomplete = "incomplete", fields{"reason": "max_output_tokens"}
	case model.FinishContentFilter:
		status, incomplete = "incomplete", fields{"reason": "content_filter"}
	}
	u := r.Usage
	maps.Copy(out, fields{
		"id": "resp_" + rand.Text(), "object": "response", "created_at": created, "model": r.Model, "status": status,
		"error": nil, "incomplete_details": incomplete, "output": itemsOf(r, status),
		"background": false, "previous_response_id": nil, "store": false, "truncation": "disabled",
		"usage": fields{
			"input_tokens": u.InputTokens, "output_tokens": u.OutputTokens,
			"total_tokens":          u.InputTokens + u.OutputTokens,
			"input_tokens_details":  fields{"cached_tokens": u.CachedTokens, "cache_write_tokens": u.CacheWriteTokens},
			"output_tokens_details": fields{"reasoning_tokens": u.ReasoningTokens},
		},
	})
	return out
}

// The phases of a message: text next to calls is not the final answer.
const (
	commentary  = "commentary"
	finalAnswer = "final_answer"
)

// itemsOf returns the items of a reply: the thought with the data that the provider needs back, the text, and
// the calls. A reply without text and calls has an item with empty text.
func itemsOf(r model.Response, status string) []fields {
	out := []fields{}
	if len(r.Message.Opaque) > 0 || r.Message.Thought != "" {
		reasoning := fields{"type": "reasoning", "id": "rs_" + rand.Text(), "summary": summaryOf(r.Message.Thought)}
		if len(r.Message.Opaque) > 0 {
			reasoning["encrypted_content"] = encodeOpaque(r.Message.Opaque)
		}
		out = append(out, reasoning)
	}
	if phase := finalAnswer; r.Message.Content != "" || len(r.Message.ToolCalls) == 0 {
		if len(r.Message.ToolCalls) > 0 {
			phase = commentary
		}
		out = append(out, fields{
			"type": "message", "id": "msg_" + rand.Text(), "role": model.Assistant, "status": status, "phase": phase,
			"content": []any{textPart(r.Message.Content)},
		})
	}
	for _, c := range r.Message.ToolCalls {
		out = append(out, fields{"type": "function_call", "id": "fc_" + rand.Text(), "call_id": c.ID, "name": c.Name,
			"arguments": c.Arguments, "status": status})
	}
	return out
}

func summaryOf(thought string) []fields {
	if thought == "" {
		return []fields{}
	}
	return []fields{summaryPart(thought)}
}

func summaryPart(text string) fields { return fields{"type": "summary_text", "text": text} }

func textPart(text string) fields {
	return fields{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}
}

// responseEvents divides a response into events: the start of the response; then, for each item, its start,
// text and end; then the end of the response.
func responseEvents(response fields, _ replyRequest, _ model.Response) []event {
	var out []event
	add := func(name string, e fields) {
		e["type"], e["sequence_number"] = name, len(out)
		out = append(out, event{name, e})
	}
	begun := overlay(response, fields{"status": "in_progress", "output": []any{}, "usage": nil,
		"incomplete_details": nil})
	add("response.created", fields{"response": begun})
	add("response.in_progress", fields{"response": begun})
	items, _ := response["output"].([]fields) // itemsOf has this type
	for i, it := range items {
		at := func(e fields) fields { return overlay(e, fields{"item_id": it["id"], "output_index": i}) }
		part := func(e fields) fields { return at(overlay(e, fields{"content_index": 0})) }
		begin := func(empty fields) {
			add("response.output_item.added", fields{"output_index": i, "item": overlay(it, empty)})
		}
		switch it["type"] {
		case "message":
			content, _ := it["content"].([]any)
			whole, _ := content[0].(fields)
			text, _ := whole["text"].(string)
			begin(fields{"status": "in_progress", "content": []any{}})
			add("response.content_part.added", part(fields{"part": textPart("")}))
			for _, piece := range piecesOf(text) {
				add("response.output_text.delta", part(fields{"delta": piece, "logprobs": []any{}}))
			}
			add("response.output_text.done", part(fields{"text": text, "logprobs": []any{}}))
			add("response.content_part.done", part(fields{"part": whole}))
		case "function_call":
			text, _ := it["arguments"].(string)
			begin(fields{"status": "in_progress", "arguments": ""})
			for _, piece := range piecesOf(text) {
				add("response.function_call_arguments.delta", at(fields{"delta": piece}))
			}
			add("response.function_call_arguments.done", at(fields{"arguments": text, "name": it["name"]}))
		default:
			begin(fields{"summary": []fields{}})
			summary, _ := it["summary"].([]fields)
			for n, whole := range summary {
				part := func(e fields) fields { return at(overlay(e, fields{"summary_index": n})) }
				text, _ := whole["text"].(string)
				add("response.reasoning_summary_part.added", part(fields{"part": summaryPart("")}))
				for _, piece := range piecesOf(text) {
					add("response.reasoning_summary_text.delta", part(fields{"delta": piece}))
				}
				add("response.reasoning_summary_text.done", part(fields{"text": text}))
				add("response.reasoning_summary_part.done", part(fields{"part": whole}))
			}
		}
		add("response.output_item.done", fields{"output_index": i, "item": it})
	}
	end := "response.completed"
	if response["status"] != "completed" {
		end = "response.incomplete"
	}
	add(end, fields{"response": response})
	return out
}
