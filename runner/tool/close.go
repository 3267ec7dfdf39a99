package tool

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-5817661a/concur/internal/lines"
)

// combining are keywords of JSON Schema whose subschemas describe the same object: an
// object with one of them cannot be closed by the names of its own properties.
var combining = []string{"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "patternProperties"}

// closeSchema adds "additionalProperties": false to a parameters schema, at its top and at
// every object that names its properties, unless it is set. Schemas of third-party tools
// seldom set it, and a model's misspelt argument would be ignored. A schema without such
// objects is only put on one line.
func closeSchema(raw json.RawMessage) (json.RawMessage, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("read parameters schema: %w", err)
	}
	top, _ := doc.(map[string]any)
	changed := closeObjects(doc)
	if top["type"] == "object" && top["additionalProperties"] == nil && !combines(top) {
		top["additionalProperties"], changed = false, true
	}
	if !changed {
		var line bytes.Buffer
		err = json.Compact(&line, raw)
		return line.Bytes(), err
	}
	return lines.Encode(doc)
}

// closeObjects closes the objects within a schema, and reports whether there were any.
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
	for _, key := range combining {
		if s[key] != nil {
			return true
		}
	}
	return false
}
