package openai

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/wire"
)

// members are parts of a JSON object, unchanged.
type members map[string]json.RawMessage

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

// raw returns the value of Message.Opaque; nil if nothing is kept.
func (o opaque) raw() json.RawMessage {
	if len(o.Message) == 0 && !slices.ContainsFunc(o.Calls, func(f members) bool { return len(f) > 0 }) {
		return nil
	}
	raw, _ := lines.Encode(envelope{&o}) // fields of a reply are JSON
	return raw
}

// readOpaque returns the kept fields that the endpoint wants back.
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

// retain removes members that are not named, are null, or cannot be sent back.
func (f members) retain(names []string) {
	maps.DeleteFunc(f, func(name string, value json.RawMessage) bool {
		return !slices.Contains(names, name) || !wire.Present(value) || !wire.Nests(string(value))
	})
}

// pieces are the kept members of a message or a call as a stream sends them, in pieces.
type pieces map[string][]json.RawMessage

// add takes the named members of a JSON object.
func (p pieces) add(object json.RawMessage, names []string) {
	var found members
	if len(names) == 0 || json.Unmarshal(object, &found) != nil {
		return
	}
	found.retain(names)
	for name, value := range found {
		p[name] = append(p[name], value)
	}
}

// joined returns the whole members. A single piece is unchanged; strings and lists are concatenated; of other
// values the last one is used.
func (p pieces) joined() members {
	out := members{}
	for name, all := range p {
		out[name] = all[len(all)-1]
		if len(all) == 1 {
			continue
		}
		var whole strings.Builder
		var list []json.RawMessage
		for _, piece := range all {
			var text string
			var more []json.RawMessage
			if json.Unmarshal(piece, &text) == nil {
				whole.WriteString(text)
			} else if json.Unmarshal(piece, &more) == nil {
				list = append(list, more...)
			}
		}
		if whole.Len() > 0 {
			out[name], _ = json.Marshal(whole.String()) // a text is always JSON
		} else if list != nil {
			out[name], _ = json.Marshal(list) // and so are values that were read
		}
	}
	return out
}
