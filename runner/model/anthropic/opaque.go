package anthropic

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/runner/model"
)

// opaque holds the blocks of a reply in order, for Message.Opaque: texts as their length in
// bytes, calls as callMark, other blocks unchanged. The API accepts signed thinking only in
// its original place.
type opaque struct {
	Blocks []json.RawMessage `json:"anthropic"`
}

var callMark = json.RawMessage(`"call"`)

func textMark(text string) json.RawMessage { return json.RawMessage(strconv.Itoa(len(text))) }

// raw is the value of Message.Opaque; nil if all blocks were texts and calls.
func (o opaque) raw() json.RawMessage {
	if !slices.ContainsFunc(o.Blocks, isOtherBlock) {
		return nil
	}
	raw, _ := lines.Encode(o) // blocks of a reply are JSON
	return raw
}

func isOtherBlock(block json.RawMessage) bool { return len(block) > 0 && block[0] == '{' }

// arrange gives the blocks of an assistant's message: in the reply's order if the message
// is unchanged, else first the kept blocks, then the text and the calls. A message without
// text and calls has no blocks, and thinking at the end is removed, because the API refuses
// both.
func arrange(m model.Message) []any {
	var o opaque
	if len(m.Opaque) > 0 && json.Unmarshal(m.Opaque, &o) != nil {
		o = opaque{} // another provider's
	}
	blocks, ok := o.restore(m)
	if !ok {
		o.Blocks = slices.DeleteFunc(o.Blocks, func(b json.RawMessage) bool { return !isOtherBlock(b) })
		o.Blocks = append(o.Blocks, textMark(m.Content))
		for range m.ToolCalls {
			o.Blocks = append(o.Blocks, callMark)
		}
		blocks, _ = o.restore(m)
	}
	for n := len(blocks); n > 0; n-- {
		raw, isForeign := blocks[n-1].(json.RawMessage)
		if !isForeign || !slices.Contains([]string{"thinking", "redacted_thinking"}, typeOf(raw)) {
			return blocks[:n]
		}
	}
	return nil
}

// restore puts text and calls in their original places, if they fit.
func (o opaque) restore(m model.Message) (blocks []any, ok bool) {
	text, calls := m.Content, m.ToolCalls
	for _, b := range o.Blocks {
		n, err := strconv.Atoi(string(b))
		switch {
		case isOtherBlock(b):
			blocks = append(blocks, b)
		case string(b) == string(callMark) && len(calls) > 0:
			blocks = append(blocks, useOf(calls[0]))
			calls = calls[1:]
		case err == nil && n >= 0 && n <= len(text):
			if block := textOf(text[:n]); block != nil {
				blocks = append(blocks, block)
			}
			text = text[n:]
		default:
			return nil, false
		}
	}
	return blocks, text == "" && len(calls) == 0
}

// typeOf is the type of a block; "" where it has none.
func typeOf(block json.RawMessage) string {
	var b struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(block, &b) != nil {
		return ""
	}
	return b.Type
}
