package openai

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
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
	kept    partialMembers
	begun   bool // a choice has arrived
}

// partialCall is a tool call so far.
type partialCall struct {
	index     int
	id, name  string
	arguments strings.Builder
	kept      partialMembers
}

func newPartialReply(keep []string, live *wire.Live) *partialReply {
	g := &partialReply{live: live, latest: map[int]*partialCall{}, kept: partialMembers{}}
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
	g.kept.add(pick(raw, g.ofWhole))
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
		c = &partialCall{index: index, kept: partialMembers{}}
		g.calls, g.latest[index] = append(g.calls, c), c
	}
	if c.id == "" {
		c.id = p.ID
	}
	if name := p.Function.Name; name != c.name { // some repeat it in every piece
		c.name += name
	}
	arguments, err := argumentsOf(p.Function.Arguments)
	if err != nil {
		return err
	}
	c.arguments.WriteString(arguments)
	c.kept.add(pick(raw, g.ofCall))
	return nil
}

// toolCalls are the calls in the order of their indexes.
func (g *partialReply) toolCalls() []model.ToolCall {
	slices.SortStableFunc(g.calls, func(a, b *partialCall) int { return cmp.Compare(a.index, b.index) })
	var out []model.ToolCall
	for _, c := range g.calls {
		out = append(out, model.ToolCall{ID: c.id, Name: c.name, Arguments: c.arguments.String()})
	}
	return out
}

// keptMembers are sent back with the message and with each of its calls.
func (g *partialReply) keptMembers() (out opaque, err error) {
	out.Message, err = g.kept.members()
	for _, c := range g.calls {
		kept, wrong := c.kept.members()
		out.Calls, err = append(out.Calls, kept), errors.Join(err, wrong)
	}
	return out, err
}
