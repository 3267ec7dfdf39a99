package schema

import (
	"errors"
	"fmt"
	"slices"
)

// Schema is a compiled JSON Schema. It is immutable and safe for concurrent use.
type Schema struct {
	never bool // the schema `false`: no value is valid
	rules []rule
}

// rule checks a value against one keyword, and adds the problems that it finds to the check.
type rule func(k *check, value any)

// Compile compiles a schema from [Decode]. Its error names the place in the schema as a JSON pointer (RFC
// 6901).
func Compile(document any) (*Schema, error) {
	c := &compiler{
		document: document, compiled: map[string]*Schema{}, names: map[string]string{}, bases: map[string]string{},
		draft: draft2020,
	}
	top, _ := document.(map[string]any)
	if top["$schema"] != nil {
		draft, ok := top["$schema"].(string)
		if !ok {
			return nil, errors.New("at #/$schema: the draft must be a string")
		}
		d, ok := drafts[trimDraft(draft)]
		if !ok {
			return nil, fmt.Errorf("at #/$schema: the dialect %s is not known: use draft 4, 6, 7, 2019-09 or 2020-12", draft)
		}
		c.draft = d
	}
	c.collect(document, "", "")
	return c.schemaAt("")
}

// Check returns the problems of a value from [Decode], sorted; none if the value is valid.
func (s *Schema) Check(value any) []string {
	k := &check{schema: s, steps: new(int)}
	k.run(value)
	if *k.steps > maxSteps {
		return []string{tooMany}
	}
	slices.Sort(k.problems)
	return slices.Compact(k.problems)
}
