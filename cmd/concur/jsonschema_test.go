package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// schemaObject is a schema, or a part of one.
type schemaObject = map[string]any

// schemaMaker makes JSON Schemas (2020-12) of Go types, as encoding/json writes them: every field
// that is always written is required, and no other is allowed. The zero value knows no enumerations.
type schemaMaker struct {
	// Enums are the values of types whose underlying type is string.
	Enums map[reflect.Type][]string
	// Null are fields, such as gate.Change.items, whose slice or map may be nil.
	Null []string
	// Extras are values of features in a struct: of a field of json.RawMessage, of the field extras or, without either, of
	// fields that the struct writes by its own methods. They may be missing.
	Extras map[string]map[string]any

	defs schemaObject
}

// Document is the schema of a value of one of these types; of several, it is one of them.
func (m *schemaMaker) Document(title, description string, of ...any) schemaObject {
	m.defs = schemaObject{}
	out := schemaObject{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, "description": description}
	var parts []schemaObject
	for _, value := range of {
		if merged, is := value.(mergedStructs); is {
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

// mergedStructs is one object with the fields of several structs, of which some have one value alone,
// and some are always there although a struct may leave them out.
type mergedStructs struct {
	Of     []any
	Values map[string]string
	Always []string
}

func (m *schemaMaker) merged(o mergedStructs) schemaObject {
	properties, required := schemaObject{}, []string{}
	for _, value := range o.Of {
		m.fields(reflect.TypeOf(value), properties, &required)
	}
	for name, value := range o.Values {
		properties[name] = schemaObject{"const": value}
	}
	return closedSchema(properties, append(required, o.Always...))
}

func closedSchema(properties schemaObject, required []string) schemaObject {
	return schemaObject{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
}

func (m *schemaMaker) of(t reflect.Type) schemaObject {
	switch t {
	case reflect.TypeFor[time.Time]():
		return schemaObject{"type": "string", "format": "date-time"}
	case reflect.TypeFor[json.RawMessage]():
		return schemaObject{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return orNull(m.of(t.Elem()))
	case reflect.String:
		if values := m.Enums[t]; values != nil {
			return schemaObject{"enum": values}
		}
		return schemaObject{"type": "string"}
	case reflect.Bool:
		return schemaObject{"type": "boolean"}
	case reflect.Float64:
		return schemaObject{"type": "number"}
	case reflect.Int, reflect.Int64:
		return schemaObject{"type": "integer"}
	case reflect.Slice:
		return schemaObject{"type": "array", "items": m.of(t.Elem())}
	case reflect.Array:
		return schemaObject{"type": "array", "items": m.of(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return schemaObject{"type": "object", "additionalProperties": m.of(t.Elem())}
	case reflect.Struct:
		return m.named(t)
	}
	panic(fmt.Sprintf("there is no schema of %s", t))
}

func orNull(of schemaObject) schemaObject {
	if kind, is := of["type"].(string); is {
		of["type"] = []string{kind, "null"}
		return of
	}
	return schemaObject{"anyOf": []any{of, schemaObject{"type": "null"}}}
}

// named is a struct, by reference: several fields may be of its type.
func (m *schemaMaker) named(t reflect.Type) schemaObject {
	name := path.Base(t.PkgPath()) + "." + t.Name()
	if m.defs[name] == nil {
		properties, required := schemaObject{}, []string{}
		m.defs[name] = schemaObject{} // for a type that holds itself
		m.fields(t, properties, &required)
		m.defs[name] = closedSchema(properties, required)
	}
	return schemaObject{"$ref": "#/$defs/" + name}
}

func (m *schemaMaker) fields(t reflect.Type, properties schemaObject, required *[]string) {
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
	for name, value := range m.Extras[path.Base(t.PkgPath())+"."+t.Name()] {
		into := properties
		if extras, has := properties["extras"].(schemaObject); has && properties[name] == nil {
			if extras["properties"] == nil {
				extras["properties"] = schemaObject{}
			}
			into = extras["properties"].(schemaObject)
		}
		into[name] = m.of(reflect.TypeOf(value))
	}
}

type leaf struct {
	Name  string   `json:"name"`
	Rates []string `json:"rates"`
}

type tree struct {
	leaf
	At     time.Time       `json:"at"`
	Next   *leaf           `json:"next"`
	Counts map[string]int  `json:"counts"`
	Raw    json.RawMessage `json:"raw"`
	Bounds *[2]float64     `json:"bounds"`
	Maybe  bool            `json:"maybe,omitempty"`
	hidden int
	Left   int `json:"-"`
}

func TestSchemaOfTypes(t *testing.T) {
	_ = tree{hidden: 1}
	m := schemaMaker{Null: []string{"concur.leaf.rates"}}
	raw, err := json.MarshalIndent(m.Document("tree", "a test", mergedStructs{Of: []any{tree{}}, Values: map[string]string{"name": "oak"}, Always: []string{"maybe"}}), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "tree", "description": "a test",
		"type": "object", "additionalProperties": false,
		"required": ["name", "rates", "at", "next", "counts", "raw", "bounds", "maybe"],
		"properties": {
			"name": {"const": "oak"}, "rates": {"type": ["array", "null"], "items": {"type": "string"}},
			"at": {"type": "string", "format": "date-time"},
			"next": {"anyOf": [{"$ref": "#/$defs/concur.leaf"}, {"type": "null"}]},
			"counts": {"type": "object", "additionalProperties": {"type": "integer"}}, "raw": {},
			"bounds": {"type": ["array", "null"], "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
			"maybe": {"type": "boolean"}},
		"$defs": {"concur.leaf": {"type": "object", "additionalProperties": false, "required": ["name", "rates"],
			"properties": {"name": {"type": "string"}, "rates": {"type": ["array", "null"], "items": {"type": "string"}}}}}}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
