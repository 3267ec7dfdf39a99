package responses

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire"
)

// Types of items whose content is read. Other items are only sent back.
const (
	messageItem   = "message"
	callItem      = "function_call"
	reasoningItem = "reasoning"
)

// Phases of a message. Older models do not send them.
const (
	commentary  = "commentary"
	finalAnswer = "final_answer"
)

// item has the fields that are read from an item of a reply.
type item struct {
	Type      string          `json:"type"`
	Phase     words           `json:"phase"`
	Content   json.RawMessage `json:"content"` // parts, or a text
	Summary   json.RawMessage `json:"summary"` // only in reasoning
	ID        json.RawMessage `json:"id"`
	CallID    json.RawMessage `json:"call_id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // a text, or an object
	Sealed    string          `json:"encrypted_content"`
}

// part is a part of a message's content or of a summary.
type part struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	Refusal string `json:"refusal"`
}

// UnmarshalJSON reads an object, or a text, which becomes the part's Text.
func (p *part) UnmarshalJSON(raw []byte) error {
	type plain part
	if json.Unmarshal(raw, &p.Text) == nil {
		return nil
	}
	return json.Unmarshal(raw, (*plain)(p))
}

// partsOf reads a list of parts, or a text, which is one part.
func partsOf(raw json.RawMessage) ([]part, error) {
	var text string
	var parts []part
	switch {
	case !wire.Present(raw):
		return nil, nil
	case json.Unmarshal(raw, &text) == nil:
		return []part{{Text: text}}, nil
	}
	err := json.Unmarshal(raw, &parts)
	return parts, err
}

// reading is the content of a reply's items.
type reading struct {
	items   []item // the decoded items
	answers []int  // indexes of the items whose text is the content
	content string
	thought string
	calls   []model.ToolCall
	callsAt []int // indexes of the items of calls
	refused bool
}

// readItems reads the items of a reply. If there are messages of phase final_answer, only these are the
// answer. Messages of phase commentary are never the answer.
func readItems(raws []string) (r reading, err error) {
	var answer, thought strings.Builder
	r.items = make([]item, len(raws))
	phased := false
	for i, raw := range raws {
		if strings.HasPrefix(strings.TrimSpace(raw), "{") {
			err = json.Unmarshal([]byte(raw), &r.items[i])
		} else {
			err = errors.New("it is not an object")
		}
		if kind := r.items[i].Type; err != nil && (kind == "" || kind == messageItem || kind == callItem) {
			return r, fmt.Errorf("read item %d of the reply: %w", i, err)
		}
		phased = phased || r.items[i].Type == messageItem && r.items[i].Phase == finalAnswer
	}
	for i, it := range r.items {
		switch it.Type {
		case reasoningItem:
			for _, raw := range []json.RawMessage{it.Summary, it.Content} {
				parts, _ := partsOf(raw) // a part of an unknown form has no text
				for _, p := range parts {
					thought.WriteString(p.Text + "\n")
				}
			}
		case callItem:
			id := wire.Words(it.CallID)
			if id == "" {
				id = wire.Words(it.ID)
			}
			r.calls = append(r.calls, model.ToolCall{ID: id, Name: it.Name, Arguments: wire.Words(it.Arguments)})
			r.callsAt = append(r.callsAt, i)
		case messageItem:
			parts, err := partsOf(it.Content)
			if err != nil {
				return r, fmt.Errorf("read item %d of the reply: content: %w", i, err)
			}
			into := &answer
			if it.Phase == commentary || phased && it.Phase != finalAnswer {
				into = &thought
			} else {
				r.answers = append(r.answers, i)
			}
			for _, p := range parts {
				into.WriteString(p.Text + p.Refusal)
				r.refused = r.refused || p.Refusal != ""
			}
			if into == &thought {
				thought.WriteString("\n")
			}
		}
	}
	r.content, r.thought = answer.String(), strings.TrimSpace(thought.String())
	return r, nil
}

// opaque has the items of a reply for Message.Opaque. Each item is stored as a JSON string, so that no
// encoder changes its bytes before the next request.
type opaque struct {
	Items []string `json:"responses"`
}

func (o opaque) raw() json.RawMessage {
	if len(o.Items) == 0 {
		return nil
	}
	raw, _ := lines.Encode(o) // encoding texts never fails
	return raw
}

// givenBack returns the items of an assistant's message. If the message has the items of its reply, these are
// returned; a text or call that was changed since then replaces its item. An item of reasoning is omitted if
// no item follows it, or if it has only an id, because the API refuses both.
func givenBack(m model.Message) []string {
	var o opaque
	if len(m.Opaque) > 0 && json.Unmarshal(m.Opaque, &o) != nil {
		o = opaque{} // the data is of another provider
	}
	r, err := readItems(o.Items)
	if err != nil {
		o, r = opaque{}, reading{}
	}
	out := slices.Clone(o.Items)
	for i, call := range m.ToolCalls {
		switch {
		case i >= len(r.callsAt):
			out = append(out, callOf(call))
		case call != r.calls[i]:
			out[r.callsAt[i]] = callOf(call)
		}
	}
	for i := len(m.ToolCalls); i < len(r.callsAt); i++ {
		out[r.callsAt[i]] = "" // the API refuses a call without a result
	}
	for i, it := range r.items {
		if it.Type == reasoningItem && it.Sealed == "" && !hasText(it.Content) && !hasText(it.Summary) {
			out[i] = ""
		}
	}
	if m.Content != r.content {
		out = r.replaceText(out, m.Content)
	}
	out = slices.DeleteFunc(out, func(item string) bool { return item == "" })
	for n := len(out); n > 0; n-- {
		var last item
		if json.Unmarshal([]byte(out[n-1]), &last) != nil || last.Type != reasoningItem {
			return out[:n]
		}
	}
	return nil
}

func hasText(raw json.RawMessage) bool {
	parts, _ := partsOf(raw)
	return slices.ContainsFunc(parts, func(p part) bool { return p.Text != "" })
}

// replaceText replaces the answer's first message by a text, and removes the other answer messages. If there
// is no answer message, the text is inserted before the calls.
func (r reading) replaceText(items []string, text string) []string {
	said := ""
	if text != "" {
		said = encode(fields{"type": messageItem, "role": model.Assistant, "content": text})
	}
	for i, at := range r.answers {
		items[at] = ""
		if i == 0 {
			items[at] = said
		}
	}
	switch {
	case len(r.answers) > 0:
		return items
	case len(r.callsAt) > 0:
		return slices.Insert(items, r.callsAt[0], said)
	default:
		return slices.Insert(items, len(r.items), said)
	}
}

func callOf(c model.ToolCall) string {
	return encode(fields{"type": callItem, "call_id": c.ID, "name": c.Name, "arguments": c.Arguments})
}
