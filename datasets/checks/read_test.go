package checks_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

func read(t *testing.T, text string) ([]checks.Check, error) {
	t.Helper()
	var list []checks.Check
	err := strictyaml.Decode("f.yaml", []byte(text), &list)
	return list, err
}

// Each check is read, and written in the form in which it was written, with its options in one order.
func TestEveryForm(t *testing.T) {
	for text, want := range map[string]string{
		`- contains: Paris`:                                           `{"contains":"Paris"}`,
		`- icontains: 42`:                                             `{"icontains":"42"}`,
		`- contains_any: [a, "b c", 3]`:                               `{"contains_any":["a","b c","3"]}`,
		`- not_contains_all: [a, b]`:                                  `{"not_contains_all":["a","b"]}`,
		`- icontains_any: [a]`:                                        `{"icontains_any":["a"]}`,
		`- starts_with: " x"`:                                         `{"starts_with":" x"}`,
		`- {regex: "^[a-z]+<$", on: answer}`:                          `{"regex":"^[a-z]+<$","on":"answer"}`,
		`- {not_regex: a, on: message}`:                               `{"not_regex":"a"}`,
		`- equals: yes`:                                               `{"equals":"yes"}`,
		`- equals: {b: [1, 2.50, null, true], a: "1"}`:                `{"equals":{"a":"1","b":[1,2.50,null,true]}}`,
		`- is_json: true`:                                             `{"is_json":true}`,
		`- not_is_json: true`:                                         `{"not_is_json":true}`,
		`- is_json: {type: object, required: [a]}`:                    `{"is_json":{"required":["a"],"type":"object"}}`,
		`- json: ".a > 3"`:                                            `{"json":".a > 3"}`,
		`- similar: near`:                                             `{"similar":"near","threshold":0.75}`,
		`- {similar: near, threshold: 0.9, weight: 2}`:                `{"similar":"near","threshold":0.9,"weight":2}`,
		`- {max_seconds: 1.5, weight: 0}`:                             `{"max_seconds":1.5,"weight":0}`,
		`- {max_usd: 0.01, weight: 1}`:                                `{"max_usd":0.01}`,
		`- max_tokens: 100`:                                           `{"max_tokens":100}`,
		`- exec: [python3, check.py]`:                                 `{"exec":["python3","check.py"]}`,
		`- {exec: [./c], serve: true, timeout: 5s}`:                   `{"exec":["./c"],"serve":true,"timeout":"5s"}`,
		`- any: [{contains: a}, {all: [{contains: b}]}]`:              `{"any":[{"contains":"a"},{"all":[{"contains":"b"}]}]}`,
		`- {all: [{contains: a, weight: 3}], threshold: 0.5}`:         `{"all":[{"contains":"a","weight":3}],"threshold":0.5}`,
		"- contains: \"one\\r\\ntwo\"":                                `{"contains":"one\ntwo"}`,
		`- {contains: "a", weight: 0.5, on: "answer"}`:                `{"contains":"a","on":"answer","weight":0.5}`,
		`- {any: [{regex: "a|b"}], weight: 2}`:                        `{"any":[{"regex":"a|b"}],"weight":2}`,
		`- {exec: [./c], threshold: 0.7}`:                             `{"exec":["./c"],"threshold":0.7}`,
		`- json: "[.a[] | select(.b)] | length == 2"`:                 `{"json":"[.a[] | select(.b)] | length == 2"}`,
		`- is_json: {$defs: {x: {type: integer}}, $ref: "#/$defs/x"}`: `{"is_json":{"$defs":{"x":{"type":"integer"}},"$ref":"#/$defs/x"}}`,
	} {
		list, err := read(t, text)
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %v, %v", text, list, err)
			continue
		}
		raw, err := json.Marshal(list[0])
		if plain := strings.ReplaceAll(string(raw), `\u003c`, "<"); err != nil || plain != strings.ReplaceAll(want, `\u003c`, "<") &&
			strings.ReplaceAll(plain, `\u003e`, ">") != want {
			t.Errorf("%s: written as %s, %v, want %s", text, raw, err, want)
		}
		var again checks.Check
		if err := json.Unmarshal(raw, &again); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		if diff := cmp.Diff(list[0], again); diff != "" {
			t.Errorf("%s: read from its JSON (-want +got):\n%s", text, diff)
		}
	}
}

// Each fault has its place, and a sentence that says what to do.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		`- contians: a`:                                    `1:3: [0].contians: unknown check "contians" (did you mean "contains"?)`,
		`- {contains: a, regex: b}`:                        `1:17: [0].regex: the entry has two checks, contains and regex: begin another entry`,
		`- {weight: 2}`:                                    `[0]: the entry has no check: name one`,
		`- contains`:                                       `1:3: [0]: expected a mapping`,
		`- contains: ""`:                                   `[0].contains: is empty`,
		`- contains_any: []`:                               `[0].contains_any: is an empty list`,
		`- contains_any: [a, " "]`:                         `1:21: [0].contains_any[1]: is empty`,
		`- contains_any: a`:                                `expected a list, found the text "a"`,
		`- not_max_usd: 1`:                                 `there is no not_max_usd: max_usd cannot be negated`,
		`- not_exec: [a]`:                                  `exec cannot be negated`,
		`- max_seconds: -1`:                                `[0].max_seconds: is -1: give a number from 0 up`,
		`- max_tokens: 1.5`:                                `is 1.5: give a number from 0 up, whole for max_tokens`,
		`- max_seconds: .nan`:                              `expected a number`,
		`- {contains: a, on: both}`:                        `1:21: [0].on: is "both": write message or answer`,
		`- {max_usd: 1, on: answer}`:                       `[0].on: has no meaning for max_usd, only for checks of a text`,
		`- {contains: a, threshold: 0.5}`:                  `[0].threshold: has no meaning for contains, only for similar, exec and all`,
		`- {similar: a, threshold: 1.5}`:                   `[0].threshold: is 1.5: give a number above 0 and at most 1`,
		`- {contains: a, weight: -1}`:                      `[0].weight: is -1`,
		`- {contains: a, serve: true}`:                     `[0].serve: has no meaning for contains, only for exec`,
		`- {exec: [a], timeout: 1h}`:                       `[0].timeout: is 1h: give a time above 0 and at most 10m`,
		`- exec: []`:                                       `[0].exec: is empty: give the program`,
		`- exec: python3 check.py`:                         `[0].exec: expected a list, found the text "python3 check.py": write [python3, check.py]`,
		`- regex: "a("`:                                    `[0].regex: is not a regular expression of RE2: error parsing regexp: missing closing )`,
		`- regex: "(?=a)"`:                                 `is not a regular expression of RE2`,
		`- is_json: false`:                                 `is false: write not_is_json: true`,
		`- is_json: {type: objekt}`:                        `[0].is_json: is not a JSON Schema: at #/type`,
		`- is_json: {$ref: "https://example.org/s.json"}`:  `cannot refer to https://example.org/s.json: write it out`,
		`- is_json: {$ref: other.json}`:                    `cannot refer to other.json: write it out`,
		`- json: ".a >"`:                                   `[0].json: is not an expression of jq`,
		`- json: "nosuch(.a)"`:                             `uses nosuch, which a check does not have: write it with other functions`,
		`- json: ".t < now"`:                               `uses now, which depends on more than the message`,
		`- json: "[.[] | env.HOME]"`:                       `uses env`,
		`- json: "import \"a\" as a; .x"`:                  `is not an expression of jq`,
		`- any: []`:                                        `[0].any: is an empty list: give at least one check`,
		`- any: [{contains: a, weight: 0}]`:                `1:8: [0].any: no check with a weight above 0`,
		`- {all: [{max_usd: 1, weight: 0}], threshold: 1}`: `[0].all: no check with a weight above 0`,
		`- any: [{contains: a}, {all: [{contains: b, weight: 0}]}]`: `[0].any[1].all: no check with a weight above 0`,
		`- any: {contains: a}`:                                       `expected a list of checks, found a mapping`,
		`- any: [{contains: a}, {regex: "("}]`:                       `1:32: [0].any[1].regex: is not a regular expression`,
		`- {any: [{contains: a}], threshold: 1}`:                     `[0].threshold: has no meaning for any`,
		`- any: [{any: [{any: [{any: [{any: [{contains: a}]}]}]}]}]`: `is a group in 4 groups, and 4 is the most`,
		`- {contains: a, contains: b}`:                               `duplicate field "contains"`,
		`- equals: {a: .inf}`:                                        `expected a number as in JSON, found the number .inf`,
		`- equals: {a: 0x1F}`:                                        `expected a number as in JSON`,
	} {
		if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}

// Expressions that would take long for every message are refused before a run.
func TestSizes(t *testing.T) {
	for text, want := range map[string]string{
		`- regex: "` + strings.Repeat("ab", 50_000) + `"`:         "has 100000 bytes, and 4096 is the most",
		`- json: "` + strings.Repeat("1 + ", 25_000) + `1"`:       "has 100001 bytes, and 4096 is the most",
		`- regex: "` + strings.Repeat(`a{900}`, 100) + `"`:        "steps with its repetitions written out, and 20000 is the most",
		`- any: [` + strings.Repeat(`{contains: a}, `, 250) + `]`: "has 251 checks in its groups, and 200 is the most",
	} {
		if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s:\n got %.300v\nwant %s", text, err, want)
		}
	}
}

func TestLike(t *testing.T) {
	for text, want := range map[string]bool{
		`[{contains: a}]`: true, `[{weight: 2, not_regex: a}]`: true, `[{name: a}]`: false, `[a]`: false, `[]`: false, `a`: false,
	} {
		var n struct {
			Checks likes `yaml:"checks"`
		}
		if err := strictyaml.Decode("f", []byte("checks: "+text), &n); err != nil || bool(n.Checks) != want {
			t.Errorf("%s: %v, %v, want %v", text, n.Checks, err, want)
		}
	}
}
