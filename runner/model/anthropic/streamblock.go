package anthropic

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/wire"
)

// growingBlock is a block of a stream so far.
type growingBlock struct {
	kind    string
	members map[string]json.RawMessage  // from the block's start
	grown   map[string]*strings.Builder // extended by pieces
	// unread: a piece had an unknown form, so a block that must be sent back unchanged is
	// incomplete.
	unread bool
}

// deltas are the kinds of pieces: where their text is, and which member of a block it lengthens.
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
		return fmt.Errorf("its block %d is no object", index)
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

// grow lengthens the block of an index.
func (s *stream) grow(index int, raw json.RawMessage) error {
	b := s.latest[index]
	if b == nil {
		return fmt.Errorf("it goes on with the block %d, which has not begun", index)
	}
	var delta map[string]json.RawMessage
	if err := json.Unmarshal(raw, &delta); err != nil {
		return fmt.Errorf("it holds a delta of no known form: %s", raw)
	}
	kind, isText := typeOf(raw), b.kind == "text"
	d, known := deltas[kind]
	switch {
	case isText && kind != "text_delta": // citations, which are not read
		return nil
	case isText && b != s.text:
		return fmt.Errorf("it goes on with the text of block %d after another has begun", index)
	case !known, !isText && kind == "text_delta":
		b.unread = true
		return nil
	case kind == "signature_delta": // it comes whole
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

// add appends a text to a member. The input of a call starts empty: its first value is a
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

// whole is the complete block; nil if it must be kept unchanged and a part could not be
// read.
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
			continue // no piece held anything
		case call && !isText(text): // as the model wrote it, which may be no JSON
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

// isText reports whether an input is a JSON string or null, which would be decoded.
func isText(input string) bool {
	var text string
	return json.Unmarshal([]byte(input), &text) == nil
}

// textIn reads a text; a missing one is "".
func textIn(raw json.RawMessage) (string, error) {
	var text string
	if wire.Present(raw) && json.Unmarshal(raw, &text) != nil {
		return "", errors.New("it holds a piece that is no text: " + string(raw))
	}
	return text, nil
}
