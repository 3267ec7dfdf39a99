package loose_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model/asking/loose"
)

// fieldsOf returns the fields of the last outermost object of a text as JSON.
func fieldsOf(t *testing.T, text string) (string, loose.Object) {
	t.Helper()
	objects, err := loose.Objects(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	outer := loose.Outermost(objects)
	if len(outer) == 0 {
		return "", loose.Object{}
	}
	last := outer[len(outer)-1]
	raw, err := json.Marshal(last.Fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw), last
}

func TestNotations(t *testing.T) {
	const want = `{"a":true,"b":"x"}`
	for _, text := range []string{
		`{"a": true, "b": "x"}`, `{"a":true,"b":"x",}`, `{'a': True, 'b': 'x'}`, `{"A": TRUE, "B": "x"}`, `{a: true, b: "x"}`, `{a: yes, b: x}`,
		"{\n\"a\": true\n\"b\": \"x\"\n}", "{\"a\": true, // it is\n \"b\": \"x\" /* so */}", "{\"a\": true, # it is\n \"b\": \"x\"}", "{“a”: true, “b”: “x”}",
		"{„a“: true, „b“: „x“}", "{‘a’: true, ‘b’: ‘x’}", `{“a": true, "b": “x"}`, `{"a"：true，"b"："x"}`, `{"a" : true , "b" : "\u0078"}`, `{"_a_": true, "b.": 'x'}`,
		"\ufeff{\"a\": true, \"b\": \"x\"}", "{\u200b\"a\":\u00a0true, \"b\": \"x\"}", `{"a": true, "b": "x"`, "{\"a\": true, \"b\": \"x\"\n```", `{"a": true, "b": "x"<end_of_turn>`, `{"a": true, "b": "x",`,
	} {
		if got, _ := fieldsOf(t, text); got != want {
			t.Errorf("%q is %s", text, got)
		}
	}
	for text, want := range map[string]string{
		`{"n": 5}`: `{"n":5}`, `{"n": +5}`: `{"n":5}`, `{"n": -5.50e1}`: `{"n":-5.50e1}`, `{"n": 007}`: `{"n":"007"}`, `{"n": None}`: `{"n":null}`, `{"n": 12ab34cd}`: `{"n":"12ab34cd"}`,
		`{"n": "a\"b\\c\/\n"}`: `{"n":"a\"b\\c/\n"}`, `{"n": 'it\'s'}`: `{"n":"it's"}`, "{\"n\": \"two\nlines\"}": `{"n":"two\nlines"}`, `{"n": "\ud83d\ude00"}`: `{"n":"😀"}`, `{"n": "<b>"}`: `{"n":"\u003cb\u003e"}`,
		`{"n": [1, 'two', {x: 3,},],}`: `{"n":[1,"two",{"x":3}]}`, `{"n": {"X": {"Y": no}}}`: `{"n":{"x":{"y":false}}}`, `{}`: `null`, `{"n": []}`: `{"n":[]}`, `{1} {"n": 1}`: `{"n":1}`,
		`{"n": 10`: ``, `{"n": "cut`: ``, `{"n": `: ``, `{"n"`: ``, `{"n" 1}`: ``, `{"n": 1 "m": 2}`: ``, `{"n": it is}`: ``, `{"n": "\x"}`: ``, `{"n": "\u12"}`: ``, `{n n: 1}`: ``, `{"n": 1]`: ``, `{"n": [1}`: ``, `[1]`: ``, `n: 1`: ``, ``: ``, `{`: `null`,
	} {
		if got, _ := fieldsOf(t, text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	text := `so {"a": {"b": 1}} and {"c": "{'d': 2}"} {"e": 1, "E": 2} {"f": "g"`
	objects, err := loose.Objects(text)
	var got []string
	for _, o := range objects {
		got = append(got, fmt.Sprintf("%s %v %v", text[o.Start:o.End], o.Open, o.Twice))
	}
	want := []string{`{"a": {"b": 1}} false `, `{"b": 1} false `, `{"c": "{'d': 2}"} false `, `{'d': 2} false `, `{"e": 1, "E": 2} false e`, `{"f": "g" true `}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if outer := loose.Outermost(objects); len(outer) != 4 || outer[1].Start != strings.Index(text, `{"c"`) {
		t.Errorf("%d are outermost", len(outer))
	}
}

func TestAround(t *testing.T) {
	for text, want := range map[string][2]bool{ // whether the text is idle after an object, and whether an object after it begins a reply
		"": {true, true}, "...": {true, true}, "\n```": {true, true}, "```json\n": {false, true}, "<|im_end|>": {true, true}, "<end_of_turn>\n": {true, true}, "</s>": {true, true},
		"<｜end▁of▁sentence｜>": {true, true}, "[/INST]": {true, true}, " // the same\n": {true, false}, "/* a */ # b": {true, false}, "<|start|>assistant<|channel|>final<|message|>": {false, true},
		"<start_of_turn>model\n": {false, true}, "**Verdict:** ": {false, true}, "ok": {false, false}, "] }": {true, true}, "\ufeff": {true, true}, "Here is it:": {false, false}, "<b>": {false, false},
	} {
		if got := [2]bool{loose.Idle(text), loose.Begins(text)}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// Reading takes time in proportion to the length of any text.
func TestTime(t *testing.T) {
	for _, piece := range []string{"{", `{"a":`, "{«", `{"`, "{/*", "{#", `{"a":[[[`, `{"a":{"a":{"a":1}}}`, "<|im_end|>", "// \n", "{a:'\\u0041'} "} {
		begun := time.Now()
		text := strings.Repeat(piece, 200_000/len(piece))
		_, err := loose.Objects(text)
		loose.Idle(text)
		loose.Begins(text)
		if took := time.Since(begun); took > time.Minute || err != nil && !errors.Is(err, loose.ErrTooMany) {
			t.Errorf("%q took %s, %v", piece, took, err)
		}
	}
}

// FuzzObjects checks that every JSON object is read with the values that encoding/json reads.
func FuzzObjects(f *testing.F) {
	for _, seed := range []string{`{"a": 1}`, `x {"a": [{"b": "\u00e9"}], "c": null} y`, `{'a': True}`, "{“a”: 1,}", `{"a":"\ud800"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		objects, err := loose.Objects(text)
		if err != nil && !errors.Is(err, loose.ErrTooMany) {
			t.Fatal(err)
		}
		at := map[int]loose.Object{}
		for _, o := range objects {
			at[o.Start] = o
			if o.Start >= o.End || o.End > len(text) || text[o.Start] != '{' {
				t.Fatalf("%q: an object from %d to %d", text, o.Start, o.End)
			}
			for name, value := range o.Fields {
				if !json.Valid(value) {
					t.Fatalf("%q: %q is %s", text, name, value)
				}
			}
		}
		var object map[string]any
		if err != nil || strings.Count(text, "[")+strings.Count(text, "{") > 10 || json.Unmarshal([]byte(text), &object) != nil || object == nil {
			return
		}
		o, found := at[strings.IndexByte(text, '{')]
		if !found || o.Open {
			t.Fatalf("%q is not read", text)
		}
		for name, want := range object {
			var got any
			if _, nested := want.(map[string]any); nested || o.Twice != "" || strings.Contains(text, "[") {
				continue
			}
			if err := json.Unmarshal(o.Fields[loose.Name(name)], &got); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%q: %q is %v, want %v", text, name, got, want)
			}
		}
	})
}
