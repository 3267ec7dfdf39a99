package strictyaml_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown field, close", "nested:\n  typ: x", `f.yaml:2:3: nested.typ: unknown field "typ" (did you mean "type"?)`},
		{"unknown field, swapped letters", "ocunt: 1", `f.yaml:1:1: ocunt: unknown field "ocunt" (did you mean "count"?)`},
		{"unknown field, far", "nested: {colour: x}", `f.yaml:1:10: nested.colour: unknown field "colour" (known: type)`},
		{"duplicate field", "name: a\ncount: 1\nname: b", `f.yaml:3:1: name: duplicate field "name", first on line 1`},
		{"duplicate in a map", "limits:\n  x: 1\n  x: 2", `f.yaml:3:3: limits.x: duplicate field "x", first on line 2`},
		{"null for text", "name: null", `f.yaml:1:7: name: expected text (in quotes if it is empty or the word null), found null`},
		{"nothing for text", "name:\ncount: 1", `f.yaml:1:6: name: expected text (in quotes if it is empty or the word null), found nothing`},
		{"list for text", "name: [a]", `f.yaml:1:7: name: expected text (in quotes if it is empty or the word null), found a list`},
		{"text for list", "tags: a", `f.yaml:1:7: tags: expected a list, found the text "a": write [a]`},
		{"null for list", "tags:", `f.yaml:1:6: tags: expected a list, found nothing`},
		{"text for mapping", "nested: a", `f.yaml:1:9: nested: expected a mapping (name: value), found the text "a"`},
		{"text in a list of mappings", "list:\n- type: x\n- y", `f.yaml:3:3: list[1]: expected a mapping (name: value), found the text "y"`},
		{"text for number", "count: many", `f.yaml:1:8: count: expected a whole number, found the text "many"`},
		{"quoted number", `count: "12"`, `f.yaml:1:8: count: expected a whole number, found the quoted text "12"`},
		{"fraction for whole", "count: 1.5", `f.yaml:1:8: count: expected a whole number, found the number 1.5`},
		{"leading zero", "count: 010", `f.yaml:1:8: count: expected a whole number, found the number 010 with a leading zero`},
		{"number with odd separators", "count: 1__0", `f.yaml:1:8: count: expected a whole number, found the number 1__0`},
		{"out of range for the type", "small: 200", `f.yaml:1:8: small: 200 is out of range`},
		{"out of range for all", "count: 99999999999999999999", `f.yaml:1:8: count: expected a whole number, found the number 99999999999999999999`},
		{"text for float", "ratio: high", `f.yaml:1:8: ratio: expected a number, found the text "high"`},
		{"nan", "ratio: .nan", `f.yaml:1:8: ratio: expected a number, found the number .nan`},
		{"infinity", "ratio: -.inf", `f.yaml:1:8: ratio: expected a number, found the number -.inf`},
		{"float out of range", "ratio: 1e999", `f.yaml:1:8: ratio: expected a number, found the text "1e999"`},
		{"float out of range, tagged", "ratio: !!float 1e999", `f.yaml:1:8: ratio: expected a number, found the number 1e999`},
		{"out of range for float32", "half: 1e300", `f.yaml:1:7: half: 1e300 is out of range`},
		{"yes for bool", "on: yes", `f.yaml:1:5: on: expected true or false, found the text "yes"`},
		{"number for bool", "on: 1", `f.yaml:1:5: on: expected true or false, found the number 1`},
		{"duration without unit", "wait: 30", `f.yaml:1:7: wait: expected a duration such as 30s or 5m, found the number 30`},
		{"duration in words", "wait: soon", `f.yaml:1:7: wait: expected a duration such as 30s or 5m, found the text "soon"`},
		{"hook, plain error", "words: wrong", `f.yaml:1:8: words: a wrong word`},
		{"hook, placed error", "words: bad", `f.yaml:1:8: words: a bad word`},
		{"hook, errors beneath", "words: [a, [b]]", `f.yaml:1:12: words[1]: expected text (in quotes if it is empty or the word null), found a list`},
		{"custom tag", "name: !env HOME", `f.yaml:1:7: name: the tag !env is not supported`},
		{"binary tag", "name: !!binary aGk=", `f.yaml:1:7: name: the tag !!binary is not supported`},
		{"custom tag in any", "any: [!x 1]", `f.yaml:1:7: any[0]: the tag !x is not supported`},
		{"merge key", "nested: &n {type: x}\nlist: [{<<: *n}]", `f.yaml:2:9: list[0]: merge keys ("<<") are not supported; write the fields out`},
		{"list as a key", "any: {[a]: 1}", `f.yaml:1:7: any: expected a name before the colon, found a list`},
		{"null as a key", "any: {~: 1}", `f.yaml:1:7: any: expected a name before the colon, found ~`},
		{"list at the top", "- a", `f.yaml:1:1: expected a mapping (name: value), found a list`},
		{"second document", "name: a\n---\nname: b", `f.yaml:2:1: a second document begins here; only one is read (remove the line "---")`},
		{"unsupported Go type", "channel: 1", `f.yaml:1:10: channel: cannot be read: Go type chan int is not supported`},
		{"unsupported map", "numbers: {1: a}", `f.yaml:1:10: numbers: cannot be read: Go type map[int]string has keys that are not strings`},
		{"unsupported interface", "printer: 1", `f.yaml:1:10: printer: cannot be read: Go type interface { X() } is not supported`},
		{"long text is clipped", "count: " + strings.Repeat("é", 100), `f.yaml:1:8: count: expected a whole number, found the text "` + strings.Repeat("é", 60) + `…"`},
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

func TestDecodeReportsAllInOrder(t *testing.T) {
	var it item
	err := strictyaml.Decode("f.yaml", []byte("tags: {}\nnested: {typ: 1}\ncount: x\nname: a\nname: b\n"), &it)
	want := strings.Join([]string{
		`f.yaml:1:7: tags: expected a list, found a mapping`,
		`f.yaml:2:10: nested.typ: unknown field "typ" (did you mean "type"?)`,
		`f.yaml:3:8: count: expected a whole number, found the text "x"`,
		`f.yaml:5:1: name: duplicate field "name", first on line 4`,
	}, "\n")
	if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if it.Name != "a" {
		t.Errorf("name = %q: the first of two stands", it.Name)
	}
}

func TestErrorsAreCapped(t *testing.T) {
	var it item
	err := strictyaml.Decode("f.yaml", []byte("tags:"+strings.Repeat("\n- []", 73)), &it)
	lines := strings.Split(fmt.Sprint(err), "\n")
	if len(lines) != 51 || lines[50] != "… and 23 more" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	var all strictyaml.Errors
	if !errors.As(err, &all) || len(all) != 73 {
		t.Errorf("%d findings are kept, want 73", len(all))
	}
}

func TestErrorLeavesOutWhatIsUnknown(t *testing.T) {
	for want, e := range map[string]strictyaml.Error{
		"m":           {Message: "m"},
		"f: m":        {File: "f", Message: "m"},
		"f:3: m":      {File: "f", Line: 3, Message: "m"},
		"f:3:4: p: m": {File: "f", Line: 3, Column: 4, Path: "p", Message: "m"},
		"3:4: m":      {Line: 3, Column: 4, Message: "m"},
	} {
		if got := e.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if err := (strictyaml.Errors{}).Err(); err != nil {
		t.Errorf("no findings: error = %v, want nil", err)
	}
}

func TestSuggest(t *testing.T) {
	known := []string{"id", "category", "query", "gold", "k"}
	for name, want := range map[string]string{
		"catgory":                `did you mean "category"?`,
		"Query":                  `did you mean "query"?`,
		"glod":                   `did you mean "gold"?`,
		"x":                      "known: id, category, query, gold, k",
		"answer":                 "known: id, category, query, gold, k",
		strings.Repeat("a", 500): "known: id, category, query, gold, k",
	} {
		if got := strictyaml.Suggest(name, known); got != want {
			t.Errorf("Suggest(%.20q) = %s, want %s", name, got, want)
		}
	}
}
