package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestSchemasOfPython: the dataclasses are those of the schemas in docs.
func TestSchemasOfPython(t *testing.T) {
	root := filepath.Join("..", "..")
	want, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(output)))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not made from the schemas in docs: run go run -C .ci ./dataclasses ..", output)
	}
}

func TestAnnotation(t *testing.T) {
	for text, want := range map[string]string{
		`{"type": "string"}`:               "str",
		`{"type": ["number", "null"]}`:     "float | None",
		`{"const": "concur/run/v1"}`:       "str",
		`{"enum": ["a", "b"]}`:             "str",
		`{}`:                               "Any",
		`{"$ref": "#/$defs/store.Answer"}`: "StoreAnswer",
		`{"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}`: "list[list[int]]",
		`{"anyOf": [{"$ref": "#/$defs/gate.Phi"}, {"type": "null"}]}`:                 "GatePhi | None",
		`{"type": "object", "additionalProperties": {"type": "boolean"}}`:             "dict[str, bool]",
	} {
		var s schema
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		if got, err := annotation(&s); got != want || err != nil {
			t.Errorf("%s: got %s, %v; want %s", text, got, err, want)
		}
	}
	if _, err := annotation(&schema{Type: types{"decimal"}}); err == nil {
		t.Error("an unknown type was accepted")
	}
}

func TestClass(t *testing.T) {
	s := &schema{Required: []string{"z", "from"}, Properties: map[string]*schema{
		"a": {Type: types{"integer"}}, "z": {Type: types{"string"}}, "from": {Type: types{"string", "null"}},
	}}
	want := "\n\n@dataclass(frozen=True)\nclass RunRef:\n    z: str\n    from_: str | None\n    a: int | None = None\n"
	if got, err := class("run.Ref", s); string(got) != want || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err := class("run.Ref", &schema{Required: []string{"z"}}); err == nil {
		t.Error("a field without a description was accepted")
	}
}
