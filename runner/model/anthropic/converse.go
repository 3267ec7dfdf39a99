package anthropic

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// errorPrefix begins the observation of a call that failed.
const errorPrefix = "ERROR:"

type turn struct {
	Role    model.Role `json:"role"`
	Content []any      `json:"content"` // *textBlock, toolUse, toolResult, or json.RawMessage
}

type textBlock struct {
	Type  string        `json:"type"`
	Text  string        `json:"text"`
	Cache *cacheControl `json:"cache_control,omitempty"`
}

type toolUse struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type toolResult struct {
	Type    string `json:"type"`
	ID      string `json:"tool_use_id"`
	Content string `json:"content"`
	IsError bool   `json:"is_error,omitempty"`
}

// conversation is a request's messages in the API's form: the system prompt apart, and
// alternating turns of user and assistant.
type conversation struct {
	system    []*textBlock
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
			return c, fmt.Errorf("message %d: there is no role %q; there are system, user, assistant and tool", i, m.Role)
		}
	}
	if len(c.turns) == 0 {
		return c, errors.New("no user message has any text; send a question")
	}
	return c, nil
}

// answer adds a result to the user's turn. The API refuses other blocks before results.
func (c *conversation) answer(m model.Message) {
	text := m.Content
	if strings.TrimSpace(text) == "" {
		text = wire.NoOutput
	}
	c.say(model.User, toolResult{"tool_result", m.ToolCallID, text, strings.HasPrefix(text, errorPrefix)})
}

// say adds blocks to the current turn of a role, because the API refuses two consecutive
// turns of one role.
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

// textOf gives nil for a text that the API would refuse.
func textOf(text string) *textBlock {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return &textBlock{Type: "text", Text: text}
}

func useOf(c model.ToolCall) toolUse {
	return toolUse{"tool_use", c.ID, c.Name, inputOf(c.Arguments)}
}

// inputOf converts arguments to an object, the only form that the API accepts.
func inputOf(arguments string) json.RawMessage {
	text := strings.TrimSpace(arguments)
	if text == "" {
		return json.RawMessage(`{}`)
	}
	if text[0] == '{' && wire.Nests(text) {
		return json.RawMessage(text)
	}
	raw, _ := json.Marshal(map[string]string{"arguments": arguments}) // a map of texts is always JSON
	return raw
}
