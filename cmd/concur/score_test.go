package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/score"
)

// TestScoreSchema: docs/score.schema.json describes what is printed, of one file and of two,
// with figures that are undefined, and names every key.
func TestScoreSchema(t *testing.T) {
	schema, doc := loadSchema(t, "score.schema.json")
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a := write("a.jsonl", `{"id":1,"gold":"x","answers":["x","x","y"]}`+"\n"+`{"id":2,"answers":["x"]}`+"\nno json\n")
	b := write("b.jsonl", `{"id":1,"gold":"x","answers":["y"]}`+"\n")
	c := write("c.jsonl", `{"id":1,"gold":"x","answers":["`+strings.Repeat(`x","`, 19)+`y"]}`+"\n")
	for _, files := range [][]string{{a}, {b}, {c}, {a, b}, {b, c}} {
		s, err := score.Files(t.Context(), files, nil, score.Options{Partial: true}, ablations.Options{})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%v: %v", files, err)
		}
		v.(map[string]any)["extra"] = 1
		if schema.Validate(v) == nil {
			t.Errorf("%v: the schema takes a key that there is not", files)
		}
	}
	figures := doc["$defs"].(map[string]any)["figures"].(map[string]any)
	if n := reflect.TypeFor[score.Figures]().NumField(); len(figures["required"].([]any)) != n || len(figures["properties"].(map[string]any)) != n {
		t.Errorf("Figures has %d fields, the schema requires %d and knows %d", n, len(figures["required"].([]any)), len(figures["properties"].(map[string]any)))
	}
}
