package responses

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire"
)

// response has the fields that are read from a reply.
type response struct {
	Error      json.RawMessage   `json:"error"`
	Model      words             `json:"model"`
	Status     words             `json:"status"`
	Output     []json.RawMessage `json:"output"`
	Usage      json.RawMessage   `json:"usage"`
	Incomplete details           `json:"incomplete_details"`
	Text       words             `json:"output_text"` // some servers send it instead of an output
}

// words is a text; any other JSON value becomes its JSON.
type words string

// UnmarshalJSON reads the text.
func (w *words) UnmarshalJSON(raw []byte) error {
	*w = words(wire.Words(raw))
	return nil
}

// details has the reason why a response is incomplete.
type details struct{ Reason string }

// UnmarshalJSON reads an object with a reason, or a text, which is the reason; any other value has no reason.
func (d *details) UnmarshalJSON(raw []byte) error {
	var object struct {
		Reason words `json:"reason"`
	}
	if json.Unmarshal(raw, &object) != nil {
		_ = json.Unmarshal(raw, &object.Reason) // an unreadable value leaves no reason
	}
	*d = details{string(object.Reason)}
	return nil
}

// items returns the items of the output. If a response has only a text, it is returned as one message.
func (r response) items() []json.RawMessage {
	if len(r.Output) > 0 || r.Text == "" {
		return r.Output
	}
	return []json.RawMessage{json.RawMessage(encode(fields{
		"type": messageItem, "role": model.Assistant, "content": string(r.Text),
	}))}
}

// Statuses of a response that is a complete or partial answer.
const (
	completed  = "completed"
	incomplete = "incomplete"
)

// maxItems limits the items of a reply, because decoding an item takes more time than its size suggests. Real
// replies have far fewer.
const maxItems = 10_000

// whole reads a successful reply that is not a stream.
func (m *Model) whole(r wire.Reply, stop []string) (model.Response, error) {
	var in response
	r.Body = bytes.ToValidUTF8(bytes.TrimPrefix(r.Body, []byte("\uFEFF")), []byte("\uFFFD"))
	err := json.Unmarshal(r.Body, &in)
	in.Output = in.items()
	what := ""
	switch {
	case !json.Valid(r.Body):
		what = " is not JSON"
	case err != nil:
		what = " is not a response: " + err.Error()
	case wire.Present(in.Error), in.Output == nil && wire.ReadFailure(r.Body).Message != "":
		return model.Response{}, m.rejection(r)
	case in.Output == nil && (in.Status == "" || in.Status == completed):
		what = " has no output"
	default:
		return m.decode(in, stop)
	}
	return model.Response{}, m.peer.Malformed(m.peer.Describe(r) + what)
}

// decode converts a response.
func (m *Model) decode(in response, stop []string) (model.Response, error) {
	if len(in.Output) > maxItems {
		what := fmt.Sprintf("the reply has %d items; the limit is %d", len(in.Output), maxItems)
		return model.Response{}, m.peer.Malformed(what)
	}
	raws := make([]string, len(in.Output))
	for i, raw := range in.Output {
		raws[i] = string(raw)
	}
	r, err := readItems(raws)
	if err != nil {
		return model.Response{}, m.peer.Malformed(err.Error())
	}
	finish, err := m.finish(in, r)
	if err != nil {
		return model.Response{}, err
	}
	var kept opaque
	for _, raw := range raws {
		if !m.peer.Key.Quoted(json.RawMessage(raw)) { // the endpoint would refuse a changed item
			kept.Items = append(kept.Items, raw)
		}
	}
	return model.Response{
		Message: model.Message{
			Role: model.Assistant, Content: truncate(r.content, stop), Thought: r.thought,
			ToolCalls: r.calls, Opaque: kept.raw(),
		},
		Finish: finish, Usage: usageIn(in.Usage), Model: cmp.Or(string(in.Model), m.name),
	}, nil
}

// finish returns the reason why a response ended, or an error if the endpoint broke it off.
func (m *Model) finish(in response, r reading) (model.FinishReason, error) {
	status := strings.ToLower(string(in.Status))
	switch {
	case status == incomplete:
		return m.peer.Finish(cmp.Or(in.Incomplete.Reason, incomplete))
	case status != "" && status != completed:
		return m.peer.Finish(string(in.Status))
	case r.refused:
		return model.FinishContentFilter, nil
	case len(r.calls) > 0:
		return model.FinishToolCalls, nil
	}
	return model.FinishStop, nil
}

// truncate cuts a text before the first stop sequence in it.
func truncate(text string, stop []string) string {
	for _, s := range stop {
		if at := strings.Index(text, s); at >= 0 && s != "" {
			text = text[:at]
		}
	}
	return text
}

// usage is the usage in a response. Tokens that were read from a cache or written to it are parts of the
// input.
type usage struct {
	Input    wire.Count  `json:"input_tokens"`
	Output   wire.Count  `json:"output_tokens"`
	OfInput  usageDetail `json:"input_tokens_details"`
	OfOutput usageDetail `json:"output_tokens_details"`
}

type usageDetail struct{ Cached, Written, Reasoning wire.Count }

// UnmarshalJSON reads the details of an object; any other value counts as empty.
func (d *usageDetail) UnmarshalJSON(raw []byte) error {
	var object struct {
		Cached    wire.Count `json:"cached_tokens"`
		Written   wire.Count `json:"cache_write_tokens"`
		Reasoning wire.Count `json:"reasoning_tokens"`
	}
	_ = json.Unmarshal(raw, &object) // a list or a text counts as empty
	*d = usageDetail(object)
	return nil
}

// usageIn reads a usage. If it cannot be read, usageIn returns zero, which means unknown.
func usageIn(raw json.RawMessage) model.Usage {
	var u usage
	if !wire.Present(raw) || json.Unmarshal(raw, &u) != nil {
		return model.Usage{}
	}
	cached := min(u.OfInput.Cached, u.Input)
	return model.Usage{
		InputTokens: int(u.Input), OutputTokens: int(u.Output), CachedTokens: int(cached),
		CacheWriteTokens: int(min(u.OfInput.Written, u.Input-cached)),
		ReasoningTokens:  int(min(u.OfOutput.Reasoning, u.Output)),
	}
}

// rejection returns the error of a reply that reports a failure.
func (m *Model) rejection(r wire.Reply) error {
	s := wire.ReadFailure(r.Body)
	if r.Status >= 300 || s.Status == 0 {
		s.Status = r.Status
	}
	return m.peer.Rejected(r, s, s.Kind())
}
