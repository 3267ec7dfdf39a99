package openai

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire"
)

// partialReply is a reply that is still arriving. A reply that is not a stream counts as a single piece.
type partialReply struct {
	live            *wire.Live // gets the content; may be nil
	ofCall, ofWhole []string   // names of the fields to store, for calls and for the message
	whole           bool

	model   string
	usage   *usage
	finish  goopenai.FinishReason
	content strings.Builder
	refusal strings.Builder
	thought strings.Builder
	calls   []*partialCall
	latest  map[int]*partialCall // by index, for the next piece
	kept    pieces
	begun   bool          // a choice has arrived
	other   *partialReply // the choices after the first, of which only the calls are used
}

// second returns the partial reply of the choices after the first.
func (g *partialReply) second() *partialReply {
	if g.other == nil {
		g.other = newPartialReply(nil, nil)
	}
	return g.other
}

// partialCall is a tool call that is still arriving.
type partialCall struct {
	index     int
	id, name  string
	arguments strings.Builder
	kept      pieces
}

// complete reports whether the arguments so far are a complete object. If another piece with a name follows,
// it is another call, even if some servers give it the same index and no id or the same id.
func (c *partialCall) complete() bool {
	return strings.HasSuffix(c.arguments.String(), "}") && json.Valid([]byte(c.arguments.String()))
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
		return fmt.Errorf("it holds an event that is not part of a chat completion: %w", err)
	}
	if reportsFailure(c.Error) || !wire.Present(c.Choices) && wire.ReadFailure(raw).Message != "" {
		return wire.Failed{Body: raw}
	}
	g.model, g.usage = cmp.Or(c.Model, g.model), cmp.Or(usageIn(c.Usage), usageIn(c.Groq.Usage), g.usage)
	choices, err := elements[choice](c.Choices, maxChoices)
	if err != nil {
		return fmt.Errorf("choices: %w", err)
	}
	for _, c := range choices {
		piece := c.Delta
		if !wire.Present(piece) {
			piece = c.Message // some servers send the whole message as one event
		}
		if wire.Present(c.Index) && wire.Words(c.Index) != "0" { // another choice may have the calls
			_ = g.second().message(piece)
			g.finish = cmp.Or(g.finish, c.Finish)
			continue
		}
		if reportsFailure(c.Error) {
			return wire.Failed{Body: ofChoice(c.Error)}
		}
		g.begun = true
		g.finish = cmp.Or(c.Finish, g.finish)
		if err := g.message(piece); err != nil {
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
		return fmt.Errorf("the message has an unknown form: %w", err)
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
	if len(calls) == 0 && wire.Present(m.FunctionCall) {
		calls = []json.RawMessage{slices.Concat([]byte(`{"index":0,"function":`), m.FunctionCall, []byte(`}`))}
	}
	for _, raw := range calls {
		if err := g.call(raw); err != nil {
			return fmt.Errorf("a tool call: %w", err)
		}
	}
	return nil
}

// call adds a tool call, or a piece of one. A piece with both a name and a new id begins a new call. The
// index is not sufficient, because some endpoints omit it, or send 0 for all calls.
func (g *partialReply) call(raw json.RawMessage) error {
	var p call
	if err := json.Unmarshal(raw, &p); err != nil {
		return err
	}
	arguments, err := argumentsOf(p.Function.Arguments)
	if err != nil {
		return err
	}
	id, index := wire.Words(p.ID), len(g.calls)-1
	switch at, given := p.at(); {
	case g.whole:
		index = len(g.calls)
	case given:
		index = at
	case len(g.calls) > 0:
		index = g.calls[len(g.calls)-1].index
	}
	c := g.latest[index]
	if c == nil || p.Function.Name != "" && (id != "" && id != c.id && c.id != "" ||
		c.complete() && strings.HasPrefix(arguments, "{")) {
		if len(g.calls) == maxCalls {
			return fmt.Errorf("there are more than %d tool calls", maxCalls)
		}
		c = &partialCall{index: index, kept: pieces{}}
		g.calls, g.latest[index] = append(g.calls, c), c
	}
	c.id = cmp.Or(c.id, id)
	if name := p.Function.Name; name != c.name { // some servers repeat the name in every piece
		c.name += name
	}
	c.arguments.WriteString(arguments)
	c.kept.add(raw, g.ofCall)
	return nil
}
