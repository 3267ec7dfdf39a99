package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire"
)

// completion has the fields that are read from a reply or a piece of one. It uses go-openai's types where
// endpoints follow them; the functions below read other forms. Additional fields are ignored.
type completion struct {
	Error   json.RawMessage `json:"error"`
	Model   string          `json:"model"`
	Choices json.RawMessage `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Groq    struct {
		Usage json.RawMessage `json:"usage"`
	} `json:"x_groq"`
}

type choice struct {
	Index   json.RawMessage       `json:"index"`
	Message json.RawMessage       `json:"message"`
	Delta   json.RawMessage       `json:"delta"` // in a stream, instead of Message
	Finish  goopenai.FinishReason `json:"finish_reason"`
	Error   json.RawMessage       `json:"error"` // a gateway's error if its upstream failed
}

type message struct {
	Content          json.RawMessage `json:"content"`
	Refusal          json.RawMessage `json:"refusal"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ReasoningDetails json.RawMessage `json:"reasoning_details"` // OpenRouter: parts with a text or a summary
	ToolCalls        json.RawMessage `json:"tool_calls"`
	FunctionCall     json.RawMessage `json:"function_call"` // the only call, in the older form of the API
}

// texts returns the content, the refusal and the thought of a message, or of a piece of one.
func (m message) texts() (content, refusal, thought string, err error) {
	if content, thought, err = contentOf(m.Content); err != nil {
		return "", "", "", err
	}
	if refusal, _, err = contentOf(m.Refusal); err != nil {
		return "", "", "", err
	}
	// some endpoints send the same text in both fields
	for _, raw := range []json.RawMessage{m.ReasoningContent, m.Reasoning} {
		if text := ""; thought == "" && json.Unmarshal(raw, &text) == nil {
			thought = text
		}
	}
	if thought == "" {
		thought = detailsOf(m.ReasoningDetails)
	}
	return content, refusal, thought, nil
}

// detailsOf joins the texts of reasoning details. Encrypted details have no text.
func detailsOf(raw json.RawMessage) string {
	type detail struct {
		Text    string `json:"text"`
		Summary string `json:"summary"`
	}
	details, err := elements[detail](raw, maxParts)
	if err != nil {
		return ""
	}
	var out strings.Builder
	for _, d := range details {
		out.WriteString(cmp.Or(d.Text, d.Summary))
	}
	return out.String()
}

type call struct {
	Index    json.RawMessage `json:"index"` // a number, or a text
	ID       json.RawMessage `json:"id"`    // a text, or a number
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// at returns the index of a call; given is false if the call has no index.
func (c call) at() (index int, given bool) {
	index, err := strconv.Atoi(wire.Words(c.Index))
	return index, err == nil
}

// whole reads a successful reply that is not a stream. It uses the first choice. If that has no calls, it
// takes the calls of another choice, because some gateways send text and calls as two choices.
func (m *Model) whole(r wire.Reply) (model.Response, error) {
	var c completion
	err := json.Unmarshal(r.Body, &c)
	choices, wrong := elements[choice](c.Choices, maxChoices)
	what := ""
	switch {
	case !json.Valid(r.Body):
		what = " is not JSON"
	case err != nil:
		what = " is not a chat completion: " + err.Error()
	case wrong != nil && !errors.Is(wrong, errMore):
		what = " is not a chat completion: choices: " + wrong.Error()
	case reportsFailure(c.Error): // some gateways report a failure with status 200, even with a part of a reply
		return model.Response{}, m.rejection(r)
	case len(choices) > 0 && reportsFailure(choices[0].Error):
		return model.Response{}, m.rejection(wire.Reply{Status: r.Status, Header: r.Header,
			Body: ofChoice(choices[0].Error)})
	case len(choices) == 0 && wire.ReadFailure(r.Body).Message != "": // an error without an object "error", as in vLLM
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
	g.whole, g.model, g.usage, g.finish = true, c.Model, usageIn(c.Usage), choices[0].Finish
	if err := g.message(choices[0].Message); err != nil {
		return model.Response{}, m.peer.Malformed("read the reply: " + err.Error())
	}
	for _, c := range choices[1:] {
		g.second().whole = true
		_ = g.second().message(c.Message) // another choice may have any form
	}
	return m.response(g)
}

// reportsFailure reports whether the field error states a failure; some endpoints send it empty.
func reportsFailure(raw json.RawMessage) bool {
	if !wire.Present(raw) {
		return false
	}
	s := wire.ReadFailure(ofChoice(raw))
	return s.Message != "" || len(s.Codes) > 0
}

// ofChoice returns the error of a choice in the form of a failed reply's body.
func ofChoice(raw json.RawMessage) []byte {
	return slices.Concat([]byte(`{"error":`), raw, []byte(`}`))
}

// response builds the response from the pieces, or returns an error if the endpoint broke off the reply.
func (m *Model) response(g *partialReply) (model.Response, error) {
	if len(g.calls) == 0 && g.other != nil {
		g.calls = g.other.calls
	}
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
			Role: model.Assistant, Content: g.content.String(), Thought: g.thought.String(), ToolCalls: calls,
			Opaque: kept.raw(),
		},
		Finish: finish, Model: cmp.Or(g.model, m.name),
	}
	if g.usage != nil {
		out.Usage = g.usage.tokens()
	}
	if refusal := g.refusal.String(); refusal != "" {
		out.Message.Content = strings.TrimPrefix(out.Message.Content+"\n"+refusal, "\n")
		out.Finish = model.FinishStop
	}
	return out, nil
}

// withoutKey removes the fields that contain the key. They must not be stored. The endpoint would refuse a
// field in which the key is replaced.
func (m *Model) withoutKey(kept members) members {
	maps.DeleteFunc(kept, func(_ string, value json.RawMessage) bool { return m.peer.Key.Quoted(value) })
	return kept
}

// Limits of a reply's lists, because decoding an element takes far more time than its size suggests.
const (
	maxChoices = 16
	maxCalls   = 1000
	maxParts   = 10_000
)

var errMore = errors.New("the list is longer than the limit")

// elements reads at most limit elements of a JSON array; errMore reports that there are more. null and an
// empty text have no elements.
func elements[T any](raw json.RawMessage, limit int) ([]T, error) {
	if !wire.Present(raw) {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if start, err := dec.Token(); err != nil || start != json.Delim('[') {
		return nil, errors.New("it is not a list")
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

// contentOf returns the text of a message's content: the string itself, or the joined texts of its parts. The
// thought is the text of thinking parts, which Mistral nests. Parts of other types have no text.
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

// argumentsOf returns the text of a call's arguments. Arguments that are not a text are returned as JSON.
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
