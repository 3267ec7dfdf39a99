package wire

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
)

//go:embed fields.tsv
var fieldTable string

// field is a request field that may be omitted after a refusal.
type field struct {
	name  string
	words *regexp.Regexp // matches the field's name in the text of a refusal, in lower case
	added bool           // concur adds the field; it is not a setting of the user
}

// spareFields lists the fields that may be omitted without changing the meaning of a request.
var spareFields = sync.OnceValue(func() (out []field) {
	for _, row := range text.Rows(fieldTable, 3) {
		if row[2] != "no" {
			out = append(out, field{row[0], regexp.MustCompile(`\b(` + row[1] + `)\b`), row[2] == "added"})
		}
	}
	return out
})

// isAdded reports whether concur adds this field to requests.
func isAdded(name string) bool {
	return slices.ContainsFunc(spareFields(), func(f field) bool { return f.name == name && f.added })
}

// refusedField returns the field that a refusal names, if the field may be omitted; otherwise "".
func refusedField(s Stated) string {
	if s.Status != http.StatusBadRequest && s.Status != http.StatusUnprocessableEntity {
		return ""
	}
	message := strings.ToLower(s.Message)
	if !refused.MatchString(message) {
		return ""
	}
	param, _, _ := strings.Cut(s.Param, "[") // the refusal may name an element of the field
	for _, f := range spareFields() {
		if param == f.name {
			return f.name
		}
	}
	if s.Param != "" {
		return ""
	}
	for _, f := range spareFields() {
		if f.words.MatchString(message) {
			return f.name
		}
	}
	return ""
}

// leftOut collects the fields that an endpoint refuses for a model.
type leftOut struct {
	mu    sync.Mutex
	names []string // sorted; the slice is replaced, never changed
}

func (l *leftOut) fields() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.names
}

func (l *leftOut) add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.names, name) {
		l.names = slices.Sorted(slices.Values(append(slices.Clone(l.names), name)))
	}
}

// spared removes the fields that the endpoint refuses from a body; from a verbatim request, only fields that
// concur adds. The bytes of all other values are unchanged, so that items of earlier replies are sent back
// unchanged.
func (p *Peer) spared(body []byte, verbatim bool) []byte {
	names := p.refused.fields()
	if verbatim {
		names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !isAdded(name) })
	}
	var fields map[string]json.RawMessage
	if len(names) == 0 || json.Unmarshal(body, &fields) != nil {
		return body
	}
	for _, name := range names {
		delete(fields, p.fieldName(name))
	}
	out := []byte("{")
	for i, name := range slices.Sorted(maps.Keys(fields)) {
		if i > 0 {
			out = append(out, ',')
		}
		key, _ := lines.Encode(name) // encoding a text never fails
		out = append(append(append(out, key...), ':'), fields[name]...)
	}
	return append(out, '}')
}

// fieldName returns the name that a field has in requests to this endpoint.
func (p *Peer) fieldName(name string) string {
	if name == endpoints.Seed && p.Endpoint.SeedField != "" {
		return p.Endpoint.SeedField
	}
	return name
}

// spares records the field that a refusal names, and reports whether the request without that field differs.
// From a verbatim request, only fields that concur adds are removed.
func (p *Peer) spares(err error, body []byte, verbatim bool) bool {
	e, is := errors.AsType[*model.Error](err)
	if !is {
		return false
	}
	f, is := e.Err.(failure)
	if !is || f.field == "" || verbatim && !isAdded(f.field) {
		return false
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil || fields[p.fieldName(f.field)] == nil {
		return false
	}
	p.refused.add(f.field)
	return true
}

// conversationFields lists the fields of a body that have the conversation and its tools, or that differ
// between traces.
var conversationFields = []string{
	"messages", "system", "input", "instructions", "tools", "tool_choice", "stream", endpoints.StreamOptions,
	endpoints.Seed, "random_seed",
}

// sentIn describes the fields of a body, without the conversation. It returns nil except for the first
// request of an agent's own conversation, because only that request is the same in every trace.
func (p *Peer) sentIn(body []byte, req model.Request) *model.Sent {
	id := req.Identity
	if id.Purpose != model.Agent || id.Step != 0 || id.Path != "" && id.Path != model.TurnPath(0) || id.Task != "" {
		return nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return nil
	}
	out := &model.Sent{Unset: slices.DeleteFunc(slices.Clone(p.refused.fields()), isAdded)}
	_, sent := fields[endpoints.Temperature]
	if !sent && !req.NoTemperature && !slices.Contains(out.Unset, endpoints.Temperature) {
		out.Unset = append(out.Unset, endpoints.Temperature)
	}
	maps.DeleteFunc(fields, func(name string, _ json.RawMessage) bool {
		return slices.Contains(conversationFields, name)
	})
	raw, err := json.Marshal(fields)
	if err != nil {
		return nil
	}
	sum := sha256.Sum256(raw)
	out.Digest = hex.EncodeToString(sum[:8])
	return out
}
