package tool_test

import (
	"encoding/json"
	"testing"

	"github.com/seed-5817661a/concur/tool"
)

// The schemas of third-party tools forbid unknown arguments, unless they say otherwise.
func TestForeignSchemaIsClosed(t *testing.T) {
	for name, c := range map[string]struct{ schema, want string }{
		"closed, in its own order": {`{"type":"object", "properties":{"b":{},"a":{}}, "additionalProperties":false}`, `{"type":"object","properties":{"b":{},"a":{}},"additionalProperties":false}`},
		"without arguments":        {`{"type":"object"}`, `{"additionalProperties":false,"type":"object"}`},
		"open":                     {`{"type":"object","properties":{"a":{"default":1e400,"format":"<uri>"}}}`, `{"additionalProperties":false,"properties":{"a":{"default":1e400,"format":"<uri>"}},"type":"object"}`},
		"within":                   {`{"type":"object","properties":{"a":{"type":"array","items":{"properties":{"x":{}}}}}}`, `{"additionalProperties":false,"properties":{"a":{"items":{"additionalProperties":false,"properties":{"x":{}}},"type":"array"}},"type":"object"}`},
		"open on purpose":          {`{"type":"object","properties":{"a":{"properties":{},"additionalProperties":true}}}`, `{"additionalProperties":false,"properties":{"a":{"additionalProperties":true,"properties":{}}},"type":"object"}`},
		"a free map":               {`{"type":"object","properties":{"a":{"type":"object"}}}`, `{"additionalProperties":false,"properties":{"a":{"type":"object"}},"type":"object"}`},
		"alternatives":             {`{"type":"object","properties":{"a":{"anyOf":[{"properties":{"x":{}}},{"type":"null"}]}}}`, `{"additionalProperties":false,"properties":{"a":{"anyOf":[{"additionalProperties":false,"properties":{"x":{}}},{"type":"null"}]}},"type":"object"}`},
		"parts of one object":      {`{"type":"object","properties":{"a":{"properties":{"x":{}},"allOf":[{"properties":{"y":{}}}]}}}`, `{"additionalProperties":false,"properties":{"a":{"allOf":[{"properties":{"y":{}}}],"properties":{"x":{}}}},"type":"object"}`},
		"definitions":              {`{"type":"object","$schema":"https://json-schema.org/draft/2020-12/schema","properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"properties":{"a":{"$ref":"#/$defs/n"}}}}}`, `{"$defs":{"n":{"additionalProperties":false,"properties":{"a":{"$ref":"#/$defs/n"}}}},"$schema":"https://json-schema.org/draft/2020-12/schema","additionalProperties":false,"properties":{"a":{"$ref":"#/$defs/n"}},"type":"object"}`},
	} {
		r, err := tool.New(named("a", c.schema, nil))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := r.Specs()[0].Parameters
		if string(got) != c.want || !json.Valid(got) {
			t.Errorf("%s:\n%s, want\n%s", name, got, c.want)
		}
	}
}
