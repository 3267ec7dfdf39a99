package result

import (
	"encoding/json"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/runner/feature"
	"github.com/seed-5817661a/concur/runner/feature/registry"
	"github.com/seed-5817661a/concur/runner/store"
)

// configuration is Configuration without its methods, so that it is encoded as JSON in the default way.
type configuration Configuration

// MarshalJSON writes the figures of features as fields of the object.
func (c Configuration) MarshalJSON() ([]byte, error) {
	object, err := lines.Encode(configuration(c))
	if err != nil || len(c.Extras) == 0 {
		return object, err
	}
	figures, err := lines.Encode(c.Extras) // its keys are sorted
	if err != nil {
		return nil, err
	}
	return append(append(object[:len(object)-1], ','), figures[1:]...), nil
}

// UnmarshalJSON reads the output of MarshalJSON.
func (c *Configuration) UnmarshalJSON(object []byte) error {
	if err := json.Unmarshal(object, (*configuration)(c)); err != nil {
		return err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(object, &fields); err != nil {
		return err
	}
	c.Extras = nil
	for _, kind := range registry.Features() {
		raw, has := fields[kind.Name]
		if !has || kind.Figures == nil {
			continue
		}
		figures, err := kind.Read(raw)
		if err != nil {
			return err
		}
		if c.Extras == nil {
			c.Extras = map[string]any{}
		}
		c.Extras[kind.Name] = figures
	}
	return nil
}

// extras has the sums of the records that features made, by the features' names.
type extras map[string]feature.Sum

func newExtras() extras {
	out := extras{}
	for _, kind := range registry.Features() {
		if kind.Sum != nil {
			out[kind.Name] = kind.Sum()
		}
	}
	return out
}

func (e extras) add(r store.Record) error {
	for _, sum := range e {
		if err := sum.Add(r); err != nil {
			return err
		}
	}
	return nil
}

func (e extras) merge(o extras) {
	for name, sum := range e {
		sum.Merge(o[name])
	}
}

func (e extras) figures() map[string]any {
	var out map[string]any
	for name, sum := range e {
		if figures := sum.Figures(); figures != nil {
			if out == nil {
				out = map[string]any{}
			}
			out[name] = figures
		}
	}
	return out
}
