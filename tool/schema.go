package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/seed-5817661a/concur/internal/lines"
)

// readSchema returns a parameters schema on one line, and compiled. It adds "additionalProperties": false at
// the top and at every object that names its properties, unless it is set: schemas of third-party tools
// seldom set it, and a model's misspelt argument would be ignored. The result must be acceptable to every
// provider: an object that forbids unnamed properties. A schema without properties belongs to a tool without
// arguments.
func readSchema(name string, raw json.RawMessage) (json.RawMessage, *jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, nil, fmt.Errorf("read parameters schema: %w", err)
	}
	top, _ := doc.(map[string]any)
	kind, _ := top["type"].(string)
	changed := closeObjects(doc)
	if kind == "object" && top["additionalProperties"] == nil && !combines(top) {
		top["additionalProperties"], changed = false, true
	}
	switch {
	case kind != "object":
		return nil, nil, fmt.Errorf(`parameters schema has type %q: it must be "object"`, kind)
	case top["additionalProperties"] != false:
		return nil, nil, errors.New(`parameters schema allows unknown arguments: set "additionalProperties": false, ` +
			`and name all properties at its top`)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.AssertFormat()
	location := "tool:" + name
	if err = c.AddResource(location, doc); err != nil {
		return nil, nil, fmt.Errorf("add parameters schema: %w", err)
	}
	s, err := c.Compile(location)
	if err != nil {
		return nil, nil, fmt.Errorf("compile parameters schema: %w", err)
	}
	if changed {
		raw, err = lines.Encode(doc)
		return raw, s, err
	}
	var line bytes.Buffer // with its properties in their order
	err = json.Compact(&line, raw)
	return line.Bytes(), s, err
}

// noLoader prevents schemas from reading files or the network through $ref.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("a tool's schema cannot refer to %s: write it out", url)
}

// checkArguments describes the errors of arguments, in an order that does not depend on map iteration.
func checkArguments(s *jsonschema.Schema, arguments json.RawMessage) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err != nil {
		return fmt.Errorf("not valid JSON: %w", err)
	}
	if _, ok := value.(map[string]any); !ok {
		return errors.New("not a JSON object")
	}
	err = s.Validate(value)
	if err == nil {
		return nil
	}
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return err
	}
	all := problems(invalid)
	slices.Sort(all)
	return errors.New(strings.Join(all, "; "))
}

func problems(e *jsonschema.ValidationError) (all []string) {
	for _, c := range e.Causes {
		all = append(all, problems(c)...)
	}
	if len(e.Causes) > 0 {
		return all
	}
	text := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	if len(e.InstanceLocation) > 0 {
		text = strings.Join(e.InstanceLocation, ".") + ": " + text
	}
	return []string{text}
}

// combining lists keywords of JSON Schema whose subschemas describe the same object. Such an object cannot be
// closed with the names of its own properties.
var combining = []string{"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas",
	"patternProperties"}

// closeObjects forbids unknown properties in the objects within a schema, and reports whether it changed any.
func closeObjects(schema any) (changed bool) {
	switch s := schema.(type) {
	case []any:
		for _, part := range s {
			changed = closeObjects(part) || changed
		}
	case map[string]any:
		if _, names := s["properties"].(map[string]any); names && s["additionalProperties"] == nil && !combines(s) {
			s["additionalProperties"], changed = false, true
		}
		for _, in := range []string{"properties", "$defs", "definitions"} {
			parts, _ := s[in].(map[string]any)
			for _, part := range parts {
				changed = closeObjects(part) || changed
			}
		}
		for _, in := range []string{"items", "prefixItems", "additionalProperties", "contains"} {
			changed = closeObjects(s[in]) || changed
		}
		if s["properties"] == nil { // each alternative is the complete object
			changed = closeObjects(s["anyOf"]) || changed
			changed = closeObjects(s["oneOf"]) || changed
		}
	}
	return changed
}

func combines(s map[string]any) bool {
	return slices.ContainsFunc(combining, func(key string) bool { return s[key] != nil })
}
