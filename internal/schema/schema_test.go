package schema_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/internal/schema"
)

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

func TestDocument(t *testing.T) {
	_ = tree{hidden: 1}
	m := schema.Maker{Null: []string{"schema_test.leaf.rates"}}
	raw, err := json.MarshalIndent(m.Document("tree", "a test", schema.Merged{Of: []any{tree{}}, Values: map[string]string{"name": "oak"}, Always: []string{"maybe"}}), "", " ")
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
			"next": {"anyOf": [{"$ref": "#/$defs/schema_test.leaf"}, {"type": "null"}]},
			"counts": {"type": "object", "additionalProperties": {"type": "integer"}}, "raw": {},
			"bounds": {"type": ["array", "null"], "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
			"maybe": {"type": "boolean"}},
		"$defs": {"schema_test.leaf": {"type": "object", "additionalProperties": false, "required": ["name", "rates"],
			"properties": {"name": {"type": "string"}, "rates": {"type": ["array", "null"], "items": {"type": "string"}}}}}}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
