package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// completion holds the used parts of a reply or of a piece of one, with go-openai's types where endpoints follow
// them. The functions below read deviating forms; additional fields are ignored.
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
	Error   json.RawMessage       `json:"error"` // of a gateway whose upstream failed
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
	var c completion
	err := json.Unmarshal(r.Body, &c)
	choices, wrong := elements[choice](c.Choices, 1)
	what := ""
	switch {
	case !json.Valid(r.Body):
		what = " is no JSON"
	case err != nil:
		what = " is no chat completion: " + err.Error()
	case wrong != nil && !errors.Is(wrong, errMore):
		what = " is no chat completion: choices: " + wrong.Error()
	case reportsFailure(c.Error): // some gateways do so with status 200, and beside a part of a reply
		return model.Response{}, m.rejection(r)
	case len(choices) > 0 && reportsFailure(choices[0].Error):
		return model.Response{}, m.rejection(wire.Reply{Status: r.Status, Header: r.Header, Body: ofChoice(choices[0].Error)})
	case len(choices) == 0 && wire.ReadFailure(r.Body).Message != "": // an error without an envelope, as vLLM's
		return model.Response{}, m.rejection(r)
	case len(choices) == 0:
		what = " has no choices"
	case !wire.Present(choices[0].Message):
		what = " has a choice without a message"
	}
	if what != "" {
		return model.Response{}, m.peer.Malformed(m.peer.Describe(r) + what)
	}
	g := newPartialReply(m.endpoint.Keep, nil)
	g.whole, g.model, g.usage, g.finish = true, c.Model, c.Usage, choices[0].Finish
	if err := g.message(choices[0].Message); err != nil {
		return model.Response{}, m.peer.Malformed("read the reply: " + err.Error())
	}
	return m.response(g)
}

// reportsFailure reports whether the member error of a reply states a failure: some endpoints send it empty.
func reportsFailure(raw json.RawMessage) bool {
	if !wire.Present(raw) {
		return false
	}
	s := wire.ReadFailure(ofChoice(raw))
	return s.Message != "" || len(s.Codes) > 0
}

// ofChoice is the error of a choice as the body of a reply that fails.
func ofChoice(raw json.RawMessage) []byte {
	return slices.Concat([]byte(`{"error":`), raw, []byte(`}`))
}

// response is the reply assembled from pieces. The error says that the endpoint broke it off.
func (m *Model) response(g *partialReply) (model.Response, error) {
	finish, err := m.peer.Finish(string(g.finish))
	if err != nil {
		return model.Response{}, err
	}
	slices.SortStableFunc(g.calls, func(a, b *partialCall) int { return cmp.Compare(a.index, b.index) })
	kept := opaque{Message: m.withoutKey(g.kept.joined())}
	var calls []model.ToolCall
	for _, c := range g.calls {
		calls = append(calls, model.ToolCall{ID: c.id, Name: c.name, Arguments: c.arguments.String()})
		kept.Calls = append(kept.Calls, m.withoutKey(c.kept.joined()))
	}
	out := model.Response{
		Message: model.Message{
			Role: model.Assistant, Content: g.content.String(), Thought: g.thought.String(), ToolCalls: calls, Opaque: kept.raw(),
		},
		Finish: finish, Model: cmp.Or(g.model, m.name),
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

// withoutKey drops kept members that contain the key: the endpoint would refuse changed ones.
func (m *Model) withoutKey(kept members) members {
	maps.DeleteFunc(kept, func(_ string, value json.RawMessage) bool { return m.peer.Key.Quoted(value) })
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

// Limits of a reply's lists; decoding more would cost far more time than its bytes suggest.
const (
	maxChoices = 16
	maxCalls   = 1000
	maxParts   = 10_000
)

var errMore = errors.New("there are more than are read")

// elements reads a JSON array up to a limit; errMore reports that it continues. null and an
// empty text have no elements.
func elements[T any](raw json.RawMessage, limit int) ([]T, error) {
	if !wire.Present(raw) {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if start, err := dec.Token(); err != nil || start != json.Delim('[') {
		return nil, errors.New("it is no list")
	}
	var out []T
	for dec.More() {
		if len(out) == limit {
			return out, errMore
		}
		var element T
		if err := dec.Decode(&element); err != nil {
			return nil, err
		}
		out = append(out, element)
	}
	return out, nil
}

// contentOf is the text of a content: the string itself, or the texts of its parts. Thinking parts, which Mistral
// writes as nested parts, are the thought; other types have no text.
func contentOf(raw json.RawMessage) (text, thought string, err error) {
	if !wire.Present(raw) || json.Unmarshal(raw, &text) == nil {
		return text, "", nil
	}
	type part struct {
		Text     string          `json:"text"`
		Thinking json.RawMessage `json:"thinking"`
	}
	parts, err := elements[part](raw, maxParts)
	if err != nil {
		return "", "", fmt.Errorf("content: %w", err)
	}
	var texts, thoughts strings.Builder
	for _, p := range parts {
		texts.WriteString(p.Text)
		if inner, _, err := contentOf(p.Thinking); err == nil {
			thoughts.WriteString(inner)
		}
	}
	return texts.String(), thoughts.String(), nil
}

// argumentsOf is the text of a call's arguments, or their raw JSON.
func argumentsOf(raw json.RawMessage) (string, error) {
	switch raw = bytes.TrimSpace(raw); {
	case !wire.Present(raw):
		return "", nil
	case raw[0] == '"':
		var text string
		err := json.Unmarshal(raw, &text)
		return text, err
	default:
		return string(raw), nil
	}
}
