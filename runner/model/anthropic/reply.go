package anthropic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

type message struct {
	Type    string            `json:"type"`
	Error   json.RawMessage   `json:"error"`
	Model   string            `json:"model"`
	Content []json.RawMessage `json:"content"`
	Stop    string            `json:"stop_reason"`
	Usage   usage             `json:"usage"`
}

type usage struct {
	Input      int `json:"input_tokens"`
	Output     int `json:"output_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
}

// block is a block of one of the known kinds.
type block struct {
	Text  string          `json:"text"`
	Think string          `json:"thinking"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// maxBlocks is far above the blocks of a real reply; each costs more time than its bytes
// suggest.
const maxBlocks = 10_000

// whole reads a successful reply in one piece.
func (m *Model) whole(r wire.Reply, schema string) (model.Response, error) {
	var in message
	r.Body = bytes.ToValidUTF8(r.Body, []byte("\uFFFD"))
	if err := json.Unmarshal(r.Body, &in); err != nil {
		if !json.Valid(r.Body) {
			return model.Response{}, m.peer.Malformed(m.peer.Describe(r) + " is no JSON")
		}
		return model.Response{}, m.peer.Malformed(m.peer.Describe(r) + " is no message: " + err.Error())
	}
	if in.Content == nil {
		if wire.Present(in.Error) {
			return model.Response{}, m.rejection(r) // some gateways report a failure with status 200
		}
		return model.Response{}, m.peer.Malformed(m.peer.Describe(r) + " has no content")
	}
	if n := len(in.Content); n > maxBlocks {
		return model.Response{}, m.peer.Malformed(fmt.Sprintf("%s has %d blocks, and at most %d are read", m.peer.Describe(r), n, maxBlocks))
	}
	return m.decode(in, schema)
}

// decode converts a message to a response. schema is the name of the tool whose input is
// the content; may be "".
func (m *Model) decode(in message, schema string) (model.Response, error) {
	read, structured, err := m.read(in.Content, schema)
	if err != nil {
		return model.Response{}, m.peer.Malformed(err.Error())
	}
	u := in.Usage
	cached := wire.Tokens(u.CacheRead)
	out := model.Response{
		Message: read,
		Finish:  finish(in.Stop),
		Usage: model.Usage{
			InputTokens:  wire.Tokens(u.Input) + cached + wire.Tokens(u.CacheWrite),
			OutputTokens: wire.Tokens(u.Output), CachedTokens: cached,
		},
		Model: cmp.Or(in.Model, m.options.Model),
	}
	if structured && len(read.ToolCalls) == 0 && out.Finish == model.FinishToolCalls {
		out.Finish = model.FinishStop
	}
	m.peer.Key.HideIn(&out)
	return out, nil
}

// read converts blocks to a message. structured means that the schema's tool was called:
// its input is the whole content.
func (m *Model) read(blocks []json.RawMessage, schema string) (out model.Message, structured bool, err error) {
	out.Role = model.Assistant
	var kept opaque
	var text, thought strings.Builder
	for i, raw := range blocks {
		if !isOtherBlock(raw) {
			return out, false, fmt.Errorf("block %d of the reply is no object", i)
		}
		kind := typeOf(raw)
		if kind != "text" && kind != "tool_use" {
			if wire.Nests(string(raw)) && !m.peer.Key.Quoted(raw) {
				kept.Blocks = append(kept.Blocks, raw)
			}
			var b block
			if kind == "thinking" && json.Unmarshal(raw, &b) == nil {
				thought.WriteString(b.Think)
			}
			continue
		}
		var b block
		if err := json.Unmarshal(raw, &b); err != nil {
			return out, false, fmt.Errorf("read block %d of the reply: %w", i, err)
		}
		switch {
		case kind == "text":
			t := m.peer.Key.Hide(b.Text)
			text.WriteString(t)
			kept.text(t)
		case schema != "" && b.Name == schema:
			if !structured {
				out.Content, structured = wire.Words(b.Input), true
			}
		default:
			out.ToolCalls = append(out.ToolCalls, model.ToolCall{ID: b.ID, Name: b.Name, Arguments: wire.Words(b.Input)})
			kept.call()
		}
	}
	out.Thought = thought.String()
	if !structured {
		out.Content, out.Opaque = text.String(), kept.raw()
	}
	return out, structured, nil
}

// finish maps the reasons to stop; unknown ones are unchanged.
func finish(reason string) model.FinishReason {
	switch reason {
	case "end_turn", "stop_sequence":
		return model.FinishStop
	case "tool_use":
		return model.FinishToolCalls
	case "max_tokens", "pause_turn", "model_context_window_exceeded":
		return model.FinishLength
	case "refusal":
		return model.FinishContentFilter
	default:
		return model.FinishReason(reason)
	}
}
