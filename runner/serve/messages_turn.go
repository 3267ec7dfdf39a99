package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/model"
)

type wireTurn struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// dialogue turns a system prompt and turns into messages, and checks the rule of the API: every call is
// answered exactly once, at the beginning of the next turn. Each text of system and user becomes a message; the
// texts of an assistant's turn become one message.
type dialogue struct {
	out  []model.Message
	open map[string]bool
	ids  map[string]bool
}

func messagesOf(system json.RawMessage, turns []wireTurn) ([]model.Message, error) {
	d := dialogue{open: map[string]bool{}, ids: map[string]bool{}}
	blocks, err := blocksOf(system, "system")
	if err != nil {
		return nil, err
	}
	for i, b := range blocks {
		if b.Type != "text" {
			return nil, badRequest("system", "system.%d: a block of type %q is not supported; only text is", i, b.Type)
		}
		d.out = append(d.out, model.Message{Role: model.System, Content: b.Text})
	}
	for i, t := range turns {
		at := fmt.Sprintf("messages.%d", i)
		blocks, err := blocksOf(t.Content, at+".content")
		if err != nil {
			return nil, err
		}
		switch {
		case t.Role == "user" && len(blocks) > 0:
			err = d.user(blocks, at)
		case t.Role == "assistant" && len(blocks) > 0:
			err = d.assistant(blocks, at)
		case t.Role == "user" || t.Role == "assistant":
			err = badRequest(at+".content", "%s.content: all messages must have non-empty content", at)
		default:
			err = badRequest(at+".role", "%s.role: there is no %q; there are user and assistant", at, t.Role)
		}
		if err != nil {
			return nil, err
		}
	}
	return d.out, d.checkResults("messages")
}

// blocksOf reads a text, or an array of blocks. A blank text gives no block.
func blocksOf(raw json.RawMessage, at string) ([]part, error) {
	blocks, err := partsOf(raw, at)
	for i, b := range blocks {
		switch {
		case b.Type != "text" || strings.TrimSpace(b.Text) != "":
		case raw[0] == '"':
			return nil, nil
		default:
			return nil, badRequest(at, "%s.%d: text content blocks must contain non-whitespace text", at, i)
		}
	}
	return blocks, err
}

func (d *dialogue) user(blocks []part, at string) error {
	for i, b := range blocks {
		switch b.Type {
		case "tool_result":
			if !d.open[b.CallID] {
				return badRequest(at, "%s.content.%d: unexpected tool_use_id %q: each tool_result must "+
					"answer a tool_use "+
					"of the message before, once", at, i, b.CallID)
			}
			delete(d.open, b.CallID)
			text, err := contentOf(b.Content, fmt.Sprintf("%s.content.%d", at, i))
			if err != nil {
				return err
			}
			if b.IsError && !strings.HasPrefix(text, "ERROR:") {
				text = "ERROR: " + text // the form in which tools report a failure here
			}
			d.out = append(d.out, model.Message{Role: model.ToolRole, ToolCallID: b.CallID, Content: text})
		case "text":
			if err := d.checkResults(at); err != nil {
				return err
			}
			d.out = append(d.out, model.Message{Role: model.User, Content: b.Text})
		default:
			return badRequest(at, "%s.content.%d: a block of type %q is not supported; only text and tool_result are",
				at, i, b.Type)
		}
	}
	return d.checkResults(at)
}

// assistant reads an assistant's turn. Thinking cannot be shown to a different model, and is left out, as the
// API does with the thinking of earlier turns. Data that the model needs back is sent as redacted thinking,
// see seal.
func (d *dialogue) assistant(blocks []part, at string) error {
	if err := d.checkResults(at); err != nil {
		return err
	}
	m := model.Message{Role: model.Assistant}
	var text strings.Builder
	for i, b := range blocks {
		switch b.Type {
		case "text":
			text.WriteString(b.Text)
		case "tool_use":
			if b.ID == "" || d.ids[b.ID] {
				return badRequest(at, "%s.content.%d: `tool_use` ids must be unique, and %q is empty or taken",
					at, i, b.ID)
			}
			d.ids[b.ID], d.open[b.ID] = true, true
			if len(b.Input) == 0 || b.Input[0] != '{' {
				return badRequest(at, "%s.content.%d: input must be an object", at, i)
			}
			m.ToolCalls = append(m.ToolCalls, model.ToolCall{ID: b.ID, Name: b.Name, Arguments: string(b.Input)})
		case "thinking":
		case "redacted_thinking":
			m.Opaque = unseal(b.Data)
		default:
			return badRequest(at, "%s.content.%d: a block of type %q is not supported; only text, tool_use "+
				"and thinking are",
				at, i, b.Type)
		}
	}
	m.Content = text.String()
	d.out = append(d.out, m)
	return nil
}

// checkResults reports calls without a result.
func (d *dialogue) checkResults(at string) error {
	if len(d.open) == 0 {
		return nil
	}
	return badRequest(at, "%s: `tool_use` ids were found without `tool_result` blocks immediately after: %q", at,
		slices.Sorted(maps.Keys(d.open)))
}
