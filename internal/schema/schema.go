// Package schema makes JSON Schemas (2020-12) of Go types, as encoding/json writes them: every
// field that is always written is required, and no other is allowed. Only tests import it; it
// imports nothing of ours.
package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Object is a schema, or a part of one.
type Object = map[string]any

// Maker makes schemas. The zero value knows no enumerations.
type Maker struct {
	// Enums are the values of types whose underlying type is string.
	Enums map[reflect.Type][]string
	// Null are fields, such as gate.Change.items, whose slice or map may be nil.
	Null []string

	defs Object
}

// Document is the schema of a value of one of these types; of several, it is one of them.
func (m *Maker) Document(title, description string, of ...any) Object {
	m.defs = Object{}
	out := Object{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, "description": description}
	var parts []Object
	for _, value := range of {
		if merged, is := value.(Merged); is {
			parts = append(parts, m.merged(merged))
		} else {
			parts = append(parts, m.of(reflect.TypeOf(value)))
		}
	}
	if len(parts) == 1 {
		maps.Copy(out, parts[0])
	} else {
		out["oneOf"] = parts
	}
	if len(m.defs) > 0 {
		out["$defs"] = m.defs
	}
	return out
}

// Merged is one object with the fields of several structs, of which some have one value alone,
// and some are always there although a struct may leave them out.
type Merged struct {
	Of     []any
	Values map[string]string
	Always []string
}

func (m *Maker) merged(o Merged) Object {
	properties, required := Object{}, []string{}
	for _, value := range o.Of {
		m.fields(reflect.TypeOf(value), properties, &required)
	}
	for name, value := range o.Values {
		properties[name] = Object{"const": value}
	}
	return closed(properties, append(required, o.Always...))
}

func closed(properties Object, required []string) Object {
	return Object{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
}

func (m *Maker) of(t reflect.Type) Object {
	switch t {
	case reflect.TypeFor[time.Time]():
		return Object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[json.RawMessage]():
		return Object{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return orNull(m.of(t.Elem()))
	case reflect.String:
		if values := m.Enums[t]; values != nil {
			return Object{"enum": values}
		}
		return Object{"type": "string"}
	case reflect.Bool:
		return Object{"type": "boolean"}
	case reflect.Float64:
		return Object{"type": "number"}
	case reflect.Int, reflect.Int64:
		return Object{"type": "integer"}
	case reflect.Slice:
		return Object{"type": "array", "items": m.of(t.Elem())}
	case reflect.Array:
		return Object{"type": "array", "items": m.of(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return Object{"type": "object", "additionalProperties": m.of(t.Elem())}
	case reflect.Struct:
		return m.named(t)
	}
	panic(fmt.Sprintf("there is no schema of %s", t))
}

func orNull(of Object) Object {
	if kind, is := of["type"].(string); is {
		of["type"] = []string{kind, "null"}
		return of
	}
	return Object{"anyOf": []any{of, Object{"type": "null"}}}
}

// named is a struct, by reference: several fields may be of its type.
func (m *Maker) named(t reflect.Type) Object {
	name := path.Base(t.PkgPath()) + "." + t.Name()
	if m.defs[name] == nil {
		properties, required := Object{}, []string{}
		m.defs[name] = Object{} // for a type that holds itself
		m.fields(t, properties, &required)
		m.defs[name] = closed(properties, required)
	}
	return Object{"$ref": "#/$defs/" + name}
}

func (m *Maker) fields(t reflect.Type, properties Object, required *[]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			m.fields(f.Type, properties, required)
			continue
		case !f.IsExported() || name == "-":
			continue
		case name == "":
			name = f.Name
		}
		properties[name] = m.of(f.Type)
		if slices.Contains(m.Null, path.Base(t.PkgPath())+"."+t.Name()+"."+name) {
			properties[name] = orNull(m.of(f.Type))
		}
		if !strings.Contains(options, "omit") {
			*required = append(*required, name)
		}
	}
}
