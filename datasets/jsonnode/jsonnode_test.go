package jsonnode

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
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
	switch {
	case n.Tag == "!!str":
		return n.Value
	case n.Value == "null":
		return nil
	case n.Value == "true" || n.Value == "false":
		return n.Value == "true"
	}
	return json.Number(n.Value)
}

// FuzzParseJSON holds the reader against encoding/json: it takes the same texts,
// makes the same of them, and gives an error its place.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, ` { "a" : [ 1 , -2.5e+3 , true , false , null ] } `, `{"a":{"b":[[],{}]},"c":"d"}`, `"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud800"`,
		`{"a":1,"a":2}`, "\n{\"a\":\n x}", "[1]\n\n,", `1e5`, `-0`, `{"é":😀}`, "\"\xff\"", `[1,]`, `{"a"}`, `{"a":1`, `1 2`, ``, `nul`, `0123`, `"é日😀"`, `123456789012345678901234567890`, `1e999`, `[","]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		n, wrong := Parse(text, strictyaml.Pos{Line: 7, Column: 1})
		if taken := json.Valid(text) && utf8.Valid(text); taken != (wrong == nil) {
			t.Fatalf("%q: error %v", text, wrong)
		}
		if wrong != nil {
			faultIs(t, text, wrong.Line-7, wrong.Column-1)
			return
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber() // as written, also beyond float64
		var want any
		if err := decoder.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, natural(n)); diff != "" {
			t.Errorf("%q is read otherwise (-want +got):\n%s", text, diff)
		}
	})
}

// faultIs checks the place of an error, from 0: what precedes it may be the beginning of JSON in UTF-8, and what
// ends with the character there may not, unless the text ends there.
func faultIs(t *testing.T, text []byte, line, column int) {
	t.Helper()
	start := 0
	for range line {
		end := bytes.IndexByte(text[start:], '\n')
		if end < 0 {
			t.Fatalf("%q: error in line %d, which it does not have", text, line)
		}
		start += end + 1
	}
	for range column {
		if start == len(text) {
			t.Fatalf("%q: error behind the end, at %d:%d", text, line, column)
		}
		_, size := utf8.DecodeRune(text[start:])
		start += size
	}
	if !utf8.Valid(text) {
		return // the whole text is refused, at its beginning
	}
	_, size := utf8.DecodeRune(text[start:])
	switch {
	case !mayBegin(text[:start]):
		t.Errorf("%q: the error is before %d:%d", text, line, column)
	case mayBegin(text): // it was cut, and its last character is the place
		if start+size != len(text) {
			t.Errorf("%q: the error is not at the end, but at %d:%d", text, line, column)
		}
	case size == 0 || mayBegin(text[:start+size]):
		t.Errorf("%q: the error is behind %d:%d", text, line, column)
	}
}

// mayBegin reports whether JSON may begin with a text.
func mayBegin(text []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(text))
	var v json.RawMessage
	err := decoder.Decode(&v)
	if err == nil {
		_, err = decoder.Token() // nothing may follow
		return err == io.EOF
	}
	return err == io.EOF || err == io.ErrUnexpectedEOF
}

func TestParseJSONPlaces(t *testing.T) {
	n, wrong := Parse([]byte(` {"é" : ["😀", 12 ,{"b":"\n"}]}`), strictyaml.Pos{Line: 3, Column: 1})
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
