package spec_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/tool/api/spec"
)

// good is a file without mistakes. Tests replace a part of it.
const good = `description: Finds stones.
evidence: stone
parameters:
  query: {type: string, maxLength: 99, description: Words.}
  limit: {type: integer, default: 5, description: How many.}
settings: {host: "https://stones.example"}
auth: [{env: STONE_KEY, header: X-Key}, {none: true}]
pace: {every: 1s, at_once: 2}
requests:
  - url: =$settings.host + "/find"
    query: {q: =$args.query}
    keep: {for: 1h, renew: [auth]}
  - url: =$settings.host + "/read"
    json: {ids: '=.ids'}
    empty: .total == 0
failures:
  - {status: [429, 5xx], kind: rate_limited, retry: [1, 3]}
  - {when: .ok == false, kind: upstream, message: .why}
message: .error
documents:
  each: .items[]
  at_most: $args.limit
`

func TestGood(t *testing.T) {
	if _, err := spec.Read("stone.yaml", []byte(good)); err != nil {
		t.Error(err)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"evidence: stone", "evidenc: stone", `stone.yaml:2:1: evidenc: unknown field "evidenc" (did you mean "evidence"?)`},
		{"message: .error", "message: .error\nmessage: .x", `stone.yaml:20:1: message: duplicate field "message", first on line 19`},
		{"message: .error", "message: .r[[", `stone.yaml:19:10: message: ".r[[" is no jq: unexpected end`},
		{"message: .error", "message: nosuch", `is no jq: function not defined: nosuch/0`},
		{"message: .error", "message: now", `message: now reads the machine's clock: use clock, the run's`},
		{"message: .error", "message: input", `message: input reads other inputs`},
		{"message: .error", "message: $body", `$body can stand only directly before test contains`},
		{"message: .error", "message: '$args | keys'", `$args is used by name only: write $args.NAME`},
		{`url: =$settings.host + "/find"`, `url: ="https://x.example/" + $args.query`, `stone.yaml:10:10: requests[0].url: $args is not known in url and jwt (known: $settings)`},
		{`url: =$settings.host + "/find"`, `url: ="https://x.example/" + $replies[0]`, `$replies is not known in url and jwt`},
		{`url: =$settings.host + "/find"`, `url: https://x.example/a?b=c`, `requests[0].url: the address has a query: use the key query`},
		{`url: =$settings.host + "/find"`, `url: ftp://x.example/a`, `not of the form https://host/path`},
		{`{q: =$args.query}`, `{q: =$args.qurey}`, `stone.yaml:11:16: $args.qurey is not declared (did you mean query?)`},
		{`{q: =$args.query}`, `{q: $args.query}`, `requests[0].query.q: "$args.query" looks like an expression: write = before it, or == for a text`},
		{`{q: =$args.query}`, `{q: ==$args.query}`, `stone.yaml:11:16: == begins a text, so $args.query is not used: write $args.query with one =`},
		{`{q: =$args.query}`, `{q: [a, "== $args.query + 1"]}`, `stone.yaml:11:20: == begins a text, so $args.query is not used`},
		{`{q: =$args.query}`, `{q: ==$args.query_2}`, `stone.yaml:4:3: parameters: query is used nowhere: use it, or leave it out`},
		{`url: =$settings.host + "/find"`, `url: ==$settings.host`, `requests[0].url`},
		{"empty: .total == 0", "empty: =.total == 0", `requests[1].empty: "=.total == 0" begins with =, which only values of requests have: leave it out`},
		{"  each: .items[]", "  each: =.items[]", `documents.each: "=.items[]" begins with =`},
		{"at_most: $args.limit", "at_most: =$args.limit", `documents.at_most: "=$args.limit" begins with =`},
		{`{q: =$args.query}`, `{q: .query}`, `looks like an expression`},
		{`{q: =$args.query}`, `{q: =$status}`, `$status is not known in a request (known: $settings, $args, $replies)`},
		{`{q: =$args.query}`, `{q: x}`, `stone.yaml:4:3: parameters: query is used nowhere: use it, or leave it out`},
		{`settings: {host`, `settings: {left: 1, host`, `stone.yaml:6:12: settings: left is used nowhere`},
		{"kind: upstream", "kind: blocked", `kind "blocked" is none of auth, quota`},
		{"[429, 5xx]", "[429, 6xx]", `failures[0].status: "6xx" is no status`},
		{"when: .ok == false, ", "", `failures[1]: a failure wants status, when, or both`},
		{"    empty: .total == 0\n", "", `requests[1].empty: request 2: empty is missing: what does a reply say that has found nothing?`},
		{"evidence: stone\n", "", `documents: evidence is missing`},
		{"evidence: stone", "evidence: Stone 1", `begins the ids of documents`},
		{"documents:", "object: .x\ndocuments:", `object: a tool gives documents or an object: leave one out`},
		{"  each: .items[]\n", "", `documents: each is missing`},
		{"env: STONE_KEY, header", "env: STONE_KEY, value: x, header", `auth[0]: a way has one source: env, jwt, value or none`},
		{"header: X-Key", "header: X-Key, query: k", `auth[0]: a way has one place: bearer, header, query or body`},
		{"header: X-Key", "body: key", `auth[0].body: request 1 has neither form nor json with fields`},
		{"{none: true}", "{none: true, bearer: true}", `none sends nothing`},
		{", description: Words.", "", `parameters.query: description is missing`},
		{"maxLength: 99", "maxLength: many", `parameters.query: is not a JSON Schema`},
		{"default: 5", "default: many", `parameters.limit: the default is not what the schema allows`},
		{"keep: {for: 1h", "pages: {next: .next, at_most: 3}\n    keep: {for: 1h", `requests[0].pages: only the last request of a tool with documents has pages`},
		{"empty: .total == 0", "empty: .total == 0\n    pages: {next: .next, at_most: 99}", `pages: at_most is 99: give 2 to 10`},
		{"renew: [auth]", "renew: [never]", `keep: renew: kind "never" is none of`},
		{"json: {ids: '=.ids'}", "json: {ids: '=.ids'}\n    form: {a: b}", `a request has form or json: leave one out`},
		{"json: {ids: '=.ids'}", "json: {ids: '=.ids'}\n    method: GET", `GET has no body`},
		{"query: {q: =$args.query}", "query: {q: =$args.query}\n    headers: {Host: evil}", `"Host" cannot be set here`},
		{"query: {q: =$args.query}", "query: {q: =$args.query}\n    read: {xml: {a: '//['}}", `requests[0].read.xml.a: "//[" is no XPath`},
		{"query: {q: =$args.query}", "query: {q: =$args.query}\n    read: yaml", `read is json, text, {xml: PICK} or {html: PICK}`},
		{"query: {q: =$args.query}", "query: {q: =$args.query}\n    read: {html: {a: //b}, charset: klingon}", `the charset "klingon" is not known`},
		{"pace: {every: 1s", "pace: {every: -1s", `pace: every is 0s to 10m`},
		{"when: .ok == false, kind", `when: .a == "x, y", kind`, `within { } YAML cuts a text at , : [ ] { } #`},
		{"message: .why}", "message: .why[0]}", `within { } YAML cuts a text at , : [ ] { } #`},
		{"documents:", "  - url: https://x.example/\n  - url: https://x.example/\ndocuments:", `stone.yaml`},
		{good, "- 1", `stone.yaml:1:1: expected a mapping`},
		{good, "", `the file is empty`},
		{good, "description: x\n", `requests is missing`},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if text == good {
			t.Errorf("%q is not in the file", c.old)
		}
		if _, err := spec.Read("stone.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n%v\nwant %s", c.new, err, c.want)
		}
	}
}

// All mistakes of a file are reported at once.
func TestAllErrors(t *testing.T) {
	text := strings.NewReplacer("evidence: stone", "evidence: Stone", ".ok == false", "now", "[auth]", "[x]", "$args.query",
		"$args.q").Replace(good)
	_, err := spec.Read("stone.yaml", []byte(text))
	if err == nil || strings.Count(err.Error(), "\n") != 3 {
		t.Errorf("%v", err)
	}
}

func TestHash(t *testing.T) {
	hash := func(text string) string {
		t.Helper()
		f, err := spec.Read("stone.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return f.Hash
	}
	same := hash(good)
	if hash("# a comment\n"+strings.ReplaceAll(good, "{none: true}", "{ none:   true }")) != same {
		t.Error("a comment changes the hash")
	}
	for old, changed := range map[string]string{"Finds stones": "Finds rocks", "maxLength: 99": "maxLength: 98", "stones.example": "s.example",
		".total == 0": ".total <= 0"} {
		if hash(strings.Replace(good, old, changed, 1)) == same {
			t.Errorf("%s leaves the hash", changed)
		}
	}
}
