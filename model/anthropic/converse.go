package anthropic

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire"
)

// errorPrefix is the beginning of the observation of a failed call.
const errorPrefix = "ERROR:"

type turn struct {
	Role    model.Role `json:"role"`
	Content []any      `json:"content"` // each element is a *block or a json.RawMessage
}

// block is a part of a message: a text, a call, the result of a call or, in a reply, a thought.
type block struct {
	Type    string          `json:"type"`
	Text    string          `json:"text,omitempty"`
	Think   string          `json:"thinking,omitempty"`
	ID      string          `json:"id,omitempty"`
	Name    string          `json:"name,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	CallID  string          `json:"tool_use_id,omitempty"`
	Content string          `json:"content,omitempty"`
	IsError bool            `json:"is_error,omitempty"`
	Cache   cacheControl    `json:"cache_control,omitempty"`
}

// conversation has a request's messages in the API's form: the system prompt, and alternating turns of user
// and assistant.
type conversation struct {
	system    []*block
	turns     []turn
	toolNames []string // names of called tools, without repeats
}

// converse converts messages to the API's form.
func converse(messages []model.Message) (c conversation, err error) {
	for i, m := range messages {
		text := textOf(m.Content)
		switch m.Role {
		case model.System:
			if text != nil {
				c.system = append(c.system, text)
			}
		case model.User:
			if text != nil {
				c.say(model.User, text)
			}
		case model.ToolRole:
			c.answer(m)
		case model.Assistant:
			for _, call := range m.ToolCalls {
				if !slices.Contains(c.toolNames, call.Name) {
					c.toolNames = append(c.toolNames, call.Name)
				}
			}
			c.say(model.Assistant, arrange(m)...)
		default:
			return c, fmt.Errorf("message %d: there is no role %q; there are system, user, assistant and tool", i,
				m.Role)
		}
	}
	if len(c.turns) == 0 {
		return c, errors.New("no user message has any text; send a question")
	}
	return c, nil
}

// answer adds a result to the user's turn. The API requires that results come before other blocks.
func (c *conversation) answer(m model.Message) {
	text := m.Content
	if strings.TrimSpace(text) == "" {
		text = wire.NoOutput
	}
	c.say(model.User, &block{Type: "tool_result", CallID: callID(m.ToolCallID), Content: text,
		IsError: strings.HasPrefix(text, errorPrefix)})
}

// say adds blocks to the conversation. If the current turn has the same role, it adds them to this turn,
// because the API refuses two consecutive turns with the same role. Otherwise it begins a new turn.
func (c *conversation) say(role model.Role, blocks ...any) {
	n := len(c.turns)
	switch {
	case len(blocks) == 0:
	case n > 0 && c.turns[n-1].Role == role:
		c.turns[n-1].Content = append(c.turns[n-1].Content, blocks...)
	default:
		c.turns = append(c.turns, turn{role, blocks})
	}
}

// idForm matches the ids that the API accepts.
var idForm = lazy.Compile(`^[a-zA-Z0-9_-]{1,64}$`)

// callID returns the id of a call in a form that the API accepts. It replaces an id of another server, such
// as functions.calc:0, by a digest.
func callID(id string) string {
	if idForm.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "call_" + hex.EncodeToString(sum[:12])
}

// textOf returns a text block; nil for a text that the API would refuse because it is blank.
func textOf(text string) *block {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return &block{Type: "text", Text: text}
}

// inputOf converts arguments to a JSON object, the only form that the API accepts.
func inputOf(arguments string) json.RawMessage {
	text := strings.TrimSpace(arguments)
	if text == "" {
		return json.RawMessage(`{}`)
	}
	if text[0] == '{' && wire.Nests(text) {
		return json.RawMessage(text)
	}
	raw, _ := json.Marshal(map[string]string{"arguments": arguments}) // encoding a map of texts never fails
	return raw
}

// opaque has the blocks of a reply in order, for Message.Opaque: a text as its length in bytes, a call as
// callMark, and any other block unchanged. The order is needed because the API accepts signed thinking only
// in its original place.
type opaque struct {
	Blocks []json.RawMessage `json:"anthropic"`
}

var callMark = json.RawMessage(`"call"`)

func textMark(text string) json.RawMessage { return json.RawMessage(strconv.Itoa(len(text))) }

// raw returns the value of Message.Opaque; nil if all blocks were texts and calls.
func (o opaque) raw() json.RawMessage {
	if !slices.ContainsFunc(o.Blocks, isOtherBlock) {
		return nil
	}
	raw, _ := lines.Encode(o) // blocks of a reply are valid JSON
	return raw
}

func isOtherBlock(block json.RawMessage) bool { return len(block) > 0 && block[0] == '{' }

// arrange returns the blocks of an assistant's message. If the message is unchanged, the blocks have the
// order of the reply. Otherwise the kept blocks come first, then the text and the calls. It returns no blocks
// for a message without text and calls, and removes thinking at the end, because the API refuses both.
func arrange(m model.Message) []any {
	var o opaque
	if len(m.Opaque) > 0 && json.Unmarshal(m.Opaque, &o) != nil {
		o = opaque{} // the data is of another provider
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

// restore puts text and calls in their original places; ok is false if they do not fit.
func (o opaque) restore(m model.Message) (blocks []any, ok bool) {
	text, calls := m.Content, m.ToolCalls
	for _, b := range o.Blocks {
		n, err := strconv.Atoi(string(b))
		switch {
		case isOtherBlock(b):
			blocks = append(blocks, b)
		case string(b) == string(callMark) && len(calls) > 0:
			blocks = append(blocks, &block{Type: "tool_use", ID: callID(calls[0].ID), Name: calls[0].Name,
				Input: inputOf(calls[0].Arguments)})
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

// typeOf returns the type of a block; "" if it has none.
func typeOf(block json.RawMessage) string {
	var b struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(block, &b) != nil {
		return ""
	}
	return b.Type
}
