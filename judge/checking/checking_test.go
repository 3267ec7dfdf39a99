package checking_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/checking"
)

func prepare(t testing.TB, text string) *checking.List {
	t.Helper()
	var list []checks.Check
	if err := strictyaml.Decode("f.yaml", []byte(text), &list); err != nil {
		t.Fatal(err)
	}
	l, err := checking.Prepare(list)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestBuiltin(t *testing.T) {
	answer := "Lyon"
	for _, c := range []struct {
		check, message string
		pass           bool
		reason         string
	}{
		{`contains: Paris`, "It is Paris.", true, `contains "Paris"`},
		{`contains: paris`, "It is Paris.", false, `does not contain "paris"`},
		{`not_contains: paris`, "It is Paris.", true, `does not contain "paris"`},
		{`not_contains: Paris`, "It is Paris.", false, `the message contains "Paris"`},
		{`icontains: PARIS`, "It is Paris.", true, `"PARIS"`},
		{`icontains: ÉTÉ`, "un été", true, ""},
		{`contains_any: [x, Paris]`, "It is Paris.", true, `"Paris"`},
		{`contains_any: [x, y]`, "It is Paris.", false, "none of 2 texts"},
		{`not_contains_any: [x, y]`, "It is Paris.", true, ""},
		{`contains_all: [It, Paris]`, "It is Paris.", true, "all 2 texts"},
		{`contains_all: [It, Rome]`, "It is Paris.", false, `does not contain "Rome"`},
		{`icontains_all: [IT, paris]`, "It is Paris.", true, ""},
		{`icontains_any: [IT, rome]`, "It is Paris.", true, ""},
		{`starts_with: It`, "It is", true, ""},
		{`starts_with: it`, "It is", false, "does not begin"},
		{`regex: "[0-9]+ km"`, "It is 12 km.", true, `"12 km"`},
		{`regex: "^[0-9]+$"`, "It is 12 km.", false, "no match"},
		{`{regex: "^L", on: answer}`, "Paris", true, ""},
		{`{contains: Lyon}`, "Paris", false, ""},
		{`equals: Paris`, " Paris\n", true, ""},
		{`equals: Paris`, "Paris.", false, `is not "Paris"`},
		{`equals: {a: [1, {b: null}]}`, `{"a":[1.0,{"b":null}]}`, true, "has the value"},
		{`equals: {a: 1}`, `{"a":1,"b":2}`, false, "another value"},
		{`equals: [1]`, "one", false, "not JSON"},
		{`is_json: true`, `[1]`, true, ""},
		{`is_json: true`, "```json\n[1]\n```", false, "a code fence is part of the message"},
		{`is_json: true`, `[1] and more`, false, "not JSON"},
		{`not_is_json: true`, `plain`, true, ""},
		{`is_json: {required: [a]}`, `{"b": 1}`, false, "missing property 'a'"},
		{`is_json: {properties: {a: {type: integer}}}`, `{"a": 1}`, true, "valid"},
		{`json: ".a > 2"`, `{"a": 3}`, true, "gives true"},
		{`json: ".a > 2"`, `{"a": 1}`, false, "gives false"},
		{`json: ".b"`, `{"a": 1}`, false, "null, or no result"},
		{`json: ".a.b.c"`, `{"a": 1}`, false, "the expression fails"},
		{`json: ".a"`, `{"a": {"n": 1e400}}`, false, "gives {"},
		{`json: ".a > 2"`, `a is 3`, false, "not JSON"},
		{`max_seconds: 2`, "", true, "1.5 of at most 2 seconds"},
		{`max_seconds: 1`, "", false, "1.5 seconds are more than 1"},
		{`max_tokens: 12345`, "", true, "12345 of at most 12345 tokens"},
		{`max_tokens: 12344`, "", false, "12345 tokens are more than 12344"},
		{`max_usd: 0.01`, "", false, "0.02 US dollars are more than 0.01"},
		{`any: [{contains: a}, {contains: b}]`, "b", true, `contains "b" holds`},
		{`any: [{contains: a}, {contains: b}]`, "c", false, "none of its checks holds; check 1"},
		{`all: [{contains: a}, {contains: b}]`, "ab", true, "all its checks hold"},
		{`all: [{contains: a}, {contains: b}]`, "a", false, "check 2, contains"},
		{`{all: [{contains: a, weight: 3}, {contains: b}], threshold: 0.75}`, "a", true, "0.75 reaches 0.75"},
		{`{all: [{contains: a, weight: 3}, {contains: b}], threshold: 0.75}`, "b", false, "0.25 is below 0.75"},
		{`{all: [{contains: a, weight: 0}, {contains: b}]}`, "b", true, ""},
		{`{all: [{contains: a}, {contains: b}, {contains: c}], threshold: 0.6}`, "ab", true, "0.6667"},
	} {
		seconds, usd, tokens := 1.5, 0.02, 12345
		got, err := prepare(t, "["+c.check+"]").Check(t.Context(), checking.Subject{
			Message: c.message, Answer: &answer, Seconds: &seconds, USD: &usd, Tokens: &tokens})
		if err != nil || len(got) != 1 || got[0].Pass == nil || *got[0].Pass != c.pass ||
			!strings.Contains(got[0].Reason, c.reason) || len(got[0].Reason) > 400 {
			t.Errorf("%s of %q: %+v, %v, want %v because of %s", c.check, c.message, got, err, c.pass, c.reason)
		}
	}
}

// What is not known decides nothing: it is neither passed nor failed, unless the other checks decide.
func TestUndecided(t *testing.T) {
	for _, c := range []struct {
		checks string
		want   judge.Ruling
		reason string
	}{
		{`[{max_usd: 1}]`, judge.Unscored, "check 1, max_usd 1: the trace's US dollars are not known"},
		{`[{max_usd: 1}, {contains: x}]`, judge.Incorrect, `check 2, contains "x"`},
		{`[{max_seconds: 1}, {contains: a}]`, judge.Unscored, "seconds are not known"},
		{`[{max_tokens: 1, weight: 0}, {contains: a}]`, judge.Correct, "the check holds"},
		{`[{any: [{max_usd: 1}, {contains: a}]}]`, judge.Correct, ""},
		{`[{any: [{max_usd: 1}, {contains: x}]}]`, judge.Unscored, "not known"},
		{`[{all: [{max_usd: 1}, {contains: x}]}]`, judge.Incorrect, ""},
		{`[{all: [{max_usd: 1}, {contains: a}], threshold: 0.5}]`, judge.Correct, ""},
		{`[{all: [{max_usd: 1}, {contains: a}], threshold: 0.6}]`, judge.Unscored, ""},
		{`[{all: [{max_usd: 1}, {contains: x}], threshold: 0.6}]`, judge.Incorrect, ""},
		{`[{json: "repeat(.) | empty"}]`, judge.Unscored, "the expression was stopped after 1,000,000 steps"},
		{`[{exec: [./x]}]`, judge.Unscored, "does not decide checks with exec"},
		{`[{regex: a, on: answer}]`, judge.Incorrect, "there is no short answer"},
		{`[{not_regex: a, on: answer}]`, judge.Incorrect, "there is no short answer"},
	} {
		message := "a"
		if strings.Contains(c.checks, "json") {
			message = "1"
		}
		got, err := prepare(t, c.checks).Check(t.Context(), checking.Subject{Message: message})
		if v := checking.Verdict(got); err != nil || v.Verdict != c.want || !strings.Contains(v.Reason, c.reason) {
			t.Errorf("%s: %+v, %v, want %s because of %s", c.checks, v, err, c.want, c.reason)
		}
	}
}

func TestKey(t *testing.T) {
	for checks, want := range map[string]string{
		`[{contains: a}, {contains: x}, {not_contains: x}]`: "checks:incorrect:1,3",
		`[{contains: a}, {max_usd: 1}]`:                     "checks:unscored:1,2?",
		`[{contains: x}]`:                                   "checks:incorrect",
		`[{contains: a, weight: 0}, {contains: a}]`:         "checks:correct:2",
	} {
		got, _ := prepare(t, checks).Check(t.Context(), checking.Subject{Message: "a"})
		if key := checking.Key(checking.Verdict(got).Verdict, got); key != want {
			t.Errorf("%s: %s, want %s", checks, key, want)
		}
	}
}

func TestCheckEndsWithItsContext(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, err := prepare(t, `[{json: "repeat(.) | empty"}]`).Check(ctx, checking.Subject{Message: "1"}); err == nil {
		t.Error("no error")
	}
}

func TestClass(t *testing.T) {
	for key, want := range map[string]string{
		"checks:correct:1,2":                    "correct, checks 1,2 hold",
		"checks:incorrect":                      "incorrect, no check holds",
		"checks:incorrect:2?":                   "incorrect, check 2? holds",
		"int:4":                                 "int:4",
		"checks:correct:1 / int:4":              "correct, check 1 holds / int:4",
		"text:a / checks:incorrect / none":      "text:a / incorrect, no check holds / none",
		"text:checks:correct:1 and more / none": "text:checks:correct:1 and more / none",
	} {
		if got := checking.Class(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}
