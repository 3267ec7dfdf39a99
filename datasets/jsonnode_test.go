package datasets

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// natural turns a node back into what encoding/json makes of the same text.
func natural(n *yaml.Node) any {
	switch n.Kind {
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, natural(item))
		}
		return list
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = natural(n.Content[i+1])
		}
		return m
	}
	switch n.ShortTag() {
	case "!!str":
		return n.Value
	case "!!null":
		return nil
	case "!!bool":
		return n.Value == "true"
	}
	return json.Number(n.Value)
}

// FuzzParseJSON holds the reader against encoding/json: it takes the same texts,
// and makes the same of them.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, ` { "a" : [ 1 , -2.5e+3 , true , false , null ] } `, `{"a":{"b":[[],{}]},"c":"d"}`, `"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud800"`,
		`{"a":1,"a":2}`, "\"\xff\"", `[1,]`, `{"a"}`, `{"a":1`, `1 2`, ``, `nul`, `0123`, `"é日😀"`, `123456789012345678901234567890`, `1e999`, `[","]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		n, wrong := parseJSON(text, strictyaml.Pos{Line: 7, Column: 1})
		if taken := json.Valid(text) && utf8.Valid(text); taken != (wrong == nil) {
			t.Fatalf("%q: error %v", text, wrong)
		}
		if wrong != nil {
			if wrong.Line != 7 || wrong.Column < 1 || wrong.Column > utf8.RuneCount(text)+1 {
				t.Errorf("%q: error at %d:%d", text, wrong.Line, wrong.Column)
			}
			return
		}
		got, err := json.Marshal(natural(n))
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			return // a number beyond float64: only we keep it
		}
		var w any
		if err := json.Unmarshal(got, &w); err != nil {
			t.Fatal(err)
		}
		want, _ := json.Marshal(v)
		if again, _ := json.Marshal(w); string(want) != string(again) {
			t.Errorf("%s is read as %s", want, again)
		}
	})
}

func TestParseJSONPlaces(t *testing.T) {
	n, wrong := parseJSON([]byte(` {"é" : ["😀", 12 ,{"b":"\n"}]}`), strictyaml.Pos{Line: 3, Column: 1})
	if wrong != nil {
		t.Fatal(wrong)
	}
	list := n.Content[1]
	for _, c := range []struct {
		what   string
		n      *yaml.Node
		column int
	}{
		{"object", n, 2}, {"key", n.Content[0], 3}, {"list", list, 9}, {"text", list.Content[0], 10},
		{"number", list.Content[1], 15}, {"inner object", list.Content[2], 19}, {"inner value", list.Content[2].Content[1], 24},
	} {
		if c.n.Line != 3 || c.n.Column != c.column {
			t.Errorf("%s at %d:%d, want 3:%d", c.what, c.n.Line, c.n.Column, c.column)
		}
	}
}
