package openai

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// completion holds the used parts of a reply or of a piece of one, with go-openai's types
// where endpoints follow them. values.go reads deviating forms; additional fields are
// ignored.
type completion struct {
	Error   json.RawMessage `json:"error"`
	Model   string          `json:"model"`
	Choices json.RawMessage `json:"choices"`
	Usage   *goopenai.Usage `json:"usage"`
	Groq    struct {
		Usage *goopenai.Usage `json:"usage"`
	} `json:"x_groq"`
}

type choice struct {
	Index   json.RawMessage       `json:"index"`
	Message json.RawMessage       `json:"message"`
	Delta   json.RawMessage       `json:"delta"` // in a stream, instead of Message
	Finish  goopenai.FinishReason `json:"finish_reason"`
}

type message struct {
	Content          json.RawMessage `json:"content"`
	Refusal          json.RawMessage `json:"refusal"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ToolCalls        json.RawMessage `json:"tool_calls"`
}

// texts are the content, the refusal and the thought of a message or of a piece of one.
func (m message) texts() (content, refusal, thought string, err error) {
	if content, thought, err = contentOf(m.Content); err != nil {
		return "", "", "", err
	}
	if refusal, _, err = contentOf(m.Refusal); err != nil {
		return "", "", "", err
	}
	for _, raw := range []json.RawMessage{m.ReasoningContent, m.Reasoning} { // some endpoints give the same text in both
		if text := ""; thought == "" && json.Unmarshal(raw, &text) == nil {
			thought = text
		}
	}
	return content, refusal, thought, nil
}

type call struct {
	goopenai.ToolCall
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// whole reads the first choice of a successful reply in one piece.
func (m *Model) whole(r wire.Reply) (model.Response, error) {
	malformed := func(what string) (model.Response, error) {
		return model.Response{}, m.peer.Malformed(m.peer.Describe(r) + what)
	}
	var c completion
	if err := json.Unmarshal(r.Body, &c); err != nil {
		if !json.Valid(r.Body) {
			return malformed(" is no JSON")
		}
		return malformed(" is no chat completion: " + err.Error())
	}
	choices, err := elements[choice](c.Choices, 1)
	switch {
	case err != nil && !errors.Is(err, errMore):
		return malformed(" is no chat completion: choices: " + err.Error())
	case len(choices) == 0 && wire.Present(c.Error):
		return model.Response{}, m.rejection(r) // some gateways report a failure with status 200
	case len(choices) == 0:
		return malformed(" has no choices")
	case !wire.Present(choices[0].Message):
		return malformed(" has a choice without a message")
	}
	g := newPartialReply(m.endpoint.Keep, nil)
	g.whole, g.model, g.usage, g.finish = true, c.Model, c.Usage, choices[0].Finish
	if err := g.message(choices[0].Message); err != nil {
		return model.Response{}, m.peer.Malformed("read the reply: " + err.Error())
	}
	return m.response(g)
}

// response is the reply assembled from pieces.
func (m *Model) response(g *partialReply) (model.Response, error) {
	calls := g.toolCalls()
	kept, err := g.keptMembers()
	if err != nil {
		return model.Response{}, m.peer.Malformed("read the reply: " + err.Error())
	}
	out := model.Response{
		Message: model.Message{
			Role: model.Assistant, Content: g.content.String(), Thought: g.thought.String(), ToolCalls: calls,
			Opaque: m.withoutKey(kept).raw(),
		},
		Finish: finish(string(g.finish)), Model: cmp.Or(g.model, m.name),
	}
	if g.usage != nil {
		out.Usage = usageOf(*g.usage)
	}
	if refusal := g.refusal.String(); refusal != "" {
		out.Message.Content = strings.TrimPrefix(out.Message.Content+"\n"+refusal, "\n")
		out.Finish = model.FinishStop
	}
	return out, nil
}

// withoutKey drops kept members that contain the key: the endpoint would refuse changed
// ones.
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

// usageOf reads a usage. Some endpoints (Gemini, xAI) count reasoning only in the total,
// although it is paid like the reply.
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

// finish maps other names of the finish reasons; unknown ones are unchanged.
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

// chunk adds a piece of a streamed reply.
func (g *partialReply) chunk(raw json.RawMessage) error {
	var c completion
	if err := json.Unmarshal(raw, &c); err != nil {
		return fmt.Errorf("it holds an event that is no part of a chat completion: %w", err)
	}
	if wire.Present(c.Error) {
		return wire.Failed{Body: raw}
	}
	if c.Model != "" {
		g.model = c.Model
	}
	for _, usage := range []*goopenai.Usage{c.Groq.Usage, c.Usage} {
		if usage != nil {
			g.usage = usage
		}
	}
	choices, err := elements[choice](c.Choices, maxChoices)
	if err != nil {
		return fmt.Errorf("choices: %w", err)
	}
	for _, c := range choices {
		if wire.Present(c.Index) && string(c.Index) != "0" {
			continue // only one was requested
		}
		g.begun = true
		if c.Finish != "" {
			g.finish = c.Finish
		}
		if err := g.message(c.Delta); err != nil {
			return err
		}
	}
	return nil
}
