package openai

import (
	"encoding/json"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// plain writes what was said in the one form that go-openai reads.
func plain(s said) ([]byte, error) {
	type function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	type call struct {
		ID       string   `json:"id"`
		Function function `json:"function"`
	}
	type message struct {
		Content   string `json:"content"`
		Refusal   string `json:"refusal"`
		Thought   string `json:"reasoning_content,omitempty"`
		ToolCalls []call `json:"tool_calls"`
	}
	type choice struct {
		Message message         `json:"message"`
		Finish  json.RawMessage `json:"finish_reason,omitempty"`
	}
	m := message{Content: s.Content, Refusal: s.Refusal, Thought: s.Thought}
	for _, c := range s.Calls {
		m.ToolCalls = append(m.ToolCalls, call{c.ID, function{c.Name, c.Arguments}})
	}
	return json.Marshal(struct {
		Model   json.RawMessage `json:"model,omitempty"`
		Choices []choice        `json:"choices"`
		Usage   json.RawMessage `json:"usage,omitempty"`
	}{s.Model, []choice{{m, s.Finish}}, s.Usage})
}

// decode turns go-openai's reply into ours.
func (m *Model) decode(r goopenai.ChatCompletionResponse, kept opaque) model.Response {
	first := r.Choices[0]
	out := model.Response{
		Message: model.Message{Role: model.Assistant, Content: first.Message.Content, Thought: first.Message.ReasoningContent, Opaque: m.withoutKey(kept).raw()},
		Finish:  finish(string(first.FinishReason)),
		Usage:   usageOf(r.Usage),
		Model:   r.Model,
	}
	if refusal := first.Message.Refusal; refusal != "" {
		if out.Message.Content != "" {
			refusal = "\n" + refusal
		}
		out.Message.Content += refusal
		out.Finish = model.FinishStop
	}
	for _, c := range first.Message.ToolCalls {
		out.Message.ToolCalls = append(out.Message.ToolCalls,
			model.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
	}
	if out.Model == "" {
		out.Model = m.name
	}
	m.peer.Key.HideIn(&out)
	return out
}

// withoutKey drops kept members that quote the key: changed ones would not be taken back.
func (m *Model) withoutKey(kept opaque) opaque {
	for _, f := range append(kept.Calls[:len(kept.Calls):len(kept.Calls)], kept.Message) {
		for name, value := range f {
			if m.peer.Key.Quoted(value) {
				delete(f, name)
			}
		}
	}
	return kept
}

// usageOf reads a usage. Some endpoints (Gemini, xAI) count reasoning in the total alone,
// though it is paid for like the reply.
func usageOf(u goopenai.Usage) model.Usage {
	out := model.Usage{InputTokens: wire.Tokens(u.PromptTokens), OutputTokens: wire.Tokens(u.CompletionTokens)}
	if d := u.PromptTokensDetails; d != nil {
		out.CachedTokens = wire.Tokens(d.CachedTokens)
	}
	if d := u.CompletionTokensDetails; d != nil {
		out.ReasoningTokens = wire.Tokens(d.ReasoningTokens)
	}
	if beyond := wire.Tokens(u.TotalTokens) - out.InputTokens - out.OutputTokens; beyond > 0 && out.InputTokens > 0 {
		out.OutputTokens += beyond
		out.ReasoningTokens = max(out.ReasoningTokens, beyond)
	}
	out.ReasoningTokens = min(out.ReasoningTokens, out.OutputTokens)
	return out
}

// finish maps the other names that endpoints have for the reasons; unknown ones stay.
func finish(reason string) model.FinishReason {
	switch reason {
	case "eos", "eos_token", "stop_sequence", "end_turn":
		return model.FinishStop
	case "max_tokens", "model_length":
		return model.FinishLength
	case "function_call":
		return model.FinishToolCalls
	default:
		return model.FinishReason(reason)
	}
}
