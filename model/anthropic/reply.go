package anthropic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire"
)

type message struct {
	Type    string            `json:"type"`
	Error   json.RawMessage   `json:"error"`
	Model   string            `json:"model"`
	Content []json.RawMessage `json:"content"`
	Stop    string            `json:"stop_reason"`
	Details stopDetails       `json:"stop_details"`
	Usage   usage             `json:"usage"`
}

type usage struct {
	Input      wire.Count `json:"input_tokens"`
	Output     wire.Count `json:"output_tokens"`
	CacheRead  wire.Count `json:"cache_read_input_tokens"`
	CacheWrite wire.Count `json:"cache_creation_input_tokens"`
	Written    written    `json:"cache_creation"`
}

// stopDetails explain why the provider stopped a reply.
type stopDetails struct {
	Category    string `json:"category"`
	Explanation string `json:"explanation"`
}

// UnmarshalJSON reads an object; any other value counts as empty.
func (d *stopDetails) UnmarshalJSON(raw []byte) error {
	type plain stopDetails
	var p plain
	_ = json.Unmarshal(raw, &p)
	*d = stopDetails(p)
	return nil
}

// words returns the details as one line of the reply.
func (d stopDetails) words() string {
	return strings.Trim(d.Category+": "+d.Explanation, ": ")
}

// written divides the tokens that were written to the cache by term; the short term is five minutes.
type written struct {
	Hour wire.Count `json:"ephemeral_1h_input_tokens"`
}

// UnmarshalJSON reads an object; any other value counts as empty.
func (w *written) UnmarshalJSON(raw []byte) error {
	type plain written
	var p plain
	_ = json.Unmarshal(raw, &p) // a gateway may send a number or a text instead
	*w = written(p)
	return nil
}

// maxBlocks limits the blocks of a reply, because decoding a block takes more time than its size suggests.
// Real replies have far fewer.
const maxBlocks = 10_000

// whole reads a successful reply that is not a stream.
func (m *Model) whole(r wire.Reply, schema string) (model.Response, error) {
	var in message
	r.Body = bytes.ToValidUTF8(r.Body, []byte("\uFFFD"))
	err := json.Unmarshal(r.Body, &in)
	what := ""
	switch {
	case !json.Valid(r.Body):
		what = " is not JSON"
	case err != nil:
		what = " is not a message: " + err.Error()
	case in.Content == nil && wire.Present(in.Error):
		return model.Response{}, m.rejection(r) // some gateways report a failure with status 200
	case in.Content == nil:
		what = " has no content"
	case len(in.Content) > maxBlocks:
		what = fmt.Sprintf(" has %d blocks; the limit is %d", len(in.Content), maxBlocks)
	default:
		return m.decode(in, schema)
	}
	return model.Response{}, m.peer.Malformed(m.peer.Describe(r) + what)
}

// decode converts a message to a response. schema is the name of the tool whose input becomes the content; ""
// without a schema.
func (m *Model) decode(in message, schema string) (model.Response, error) {
	read, structured, err := m.read(in.Content, schema)
	if err != nil {
		return model.Response{}, m.peer.Malformed(err.Error())
	}
	finish, err := m.peer.Finish(in.Stop)
	if err != nil {
		return model.Response{}, err
	}
	if said := m.peer.Key.Hide(in.Details.words()); said != "" && finish == model.FinishContentFilter {
		read.Content = strings.TrimPrefix(read.Content+"\n"+said, "\n")
	}
	u := in.Usage
	cached := int(u.CacheRead)
	out := model.Response{
		Message: read,
		Finish:  finish,
		Usage: model.Usage{
			InputTokens:  int(u.Input) + cached + int(u.CacheWrite),
			OutputTokens: int(u.Output), CachedTokens: cached, CacheWriteTokens: int(u.CacheWrite),
			CacheLongTokens: min(int(u.Written.Hour), int(u.CacheWrite)),
		},
		Model: cmp.Or(in.Model, m.options.Model),
	}
	if structured && len(read.ToolCalls) == 0 && out.Finish == model.FinishToolCalls {
		out.Finish = model.FinishStop
	}
	return out, nil
}

// read converts blocks to a message. structured means that the model called the schema's tool, whose input is
// the whole content.
func (m *Model) read(blocks []json.RawMessage, schema string) (out model.Message, structured bool, err error) {
	out.Role = model.Assistant
	var kept opaque
	var text strings.Builder
	for i, raw := range blocks {
		if !isOtherBlock(raw) {
			return out, false, fmt.Errorf("block %d of the reply is not an object", i)
		}
		var b block
		err := json.Unmarshal(raw, &b)
		switch kind := typeOf(raw); {
		case kind != "text" && kind != "tool_use":
			if wire.Nests(string(raw)) && !m.peer.Key.Quoted(raw) {
				kept.Blocks = append(kept.Blocks, raw)
			}
			if kind == "thinking" && err == nil {
				out.Thought += b.Think
			}
		case err != nil:
			return out, false, fmt.Errorf("read block %d of the reply: %w", i, err)
		case kind == "text":
			t := m.peer.Key.Hide(b.Text)
			text.WriteString(t)
			kept.Blocks = append(kept.Blocks, textMark(t))
		case schema == "" || b.Name != schema:
			out.ToolCalls = append(out.ToolCalls,
				model.ToolCall{ID: b.ID, Name: b.Name, Arguments: wire.Words(b.Input)})
			kept.Blocks = append(kept.Blocks, callMark)
		case !structured:
			out.Content, structured = wire.Words(b.Input), true
		}
	}
	if !structured {
		out.Content, out.Opaque = text.String(), kept.raw()
	}
	return out, structured, nil
}

// rejection returns the error of a reply that reports a failure.
func (m *Model) rejection(r wire.Reply) error {
	s := wire.ReadFailure(r.Body)
	s.Status, s.Request = r.Status, cmp.Or(r.Header.Get("Request-Id"), s.Request)
	return m.peer.Rejected(r, s, kindOf(r.Status, strings.Join(s.Codes, ", "), s.Message))
}

// kindOf classifies a failure by its type, and then by its status. The API has one type for all refused
// requests, so for these the message decides. A status of 500 or more takes precedence, because gateways
// report their own temporary failures with the types of refusals.
func kindOf(status int, of, message string) model.ErrorKind {
	switch {
	case status == http.StatusGatewayTimeout:
		return model.ErrTimeout
	case status >= http.StatusInternalServerError:
		return model.ErrUnavailable
	case of == "invalid_request_error", of == "" && status == http.StatusBadRequest:
		return cmp.Or(wire.KindIn(wire.InWords, message), model.ErrBadRequest)
	case of == "" && status == http.StatusRequestEntityTooLarge:
		return model.ErrContextOverflow
	default:
		return cmp.Or(wire.KindIn(wire.InType, of), wire.KindOf(status))
	}
}
