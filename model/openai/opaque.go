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

// members are fields of a JSON object, unchanged.
type members map[string]json.RawMessage

// opaque is the content of Message.Opaque: fields that are sent back with an assistant's message, and fields
// for each of its calls, in order.
type opaque struct {
	Message members   `json:"message,omitempty"`
	Calls   []members `json:"calls,omitempty"`
}

// envelope marks the content as this package's, so that it is not confused with another provider's.
type envelope struct {
	OpenAI *opaque `json:"openai"`
}

// raw returns the value of Message.Opaque; nil if nothing is kept.
func (o opaque) raw() json.RawMessage {
	if len(o.Message) == 0 && !slices.ContainsFunc(o.Calls, func(f members) bool { return len(f) > 0 }) {
		return nil
	}
	raw, _ := lines.Encode(envelope{&o}) // fields of a reply are valid JSON
	return raw
}

// readOpaque returns the stored fields that this endpoint must get back.
func readOpaque(raw json.RawMessage, keep []string) opaque {
	var e envelope
	if len(raw) == 0 || json.Unmarshal(raw, &e) != nil || e.OpenAI == nil {
		return opaque{} // the data is of another provider
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

// retain removes fields that are not in names, are null, or cannot be sent back.
func (f members) retain(names []string) {
	maps.DeleteFunc(f, func(name string, value json.RawMessage) bool {
		return !slices.Contains(names, name) || !wire.Present(value) || !wire.Nests(string(value))
	})
}

// pieces has the stored fields of a message or call in the pieces in which a stream sends them.
type pieces map[string][]json.RawMessage

// add appends the named fields of a JSON object.
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

// joined returns the complete fields. A single piece is unchanged; strings and lists are concatenated; for
// other values the last piece is used.
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
			out[name], _ = json.Marshal(whole.String()) // encoding a text never fails
		} else if list != nil {
			out[name], _ = json.Marshal(list) // encoding decoded values never fails
		}
	}
	return out
}
