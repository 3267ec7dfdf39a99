package tool

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Keywords of JSON Schema whose schemas speak of the same object as the schema around them:
// an object that has one of them cannot be closed by the names of its own properties.
var combining = []string{"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "patternProperties"}

// closed gives a parameters schema with "additionalProperties": false at its top and at every
// object in it that names its properties, unless it says otherwise. Schemas of other people's
// tools seldom say it, and a model's misspelt argument would get lost. A schema that has
// nothing to close is returned as it is, on one line.
func closed(raw json.RawMessage) (json.RawMessage, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("read parameters schema: %w", err)
	}
	top, _ := doc.(map[string]any)
	changed := closeObjects(doc)
	if top["type"] == "object" && top["additionalProperties"] == nil && !combines(top) {
		top["additionalProperties"], changed = false, true
	}
	var line bytes.Buffer
	if !changed {
		err = json.Compact(&line, raw)
		return line.Bytes(), err
	}
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	err = enc.Encode(doc)
	return bytes.TrimSpace(line.Bytes()), err
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
		if s["properties"] == nil { // each of the alternatives is the whole object
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
