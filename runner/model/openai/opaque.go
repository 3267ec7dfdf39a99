package openai

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

// opaque is what Message.Opaque keeps of an assistant's message: the fields that go back
// with it, and those that go back with each of its calls, in their order.
type opaque struct {
	Message members   `json:"message,omitempty"`
	Calls   []members `json:"calls,omitempty"`
}

// envelope tells our Opaque from other providers'.
type envelope struct {
	OpenAI *opaque `json:"openai"`
}

// raw gives what Message.Opaque keeps; nothing where nothing is kept.
func (o opaque) raw() json.RawMessage {
	if len(o.Message) == 0 && !slices.ContainsFunc(o.Calls, func(f members) bool { return len(f) > 0 }) {
		return nil
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(envelope{&o}) != nil {
		return nil // a field that is no JSON; a reply has none
	}
	return bytes.TrimSpace(out.Bytes())
}

// readOpaque gives what was kept, as far as the endpoint wants it back.
func readOpaque(raw json.RawMessage, keep []string) opaque {
	var e envelope
	if len(raw) == 0 || json.Unmarshal(raw, &e) != nil || e.OpenAI == nil {
		return opaque{} // another provider's
	}
	ofMessage, ofCall := keptNames(keep)
	e.OpenAI.Message.retain(ofMessage)
	for _, f := range e.OpenAI.Calls {
		f.retain(ofCall)
	}
	return *e.OpenAI
}

// keptNames splits Endpoint.Keep into fields of a message and fields of a call.
func keptNames(keep []string) (ofMessage, ofCall []string) {
	for _, name := range keep {
		if field, ok := strings.CutPrefix(name, endpoints.CallPrefix); ok {
			ofCall = append(ofCall, field)
		} else {
			ofMessage = append(ofMessage, name)
		}
	}
	return ofMessage, ofCall
}

// retain drops all other members, those that are null, and those that cannot be sent back.
func (f members) retain(names []string) {
	for name, value := range f {
		if !slices.Contains(names, name) || !wire.Present(value) || !wire.Nests(string(value)) {
			delete(f, name)
		}
	}
}

// pick reads some members of a JSON object.
func pick(object json.RawMessage, names []string) (out members) {
	if len(names) == 0 || json.Unmarshal(object, &out) != nil {
		return nil
	}
	out.retain(names)
	return out
}

// growingMember is a member that a stream tells in pieces: texts and lists grow, of any
// other value the last one holds. A single piece is kept as it came.
type growingMember struct {
	text   strings.Builder
	list   []json.RawMessage
	last   json.RawMessage
	pieces int
}

func (g *growingMember) add(piece json.RawMessage) {
	g.pieces++
	g.last = piece
	var text string
	var list []json.RawMessage
	if json.Unmarshal(piece, &text) == nil {
		g.text.WriteString(text)
	} else if json.Unmarshal(piece, &list) == nil {
		g.list = append(g.list, list...)
	}
}

func (g *growingMember) value() (json.RawMessage, error) {
	switch {
	case g.pieces == 1:
		return g.last, nil
	case g.text.Len() > 0:
		return json.Marshal(g.text.String())
	case g.list != nil:
		return json.Marshal(g.list)
	default:
		return g.last, nil
	}
}

// growingMembers are the kept members of a message or call of a stream.
type growingMembers map[string]*growingMember

func (m growingMembers) add(pieces members) {
	for name, piece := range pieces {
		if m[name] == nil {
			m[name] = &growingMember{}
		}
		m[name].add(piece)
	}
}

func (m growingMembers) members() (members, error) {
	out := members{}
	for name, g := range m {
		value, err := g.value()
		if err != nil {
			return nil, err
		}
		out[name] = value
	}
	return out, nil
}
