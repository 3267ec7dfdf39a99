package trace

import (
	"encoding/json"
	"fmt"

	"github.com/seed-5817661a/concur/internal/lines"
)

// Extras has the records that an agent's features made of a trace, by the features' names. The records of
// explain and playbook are fields of the enclosing object, as in files of older versions; newer features need
// no field.
type Extras struct {
	Explain  json.RawMessage            `json:"explain,omitempty"`
	Playbook json.RawMessage            `json:"playbook,omitempty"`
	Others   map[string]json.RawMessage `json:"extras,omitempty"`
}

// own returns the field for a name; nil if the feature has no field.
func (e *Extras) own(name string) *json.RawMessage {
	switch name {
	case "explain":
		return &e.Explain
	case "playbook":
		return &e.Playbook
	}
	return nil
}

// Set stores the record of a feature. It panics if the record cannot be encoded.
func (e *Extras) Set(name string, value any) {
	raw, err := lines.Encode(value)
	if err != nil {
		panic(fmt.Sprintf("encode what %s records: %v", name, err))
	}
	if field := e.own(name); field != nil {
		*field = raw
		return
	}
	if e.Others == nil {
		e.Others = map[string]json.RawMessage{}
	}
	e.Others[name] = raw
}

// Extra decodes the record of a feature. It returns nil if the trace has no such record.
func Extra[T any](e Extras, name string) (*T, error) {
	raw := e.Others[name]
	if field := e.own(name); field != nil {
		raw = *field
	}
	if raw == nil {
		return nil, nil
	}
	var value *T
	if err := lines.Decode(raw, &value); err != nil {
		return nil, fmt.Errorf("read what %s recorded: %w", name, err)
	}
	return value, nil
}
