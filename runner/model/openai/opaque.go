package openai

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

// opaque is the content of Message.Opaque: the fields that are sent back with an
// assistant's message, and with each of its calls, in their order.
type opaque struct {
	Message members   `json:"message,omitempty"`
	Calls   []members `json:"calls,omitempty"`
}

// envelope distinguishes this Opaque from those of other providers.
type envelope struct {
	OpenAI *opaque `json:"openai"`
}

// raw is the value of Message.Opaque; nil if nothing is kept.
func (o opaque) raw() json.RawMessage {
	if len(o.Message) == 0 && !slices.ContainsFunc(o.Calls, func(f members) bool { return len(f) > 0 }) {
		return nil
	}
	raw, err := lines.Encode(envelope{&o})
	if err != nil {
		return nil // cannot happen: fields of a reply are JSON
	}
	return raw
}

// readOpaque gives the kept fields that the endpoint wants back.
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

// retain drops other members, null ones, and those that cannot be sent back.
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

// partialMember is a member that a stream sends in pieces: strings and lists are
// concatenated; of other values the last one counts. A single piece is unchanged.
type partialMember struct {
	text   strings.Builder
	list   []json.RawMessage
	last   json.RawMessage
	pieces int
}

func (g *partialMember) add(piece json.RawMessage) {
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

func (g *partialMember) value() (json.RawMessage, error) {
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

// partialMembers are the kept members of a message or call of a stream.
type partialMembers map[string]*partialMember

func (m partialMembers) add(pieces members) {
	for name, piece := range pieces {
		if m[name] == nil {
			m[name] = &partialMember{}
		}
		m[name].add(piece)
	}
}

func (m partialMembers) members() (members, error) {
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
