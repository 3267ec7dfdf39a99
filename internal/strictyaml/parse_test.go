package strictyaml_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

func TestDecodeUnreadable(t *testing.T) {
	header := "# a comment\n# and another\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", `f.yaml: the file is empty`},
		{"only comments", "# nothing\n\n", `f.yaml: the file is empty`},
		{"only a separator", "---\n", `f.yaml: the file is empty`},
		{"only a null", "null\n", `f.yaml: the file is empty`},
		{"not UTF-8", "name: a\ncount: é\xff", `f.yaml:2:9: this byte is not UTF-8; save the file as UTF-8`},
		{"UTF-16", "\xff\xfen\x00", `f.yaml: the file is UTF-16; save it as UTF-8`},
		{"control character", "name: a\n\x00", `f.yaml:2:1: the character U+0000 is not allowed in YAML`},
		{"mark in the middle", "name: \uFEFFa", `f.yaml:1:7: the character U+FEFF is not allowed in YAML`},
		{"tab in a list", "- id: a\n\tcategory: x\n", `f.yaml:2: found a tab character that violates indentation (the line is indented with a tab; use spaces)`},
		{"tab further down", "- id: a\n  query: x\n- id: b\n \tquery: y\n", `f.yaml:4: found a tab character that violates indentation (the line is indented with a tab; use spaces)`},
		{"tab", "nested:\n\ttype: x", `f.yaml:2: found character that cannot start any token (the line is indented with a tab; use spaces)`},
		{"reserved character", "name: a\ntags: @x", "f.yaml:2: found character that cannot start any token (text that begins with @, `, % or another sign of YAML needs quotes)"},
		{"colon in text", "name: a\nany: one: two", `f.yaml:2: mapping values are not allowed in this context (wrong indentation, or text with ": " that needs quotes)`},
		{"the same on the first line", "name: one: two", `f.yaml:1: mapping values are not allowed in this context (wrong indentation, or text with ": " that needs quotes)`},
		{"open quote", "name: a\ntags: [\"b]\ncount: 1\n", `f.yaml:2: found unexpected end of stream (a quote that begins here is not closed)`},
		{"open bracket", "name: a\ntags: [b\ncount: 1\n", `f.yaml:2: did not find expected ',' or ']' (within [ ], text with one of , ? : # [ ] { } needs quotes; or a bracket or quote is not closed)`},
		{"question in braces", "nested: {type: What?, level: 1}", `f.yaml:1: did not find expected ',' or '}' (within { }, text with one of , ? : # [ ] { } needs quotes; or a brace or quote is not closed)`},
		{"list item in a mapping", header + "name: a\ncount: 1\n- b\n", `f.yaml:5: did not find expected key (wrong indentation, or text that needs quotes)`},
		{"list item too far left", header + "- name: a\n  count: 1\n- name: b\n size: 2\n- name: c\n", `f.yaml:6: did not find expected '-' indicator (wrong indentation, or text that needs quotes)`},
		{"the same without a header", "- name: a\n  count: 1\n- name: b\n size: 2\n- name: c\n", `f.yaml:4: did not find expected '-' indicator (wrong indentation, or text that needs quotes)`},
		{"text after a quote", header + "name: a\nnested:\n  type: \"b\" c\n", `f.yaml:5: did not find expected key (wrong indentation, or text that needs quotes)`},
		{"syntax error in a second document", "name: a\n---\nname: [b\nname: c\n", `f.yaml:3: did not find expected ',' or ']' (within [ ], text with one of , ? : # [ ] { } needs quotes; or a bracket or quote is not closed)`},
		{"nothing after a bracket", "name: a\ntags: [\n", `f.yaml:2: did not find expected node content`},
		{"unknown anchor", "name: *x", `f.yaml: unknown anchor 'x' referenced`},
		{"alias within its anchor", "any: &a [1, *a]", `f.yaml:1:10: nested deeper than 1000 levels, aliases expanded; an alias must not contain itself`},
		{"deep flow", "any: " + strings.Repeat("[", 2000) + strings.Repeat("]", 2000), `f.yaml:1:1005: nested deeper than 1000 levels, aliases expanded; an alias must not contain itself`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var it item
			err := strictyaml.Decode("f.yaml", []byte(c.text), &it)
			if err == nil || err.Error() != c.want {
				t.Errorf("error:\n got %v\nwant %s", err, c.want)
			}
		})
	}
}

// Each level doubles: 2^40 values if they were expanded.
func TestAliasesAreBounded(t *testing.T) {
	wide, deep := "a0: &a0 [x]\n", "a0: &a0 [x]\n"
	for i := 1; i <= 40; i++ {
		wide += fmt.Sprintf("a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	for i := 1; i <= 300; i++ {
		deep += fmt.Sprintf("a%d: &a%d [[[[*a%d]]]]\n", i, i, i-1)
	}
	for _, c := range []struct{ name, text, want string }{
		{"wide", wide, "more than 10000000 values, aliases expanded"},
		{"deep", deep, "nested deeper than 1000 levels, aliases expanded"},
	} {
		var into any
		if err := strictyaml.Decode("f.yaml", []byte(c.text), &into); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error = %v", c.name, err)
		}
	}
}

func TestDecodeTooLarge(t *testing.T) {
	var it item
	err := strictyaml.Decode("f.yaml", make([]byte, strictyaml.MaxBytes+1), &it)
	if err == nil || err.Error() != "f.yaml: the file is larger than 64 MiB; split it" {
		t.Errorf("error = %v", err)
	}
}

// What the library writes is read back unchanged, whatever the text holds.
func TestDecodeRoundTrip(t *testing.T) {
	type record struct {
		Name   string         `yaml:"name"`
		Count  int64          `yaml:"count"`
		Ratio  float64        `yaml:"ratio"`
		On     bool           `yaml:"on"`
		Tags   []string       `yaml:"tags"`
		Limits map[string]int `yaml:"limits"`
	}
	text := rapid.StringMatching(`[ -~\n\téß日🙂]{0,20}`)
	rapid.Check(t, func(t *rapid.T) {
		want := record{
			Name:   text.Draw(t, "name"),
			Count:  rapid.Int64().Draw(t, "count"),
			Ratio:  rapid.Float64Range(-1e300, 1e300).Draw(t, "ratio"),
			On:     rapid.Bool().Draw(t, "on"),
			Tags:   rapid.SliceOf(text).Draw(t, "tags"),
			Limits: rapid.MapOf(text, rapid.Int()).Draw(t, "limits"),
		}
		data, err := yaml.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var viaLibrary, got record
		if err := yaml.Unmarshal(data, &viaLibrary); err != nil {
			t.Skip("the library cannot read what it wrote")
		}
		if err := strictyaml.Decode("f.yaml", data, &got); err != nil {
			t.Fatalf("%v in\n%s", err, data)
		}
		if fmt.Sprint(got) != fmt.Sprint(viaLibrary) {
			t.Fatalf("got %+v, want %+v from\n%s", got, viaLibrary, data)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"", "name: a\n", "- a\n- b\n", "name: 010\ncount: 1.5\n", "any: {a: [1, {b: &x c}, *x]}\n",
		"name: \"open\n", "a: b: c", "\ttab: 1", "---\n---\n", "!x y", "? [a]\n: b\n", "<<: *a", "any: &a [*a]", "words: [a, [b]]", "[", "%YAML 1.1\n---\nname: >-\n  x\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var it item
		err := strictyaml.Decode("f.yaml", data, &it)
		lines := strings.Count(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(string(data)), "\n") + 1
		list, _ := err.(strictyaml.Errors)
		for _, e := range list {
			if e.Line > lines || e.Message == "" {
				t.Errorf("finding %v beyond the %d lines, or empty", e, lines)
			}
		}
		var again item
		if second := strictyaml.Decode("f.yaml", data, &again); fmt.Sprint(second) != fmt.Sprint(err) {
			t.Errorf("two readings differ: %v and %v", err, second)
		}
	})
}
