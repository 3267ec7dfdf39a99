package mcp

import (
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/tool"
)

// hideKeys removes keys from the parts of a result that an agent gets.
func hideKeys(h *secret.Hider, o *tool.Output) {
	if h == nil {
		return
	}
	if object, ok := hidden(h, o.Object).(map[string]any); ok {
		o.Object = object
	}
	for i := range o.Documents {
		d := &o.Documents[i]
		for _, text := range []*string{&d.ID, &d.Ref, &d.Source, &d.Title, &d.Snippet} {
			*text = h.Hide(*text)
		}
	}
}

// hidden returns a JSON value without keys.
func hidden(h *secret.Hider, v any) any {
	switch v := v.(type) {
	case string:
		return h.Hide(v)
	case []any:
		for i := range v {
			v[i] = hidden(h, v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			out[h.Hide(key)] = hidden(h, value)
		}
		return out
	}
	return v
}

// hide removes keys from a server's description of itself.
func (a *About) hide(h *secret.Hider) {
	if h == nil {
		return
	}
	for _, text := range []*string{&a.Name, &a.Version, &a.Protocol, &a.Instructions} {
		*text = h.Hide(*text)
	}
	for i := range a.Tools {
		t := &a.Tools[i]
		t.Name, t.Description, t.Schema = h.Hide(t.Name), h.Hide(t.Description), []byte(h.Hide(string(t.Schema)))
	}
}
