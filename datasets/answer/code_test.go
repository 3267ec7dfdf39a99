package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

func TestCodeKeys(t *testing.T) {
	for raw, want := range map[string]string{
		") ]":                          "code:) ]",
		"> ) ) } } ] }":                "code:> ) ) } } ] }",
		"} ] >":                        "code:} ] >",
		".NET":                         "code:.NET",
		"NET":                          "code:NET",
		"Foo.bar(x);":                  "code:Foo.bar(x);",
		"__init__":                     "code:__init__",
		"[1, 2]":                       "code:[1, 2]",
		"\"a\"":                        "code:\"a\"",
		"５":                            "code:５",
		"e\u0301":                      "code:é",
		"  a  b\t\n":                   "code:a  b",
		"a\r\n  b\r\n":                 "code:a\n  b",
		"`a`":                          "code:a",
		"`` a`b ``":                    "code:a`b",
		"`a` and `b`":                  "code:`a` and `b`",
		"`a":                           "code:`a",
		"``":                           "code:``",
		"```\nx = 1\n```":              "code:x = 1",
		"```python\nif x:\n  y\n```\n": "code:if x:\n  y",
		"~~~\n```\n~~~":                "code:```",
		"```\na\n```\n```\nb\n```":     "code:```\na\n```\n```\nb\n```",
		"```\n```":                     "code:```\n```",
		"```sql SELECT 1```":           "code:sql SELECT 1",
		"":                             "error",
		" \n":                          "error",
	} {
		if got := key(raw, answer.Code); got != want {
			t.Errorf("code %q: %s, want %s", raw, got, want)
		}
	}
}

func TestCodeURLs(t *testing.T) {
	const page = "code:https://example.org/a/B?q=1&R=2"
	for raw, want := range map[string]string{
		"https://example.org/a/B?q=1&R=2":                           page,
		"HTTPS://Example.ORG:443/a/B/?q=1&R=2#part":                 page,
		"`https://example.org/a/B?utm_source=x&q=1&UTM_Term=y&R=2`": page,
		"https://example.org/a/b?q=1&R=2":                           "code:https://example.org/a/b?q=1&R=2",
		"http://example.org/a/B?q=1&R=2":                            "code:http://example.org/a/B?q=1&R=2",
		"https://example.org/?utm_medium=mail":                      "code:https://example.org",
		"https://example.org":                                       "code:https://example.org",
		"http://example.org:80//":                                   "code:http://example.org",
		"http://example.org:8080/":                                  "code:http://example.org:8080",
		"http://[::1]:80/x":                                         "code:http://[::1]/x",
		"http://Me:Pass@Example.org/":                               "code:http://Me:Pass@example.org",
		"ftp://example.org:21/Pub":                                  "code:ftp://example.org/Pub",
		"https://example.org/%7Ea?q=a%20b":                          "code:https://example.org/%7Ea?q=a%20b",
		"See https://Example.org/":                                  "code:See https://Example.org/",
		"a://b c#d":                                                 "code:a://b c#d",
		"://Example.org":                                            "code:://Example.org",
		"http://":                                                   "code:http://",
		"http:///Path/":                                             "code:http:///Path/",
	} {
		if got := key(raw, answer.Code); got != want {
			t.Errorf("code %q: %s, want %s", raw, got, want)
		}
	}
}

func TestMatchCode(t *testing.T) {
	checkMatches(t, answer.Code, []matchCase{
		{"`) ]`", ") ]", "", answer.Options{}, true, "equal codes"},
		{"} ] >", "> ) ) } } ] }", "", answer.Options{}, false, `"} ] >" is not "> ) ) } } ] }"`},
		{"NET", ".NET", "", answer.Options{}, false, ""},
		{"foo", "Foo", "", answer.Options{}, false, ""},
		{"a  b", "a b", "", answer.Options{}, false, ""},
	})
}
