package anthropic

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model/wire"
)

// stream assembles the events of one reply.
type stream struct {
	live *wire.Live // gets the texts; may be nil

	begun, ended bool // message_start and message_stop have arrived
	foreign      bool // an event of an unknown kind has arrived, perhaps from another API
	message      message
	blocks       []*growingBlock
	latest       map[int]*growingBlock // by index, for the next event
	text         *growingBlock         // the last text block
}

// readStream reads events up to message_stop and assembles their message.
func readStream(body io.Reader, live *wire.Live) (message, error) {
	s := &stream{live: live, latest: map[int]*growingBlock{}}
	e := wire.NewEvents(body)
	err := e.Each(s.event)
	s.ended = s.ended || e.Done() && s.message.Stop != "" // or the end mark of another API
	switch {
	case err != nil:
		return message{}, err
	case !s.ended && s.foreign && !s.begun:
		return message{}, wire.BadStream("it has no message_start")
	case !s.ended:
		return message{}, wire.ErrCut
	}
	for _, b := range s.blocks {
		raw, err := b.whole()
		if err != nil {
			return message{}, wire.BadStream(err.Error())
		}
		if raw != nil {
			s.message.Content = append(s.message.Content, raw)
		}
	}
	return s.message, nil
}

// event handles one event. It ignores unknown events, as the API requires.
func (s *stream) event(raw json.RawMessage) error {
	var e struct {
		Error   json.RawMessage `json:"error"`
		Index   json.RawMessage `json:"index"`
		Message json.RawMessage `json:"message"`
		Block   json.RawMessage `json:"content_block"`
		Delta   json.RawMessage `json:"delta"`
		Usage   json.RawMessage `json:"usage"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return fmt.Errorf("it holds an event that is not an object: %s", raw)
	}
	kind := typeOf(raw)
	switch {
	case kind == "error", wire.Present(e.Error):
		return wire.Failed{Body: raw}
	case kind == "ping":
		return nil
	case kind == "message_start":
		s.begun = true
		return s.describe(kind, e.Message, nil)
	case kind != "content_block_start" && kind != "content_block_delta" && kind != "message_delta" &&
		kind != "message_stop":
		s.foreign = true
		return nil
	case !s.begun:
		return fmt.Errorf("its %s comes before any message_start", kind)
	case kind == "message_stop":
		s.ended = true
		return io.EOF
	case kind == "message_delta":
		return s.describe(kind, e.Delta, e.Usage)
	}
	var index int
	if wire.Present(e.Index) && json.Unmarshal(e.Index, &index) != nil {
		return fmt.Errorf("it holds a block with the invalid index %s", e.Index)
	}
	if kind == "content_block_start" {
		return s.start(index, e.Block)
	}
	return s.grow(index, e.Delta)
}

// describe reads facts about the whole message from an event. The usage in an event is the total so far; some
// gateways send 0 if they do not know it.
func (s *stream) describe(kind string, raw, usageOf json.RawMessage) error {
	var m struct {
		Model string          `json:"model"`
		Stop  string          `json:"stop_reason"`
		Why   stopDetails     `json:"stop_details"`
		Usage json.RawMessage `json:"usage"`
	}
	if wire.Present(raw) && json.Unmarshal(raw, &m) != nil {
		return fmt.Errorf("it holds a %s of unknown form: %s", kind, raw)
	}
	s.message.Model, s.message.Stop = cmp.Or(m.Model, s.message.Model), cmp.Or(m.Stop, s.message.Stop)
	s.message.Details = cmp.Or(m.Why, s.message.Details)
	if usageOf == nil {
		usageOf = m.Usage
	}
	var u usage
	if wire.Present(usageOf) {
		if err := json.Unmarshal(usageOf, &u); err != nil {
			return fmt.Errorf("it holds a usage of unknown form: %w", err)
		}
	}
	total := &s.message.Usage
	*total = usage{
		cmp.Or(u.Input, total.Input), cmp.Or(u.Output, total.Output), cmp.Or(u.CacheRead, total.CacheRead),
		cmp.Or(u.CacheWrite, total.CacheWrite), cmp.Or(u.Written, total.Written),
	}
	return nil
}

// growingBlock is a block of a stream that is still arriving.
type growingBlock struct {
	kind    string
	members map[string]json.RawMessage  // from the block's start event
	grown   map[string]*strings.Builder // members to which events add pieces
	// unread means that a piece had an unknown form. If the block must be sent back unchanged, it is then
	// incomplete.
	unread bool
}

// deltas maps each kind of piece to the field with its text, and to the block's member to which the text is
// added.
var deltas = map[string]struct{ from, member string }{
	"text_delta":       {"text", "text"},
	"input_json_delta": {"partial_json", "input"},
	"thinking_delta":   {"thinking", "thinking"},
	"signature_delta":  {"signature", "signature"},
}

// start begins a block.
func (s *stream) start(index int, raw json.RawMessage) error {
	if len(s.blocks) == maxBlocks {
		return fmt.Errorf("it has more than %d blocks", maxBlocks)
	}
	b := &growingBlock{kind: typeOf(raw), grown: map[string]*strings.Builder{}}
	if err := json.Unmarshal(raw, &b.members); err != nil || b.members == nil {
		return fmt.Errorf("its block %d is not an object", index)
	}
	s.blocks, s.latest[index] = append(s.blocks, b), b
	if b.kind != "text" {
		return nil
	}
	s.text = b
	text, err := textIn(b.members["text"])
	s.live.Add(text)
	return err
}

// grow adds a piece to the block with this index.
func (s *stream) grow(index int, raw json.RawMessage) error {
	b := s.latest[index]
	if b == nil {
		return fmt.Errorf("it continues block %d, which has not begun", index)
	}
	var delta map[string]json.RawMessage
	if err := json.Unmarshal(raw, &delta); err != nil {
		return fmt.Errorf("it holds a delta of unknown form: %s", raw)
	}
	kind, isText := typeOf(raw), b.kind == "text"
	d, known := deltas[kind]
	switch {
	case isText && kind != "text_delta": // citations are not read
		return nil
	case isText && b != s.text:
		return fmt.Errorf("it continues the text of block %d after another block began", index)
	case !known, !isText && kind == "text_delta":
		b.unread = true
		return nil
	case kind == "signature_delta": // a signature comes in one piece
		delete(b.grown, d.member)
		delete(b.members, d.member)
	}
	piece, err := textIn(delta[d.from])
	if err == nil {
		err = b.add(d.member, piece)
	}
	if isText {
		s.live.Add(piece)
	}
	return err
}

// add appends a text to a member. The input of a call starts empty, because its first value is only a
// placeholder.
func (b *growingBlock) add(member, piece string) error {
	if b.grown[member] == nil {
		b.grown[member] = &strings.Builder{}
		if member != "input" {
			begun, err := textIn(b.members[member])
			if err != nil {
				return err
			}
			b.grown[member].WriteString(begun)
		}
	}
	b.grown[member].WriteString(piece)
	return nil
}

// whole returns the complete block. It returns nil if the block must be kept unchanged but a part could not
// be read.
func (b *growingBlock) whole() (json.RawMessage, error) {
	call := b.kind == "tool_use"
	for _, member := range slices.Sorted(maps.Keys(b.grown)) {
		text := b.grown[member].String()
		value, err := lines.Encode(text)
		if err != nil {
			return nil, err
		}
		switch {
		case member != "input":
		case text == "":
			continue // all pieces were empty
		case call && !isText(text): // the model's own text, which may not be JSON
		case wire.Nests(text):
			value = json.RawMessage(text)
		default:
			b.unread = true
		}
		b.members[member] = value
	}
	if b.unread && !call && b.kind != "text" {
		return nil, nil
	}
	raw, err := lines.Encode(b.members)
	if err != nil {
		return nil, fmt.Errorf("a block of type %q cannot be put together: %w", b.kind, err)
	}
	return raw, nil
}

// isText reports whether an input is a JSON string or null; such an input would be decoded.
func isText(input string) bool {
	var text string
	return json.Unmarshal([]byte(input), &text) == nil
}

// textIn reads a text; a missing one is "".
func textIn(raw json.RawMessage) (string, error) {
	var text string
	if wire.Present(raw) && json.Unmarshal(raw, &text) != nil {
		return "", errors.New("it holds a piece that is not a text: " + string(raw))
	}
	return text, nil
}
