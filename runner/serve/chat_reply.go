package serve

import (
	"crypto/rand"

	"github.com/seed-5817661a/concur/model"
)

// chat is the form of OpenAI's chat completions.
var chat = apiForm{read: parse, write: completionOf, events: chunksOf, end: "data: [DONE]\n\n", fail: failChat}

func completionOf(_ replyRequest, r model.Response, created int64) fields {
	return fields{
		"id": "chatcmpl-" + rand.Text(), "created": created, "model": r.Model, "object": "chat.completion",
		"usage": chatUsage(r.Usage),
		"choices": []fields{{"index": 0, "message": chatMessage(r.Message), "logprobs": nil,
			"finish_reason": r.Finish}},
	}
}

// chatStart returns a message without its content and calls.
func chatStart(m model.Message) fields {
	out := fields{"role": model.Assistant, "content": ""}
	if len(m.Opaque) > 0 {
		out["reasoning_sealed"] = encodeOpaque(m.Opaque)
	}
	return out
}

func chatMessage(m model.Message) fields {
	out := overlay(chatStart(m), fields{"content": m.Content, "refusal": nil})
	if len(m.ToolCalls) == 0 {
		return out
	}
	if m.Content == "" {
		out["content"] = nil
	}
	var calls []fields
	for _, c := range m.ToolCalls {
		calls = append(calls, chatCall(c, c.Arguments))
	}
	out["tool_calls"] = calls
	return out
}

func chatCall(c model.ToolCall, arguments string) fields {
	return fields{"id": c.ID, "type": "function", "function": fields{"name": c.Name, "arguments": arguments}}
}

func chatUsage(u model.Usage) fields {
	return fields{
		"prompt_tokens": u.InputTokens, "completion_tokens": u.OutputTokens,
		"total_tokens":              u.InputTokens + u.OutputTokens,
		"prompt_tokens_details":     fields{"cached_tokens": u.CachedTokens, "cache_write_tokens": u.CacheWriteTokens},
		"completion_tokens_details": fields{"reasoning_tokens": u.ReasoningTokens},
	}
}

// chunksOf divides a completion into events: the role, the content, the calls in order, and the finish
// reason. If usage was requested, the last event has it, and the other events have null.
func chunksOf(whole fields, a replyRequest, r model.Response) []event {
	var out []event
	add := func(choices []fields, usage any) {
		chunk := overlay(whole, fields{"object": "chat.completion.chunk", "choices": choices, "usage": usage})
		if !a.usage {
			delete(chunk, "usage")
		}
		out = append(out, event{data: chunk})
	}
	grow := func(delta fields, finish any) {
		add([]fields{{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": finish}}, nil)
	}
	growCall := func(i int, delta fields) {
		grow(fields{"tool_calls": []fields{overlay(delta,
			fields{"index": i})}}, nil)
	}
	grow(chatStart(r.Message), nil)
	for _, piece := range piecesOf(r.Message.Content) {
		grow(fields{"content": piece}, nil)
	}
	for i, c := range r.Message.ToolCalls {
		growCall(i, chatCall(c, ""))
		for _, piece := range piecesOf(c.Arguments) {
			growCall(i, fields{"function": fields{"arguments": piece}})
		}
	}
	grow(fields{}, r.Finish)
	if a.usage {
		add([]fields{}, chatUsage(r.Usage))
	}
	return out
}
