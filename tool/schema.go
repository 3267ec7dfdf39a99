package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/schema"
)

// readSchema returns a schema of parameters on one line, and compiled. It adds "additionalProperties": false
// at the top and to every object that names its properties, unless the setting exists. The reason is that
// schemas of third-party tools seldom have it, and then a misspelt argument would be ignored. The result must
// be acceptable to every provider: an object that forbids unnamed properties. A schema without properties is
// that of a tool without arguments.
func readSchema(raw json.RawMessage) (json.RawMessage, *schema.Schema, error) {
	doc, err := schema.Decode(raw)
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
	if err := checkRequired(doc); err != nil {
		return nil, nil, err
	}
	compiled, err := schema.Compile(doc)
	if err != nil {
		return nil, nil, fmt.Errorf("compile parameters schema: %w", err)
	}
	if changed {
		raw, err = lines.Encode(doc)
		return raw, compiled, err
	}
	var line bytes.Buffer // with the properties in their order
	err = json.Compact(&line, raw)
	return line.Bytes(), compiled, err
}

// checkArguments returns an error that describes all problems of the arguments, always in the same order.
func checkArguments(s *schema.Schema, arguments json.RawMessage) error {
	value, err := schema.Decode(arguments)
	if err != nil {
		return fmt.Errorf("not valid JSON: %w", err)
	}
	if _, ok := value.(map[string]any); !ok {
		return errors.New("not a JSON object")
	}
	if problems := s.Check(value); len(problems) > 0 {
		return errors.New(strings.Join(problems, "; "))
	}
	return nil
}

// checkRequired returns an error if an object of a schema requires a property that it also forbids, because no
// arguments could then be right: "required" names it, and "properties" does not.
func checkRequired(part any) error {
	switch s := part.(type) {
	case []any:
		for _, item := range s {
			if err := checkRequired(item); err != nil {
				return err
			}
		}
	case map[string]any:
		required, _ := s["required"].([]any)
		properties, _ := s["properties"].(map[string]any)
		for _, name := range required {
			name, isName := name.(string)
			_, known := properties[name]
			if isName && !known && s["additionalProperties"] == false && s["patternProperties"] == nil {
				return fmt.Errorf("parameters schema requires the property %.60q, which its properties do not have: "+
					`add it to "properties", or remove it from "required"`, name)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(s)) {
			if slices.Contains([]string{"enum", "const", "default", "examples"}, key) {
				continue // values, not schemas
			}
			if err := checkRequired(s[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

// combining lists keywords of JSON Schema whose subschemas describe the same object. Unknown properties
// cannot be forbidden in such an object, because its own properties are not all of them.
var combining = []string{"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas",
	"patternProperties"}

// closeObjects forbids unknown properties in the objects within a schema, and reports whether it changed any.
func closeObjects(part any) (changed bool) {
	switch s := part.(type) {
	case []any:
		for _, item := range s {
			changed = closeObjects(item) || changed
		}
	case map[string]any:
		if _, names := s["properties"].(map[string]any); names && s["additionalProperties"] == nil && !combines(s) {
			s["additionalProperties"], changed = false, true
		}
		for _, in := range []string{"properties", "$defs", "definitions"} {
			parts, _ := s[in].(map[string]any)
			for _, p := range parts {
				changed = closeObjects(p) || changed
			}
		}
		for _, in := range []string{"items", "prefixItems", "additionalProperties", "contains"} {
			changed = closeObjects(s[in]) || changed
		}
		if s["properties"] == nil { // each alternative describes the complete object
			changed = closeObjects(s["anyOf"]) || changed
			changed = closeObjects(s["oneOf"]) || changed
		}
	}
	return changed
}

func combines(s map[string]any) bool {
	return slices.ContainsFunc(combining, func(key string) bool { return s[key] != nil })
}
