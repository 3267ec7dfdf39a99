package strictyaml_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// item has a field of every supported form.
type item struct {
	Name    string           `yaml:"name"`
	Count   int              `yaml:"count"`
	Small   int8             `yaml:"small"`
	Size    int              `yaml:"size"`
	Ratio   float64          `yaml:"ratio"`
	Half    float32          `yaml:"half"`
	On      bool             `yaml:"on"`
	Wait    time.Duration    `yaml:"wait"`
	Tags    []string         `yaml:"tags"`
	Limits  map[string]int   `yaml:"limits"`
	Nested  *nested          `yaml:"nested"`
	List    []nested         `yaml:"list"`
	Words   words            `yaml:"words"`
	Any     any              `yaml:"any"`
	Set     map[string]any   `yaml:"set"`
	Raw     yaml.Node        `yaml:"raw"`
	Comment string           // without a tag: no part of the file
	At      strictyaml.Pos   `yaml:",pos"`
	Given   strictyaml.Keys  `yaml:",keys"`
	Channel chan int         `yaml:"channel"`
	Numbers map[int]string   `yaml:"numbers"`
	Printer interface{ X() } `yaml:"printer"`
}

type nested struct {
	Type string `yaml:"type"`
}

// words is a list that may be written as one word.
type words []string

func (w *words) UnmarshalNode(n *yaml.Node) error {
	switch {
	case n.Kind == yaml.SequenceNode:
		return strictyaml.DecodeNode(n, (*[]string)(w))
	case n.Value == "wrong":
		return errors.New("a wrong word")
	case n.Value == "bad":
		return strictyaml.Errorf(n, "a bad word")
	}
	*w = words{n.Value}
	return nil
}

func decode(t *testing.T, text string) item {
	t.Helper()
	var it item
	if err := strictyaml.Decode("f.yaml", []byte(text), &it); err != nil {
		t.Fatalf("decode %q: %v", text, err)
	}
	return it
}

func TestDecodeStringsAsWritten(t *testing.T) {
	for text, want := range map[string]string{
		`name: 010`:                 "010",
		`name: 12`:                  "12",
		`name: 1.50`:                "1.50",
		`name: 1_000`:               "1_000",
		`name: true`:                "true",
		`name: yes`:                 "yes",
		`name: 1969-07-20`:          "1969-07-20",
		`name: "null"`:              "null",
		`name: ""`:                  "",
		`name: 'a ''b'''`:           "a 'b'",
		`name: .inf`:                ".inf",
		"name: |\n  two\n  lines\n": "two\nlines\n",
		"\uFEFFname: after a mark":  "after a mark",
		"name: dos\r\ncount: 1\r\n": "dos",
		"# comment\n---\nname: x\n": "x",
		"name: x\n...\n":            "x",
	} {
		if got := decode(t, text).Name; got != want {
			t.Errorf("%q: name = %q, want %q", text, got, want)
		}
	}
}

func TestDecodeValues(t *testing.T) {
	got := decode(t, `
name: all
count: -12
small: 0x7f
size: 1_000
ratio: 2
on: TRUE
wait: 1m30s
tags: [a, 1]
limits: {x: 1, y: 2}
nested: {type: inner}
list:
  - type: one
  - {}
words: single
any: [1, 2.5, text, null, true, {k: [v]}]
set: {a.b: 1}
`)
	if got.Count != -12 || got.Small != 127 || got.Size != 1000 || got.Ratio != 2 || !got.On || got.Wait != 90*time.Second {
		t.Errorf("scalars: %+v", got)
	}
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"tags", got.Tags, []string{"a", "1"}},
		{"limits", got.Limits, map[string]int{"x": 1, "y": 2}},
		{"nested", got.Nested, &nested{Type: "inner"}},
		{"list", got.List, []nested{{Type: "one"}, {}}},
		{"words", got.Words, words{"single"}},
		{"any", got.Any, []any{1, 2.5, "text", nil, true, map[string]any{"k": []any{"v"}}}},
		{"set", got.Set, map[string]any{"a.b": 1}},
		{"pos", got.At, strictyaml.Pos{Line: 2, Column: 1}},
		{"keys", got.Given["nested"], strictyaml.Pos{Line: 11, Column: 9}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestDecodeKeepsDefaults(t *testing.T) {
	it := item{Name: "default", Count: 7, Nested: &nested{Type: "kept"}, Limits: map[string]int{"old": 1}}
	if err := strictyaml.Decode("f.yaml", []byte("count: 8\nnested: {}\nlimits: {new: 2}"), &it); err != nil {
		t.Fatal(err)
	}
	if it.Name != "default" || it.Count != 8 || it.Nested.Type != "kept" {
		t.Errorf("defaults are lost: %+v", it)
	}
	if diff := cmp.Diff(map[string]int{"new": 2}, it.Limits); diff != "" {
		t.Errorf("a map is replaced whole (-want +got):\n%s", diff)
	}
	if _, given := it.Given["name"]; given || len(it.Given) != 3 {
		t.Errorf("keys = %v, want count, nested and limits", it.Given)
	}
}

// Entries of a map of structs are kept, and so are their fields.
func TestDecodeKeepsEntries(t *testing.T) {
	got := map[string]nested{"a": {Type: "kept"}, "b": {Type: "old"}}
	if err := strictyaml.Decode("f.yaml", []byte("{a: {}, b: {type: new}, c: {type: more}}"), &got); err != nil {
		t.Fatal(err)
	}
	if got["a"].Type != "kept" || got["b"].Type != "new" || got["c"].Type != "more" {
		t.Errorf("%v", got)
	}
}

func TestDecodeNullClearsAPointer(t *testing.T) {
	it := item{Nested: &nested{Type: "x"}, Any: 1}
	if err := strictyaml.Decode("f.yaml", []byte("nested: null\nany: ~"), &it); err != nil {
		t.Fatal(err)
	}
	if it.Nested != nil || it.Any != nil {
		t.Errorf("nested = %v, any = %v, want nil", it.Nested, it.Any)
	}
}

func TestDecodeAliases(t *testing.T) {
	got := decode(t, "tags: &t [a, b]\nnested: &n {type: x}\nlist: [*n, *n]\nwords: *t\n")
	if diff := cmp.Diff([]nested{{"x"}, {"x"}}, got.List); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(words{"a", "b"}, got.Words); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
}

func TestDecodeNodeLater(t *testing.T) {
	it := decode(t, "raw: {type: x, extra: 1}")
	var n nested
	err := strictyaml.DecodeNode(&it.Raw, &n)
	if err == nil || err.Error() != `1:16: extra: unknown field "extra" (known: type)` {
		t.Errorf("error = %v", err)
	}
	if n.Type != "x" {
		t.Errorf("type = %q, want x", n.Type)
	}
}

func TestCommaInBraces(t *testing.T) {
	for text, want := range map[string]string{
		"nested: {type: Lima, Oslo or Rome, level: 1}": `f.yaml:1:22: nested.Oslo or Rome: unknown field "Oslo or Rome" (within { }, text with a comma needs quotes)`,
		"nested: {typ: a}": `f.yaml:1:10: nested.typ: unknown field "typ" (did you mean "type"?)`,
	} {
		var it item
		err := strictyaml.Decode("f.yaml", []byte(text), &it)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}
