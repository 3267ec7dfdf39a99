package openai

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// partialReply is a reply so far. A complete one is a single piece.
type partialReply struct {
	live            *wire.Live // gets the content; may be nil
	ofCall, ofWhole []string   // members that are kept
	whole           bool

	model   string
	usage   *goopenai.Usage
	finish  goopenai.FinishReason
	content strings.Builder
	refusal strings.Builder
	thought strings.Builder
	calls   []*partialCall
	latest  map[int]*partialCall // by index
	kept    pieces
	begun   bool // a choice has arrived
}

// partialCall is a tool call so far.
type partialCall struct {
	index     int
	id, name  string
	arguments strings.Builder
	kept      pieces
}

func newPartialReply(keep []string, live *wire.Live) *partialReply {
	g := &partialReply{live: live, latest: map[int]*partialCall{}, kept: pieces{}}
	g.ofWhole, g.ofCall = keptNames(keep)
	return g
}

// stream reads the events of a reply.
func (m *Model) stream(body io.Reader, live *wire.Live) (model.Response, error) {
	g, e := newPartialReply(m.endpoint.Keep, live), wire.NewEvents(body)
	switch err := e.Each(g.chunk); {
	case err != nil:
		return model.Response{}, err
	case !e.Done() && g.finish == "":
		return model.Response{}, wire.ErrCut
	case !g.begun:
		return model.Response{}, wire.BadStream("it has no choices")
	}
	return m.response(g)
}

// chunk adds a piece of a streamed reply.
func (g *partialReply) chunk(raw json.RawMessage) error {
	var c completion
	if err := json.Unmarshal(raw, &c); err != nil {
		return fmt.Errorf("it holds an event that is no part of a chat completion: %w", err)
	}
	if reportsFailure(c.Error) || !wire.Present(c.Choices) && wire.ReadFailure(raw).Message != "" {
		return wire.Failed{Body: raw}
	}
	g.model, g.usage = cmp.Or(c.Model, g.model), cmp.Or(c.Usage, c.Groq.Usage, g.usage)
	choices, err := elements[choice](c.Choices, maxChoices)
	if err != nil {
		return fmt.Errorf("choices: %w", err)
	}
	for _, c := range choices {
		if wire.Present(c.Index) && string(c.Index) != "0" {
			continue // only one was requested
		}
		if reportsFailure(c.Error) {
			return wire.Failed{Body: ofChoice(c.Error)}
		}
		g.begun = true
		g.finish = cmp.Or(c.Finish, g.finish)
		if err := g.message(c.Delta); err != nil {
			return err
		}
	}
	return nil
}

// message adds a message, or a piece of one.
func (g *partialReply) message(raw json.RawMessage) error {
	if !wire.Present(raw) {
		return nil
	}
	var m message
	if err := json.Unmarshal(raw, &m); err != nil {
		return fmt.Errorf("the message is of no known form: %w", err)
	}
	text, refusal, thought, err := m.texts()
	if err != nil {
		return err
	}
	g.content.WriteString(text)
	g.live.Add(text)
	g.refusal.WriteString(refusal)
	g.thought.WriteString(thought)
	g.kept.add(raw, g.ofWhole)
	calls, err := elements[json.RawMessage](m.ToolCalls, maxCalls)
	if err != nil {
		return fmt.Errorf("tool calls: %w", err)
	}
	for _, raw := range calls {
		if err := g.call(raw); err != nil {
			return fmt.Errorf("a tool call: %w", err)
		}
	}
	return nil
}

// call adds a tool call, or a piece of one. A new call begins with a name and an id of its
// own; the index is not sufficient, because some endpoints omit it or give 0 to all.
func (g *partialReply) call(raw json.RawMessage) error {
	var p call
	if err := json.Unmarshal(raw, &p); err != nil {
		return err
	}
	index := len(g.calls) - 1
	switch {
	case g.whole:
		index = len(g.calls)
	case p.Index != nil:
		index = *p.Index
	case len(g.calls) > 0:
		index = g.calls[len(g.calls)-1].index
	}
	c := g.latest[index]
	if c == nil || p.ID != "" && p.ID != c.id && c.id != "" && p.Function.Name != "" {
		if len(g.calls) == maxCalls {
			return fmt.Errorf("there are more than %d tool calls", maxCalls)
		}
		c = &partialCall{index: index, kept: pieces{}}
		g.calls, g.latest[index] = append(g.calls, c), c
	}
	c.id = cmp.Or(c.id, p.ID)
	if name := p.Function.Name; name != c.name { // some repeat it in every piece
		c.name += name
	}
	arguments, err := argumentsOf(p.Function.Arguments)
	if err != nil {
		return err
	}
	c.arguments.WriteString(arguments)
	c.kept.add(raw, g.ofCall)
	return nil
}
