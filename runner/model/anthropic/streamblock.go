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

// The members of blocks that grow, and the deltas that lengthen them.
const (
	textMember, textDelta           = "text", "text_delta"
	inputMember, inputDelta         = "input", "input_json_delta"
	thinkingMember, thinkingDelta   = "thinking", "thinking_delta"
	signatureMember, signatureDelta = "signature", "signature_delta"
)

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
	text, err := textIn(b.members[textMember])
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
	switch kind := typeOf(raw); {
	case kind == textDelta && b.kind == "text":
		if b != s.text {
			return fmt.Errorf("it goes on with the text of block %d after another has begun", index)
		}
		piece, err := b.add(textMember, delta["text"])
		s.live.Add(piece)
		return err
	case b.kind == "text": // citations, which are not read
		return nil
	case kind == inputDelta:
		_, err := b.add(inputMember, delta["partial_json"])
		return err
	case kind == thinkingDelta:
		_, err := b.add(thinkingMember, delta["thinking"])
		return err
	case kind == signatureDelta:
		delete(b.grown, signatureMember) // it comes whole
		delete(b.members, signatureMember)
		_, err := b.add(signatureMember, delta["signature"])
		return err
	default:
		b.unread = true
		return nil
	}
}

// add appends a text to a member. The input of a call starts empty: its first value is a
// placeholder.
func (b *growingBlock) add(member string, raw json.RawMessage) (string, error) {
	piece, err := textIn(raw)
	if err != nil {
		return "", err
	}
	g := b.grown[member]
	if g == nil {
		g = &strings.Builder{}
		b.grown[member] = g
		if member != inputMember {
			begun, err := textIn(b.members[member])
			if err != nil {
				return "", err
			}
			g.WriteString(begun)
		}
	}
	g.WriteString(piece)
	return piece, nil
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
		case member != inputMember:
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
