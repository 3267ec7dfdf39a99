package checks_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/schema"
)

func TestQueryRun(t *testing.T) {
	for _, c := range []struct {
		expression, input string
		want              any
		fails             bool
	}{
		{".a == 1", `{"a": 1}`, true, false},
		{".a == 1", `{"a": 2}`, false, false},
		{".a == 12345678901234567890123", `{"a": 12345678901234567890123}`, true, false},
		{".a * 2 == 3", `{"a": 1.5}`, true, false},
		{".[] > 0", `[1, 2, 3]`, true, false},
		{".[] > 0", `[1, -2, 3]`, false, false},
		{".[] > 0", `[]`, nil, false}, // no result at all is not true
		{".a", `{"a": null}`, nil, false},
		{".a", `{"a": "yes"}`, "yes", false},
		{".a.b", `{"a": "yes"}`, nil, true},
		{"error(\"x\")", `1`, nil, true},
		{"test(\"^a+$\")", `"aaa"`, true, false},
		// what limits the memory changes nothing else
		{`.a + .b == "xy" and "\(.a)-\(.b)!" == "x-y!" and ([.a, .b] | join("/")) == "x/y"`, `{"a": "x", "b": "y"}`, true, false},
		{`del(.items[.n].id, .n) == {items: [{id: 1}, {}]}`, `{"items": [{"id": 1}, {"id": 2}], "n": 1}`, true, false},
		{`(.items | map(.x * 2) | add) == 12 and ([.items[].x - 1] | max) == 2`, `{"items": [{"x": 1}, {"x": 2}, {"x": 3}]}`, true, false},
		{`(.items | sort_by(.x)[0].x) == 1 and (.items | group_by(.x) | length) == 2`, `{"items": [{"x": 2}, {"x": 1}, {"x": 2}]}`, true, false},
		{`[.. | numbers] == [1, 2] and ([paths] | length) == 3`, `{"a": {"b": 1}, "c": 2}`, true, false},
		{`def double: . * 2; def twice(f): f | f; (.[0] | twice(double)) == 8 and (reduce .[] as $x (0; . + $x)) == 5`, `[2, 3]`, true, false},
		{`.a // "none" | ascii_downcase | @base64 == "bm9uZQ=="`, `{}`, true, false},
		{`[.[] as {a: $x, b: [$y]} | "\($x)\($y)"] == ["12"]`, `[{"a": 1, "b": [2]}]`, true, false},
		{`(.a | keys[0]) == "k" and (.a["k"] | tostring | length) == 1 and (.a | has("k")) and (.a.k | IN(1, 2))`, `{"a": {"k": 1}}`, true, false},
		{`gsub("\\s+"; "") == "ab" and (split(" ") | length) == 3 and ([scan("[ab]")] == ["a", "b"]) and (.[1:] | contains("b"))`, `"a  b"`, true, false},
		{`try error("x") catch . == "x"`, `1`, true, false},
		{`(.n | tojson) == "1" and -.n == -1 and (.n | -(.)) < 0 and (.x | not) and ([limit(2; range(9))] == [0, 1])`, `{"n": 1}`, true, false},
	} {
		q, err := checks.Check{Kind: checks.JSON, Text: c.expression}.Query()
		if err != nil {
			t.Fatal(err)
		}
		input, err := schema.Decode([]byte(c.input))
		if err != nil {
			t.Fatal(err)
		}
		got, err := q.Run(t.Context(), input)
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%s of %s = %v, %v, want %v, error %v", c.expression, c.input, got, err, c.want, c.fails)
		}
	}
}

// An expression that never ends, or that makes large values, is stopped, and needs little memory until then. It stops at
// the same place on every machine.
func TestQueryStops(t *testing.T) {
	doubled := strings.Repeat("[., .] | ", 400)
	for _, expression := range []string{
		"repeat(.) | empty", "def f: f; f", "[limit(1e12; repeat(1))] | length < 0", "until(false; .)",
		"[range(1e9)] | length > 0", "def f: 1 + f; f", "def f: ., f; [f] | length > 0", "[recurse(. + 1)] | length > 0",
		"last(range(1e12)) > 0", "reduce range(1e9) as $i ([]; . + [$i]) | length > 0",
		`tostring | ` + strings.Repeat(". + . | ", 400) + "length > 0",
		`tostring | ` + strings.Repeat(`"\(.)\(.)" | `, 300) + "length > 0",
		`tostring | ` + strings.Repeat("@json | ", 400) + "length > 0",
		`tostring | ` + strings.Repeat(`[., .] | add | `, 200) + "length > 0",
		`tostring | ` + strings.Repeat(`[., .] | join(".") | `, 150) + "length > 0",
		`reduce range(60) as $i ("x"; . + .) | length > 0`,
		doubled + "tojson | length > 0", doubled + "flatten | length > 0", doubled + "[[.] == [.]] | length > 0",
		doubled + "unique | length > 0", doubled + "error", doubled + ".", `[range(100000) | "\([range(1000)])"] | length > 0`, `try ([range(1e9)]) catch true`, `first(try ([range(1e9)]) catch true)`,
		`[range(3000)] as $l | [$l[] | $l | tojson] | length > 0`, `[range(3000)] as $l | $l | [.[] | $l | sort] | length > 0`,
		`[range(200000) | "aaaa"] | join("") | [match("";"g")] | length > 0`, `[range(300000) | "aaaa"] | join("") | explode | length > 0`,
	} {
		q, err := checks.Check{Kind: checks.JSON, Text: expression}.Query()
		if err != nil {
			t.Errorf("%.80s: %v", expression, err)
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		result, err := q.Run(t.Context(), 1)
		if !errors.Is(err, checks.ErrStopped) {
			t.Errorf("%.80s: %.80v, %v", expression, result, err)
		}
		runtime.ReadMemStats(&after)
		if took, made := time.Since(start), (after.TotalAlloc-before.TotalAlloc)>>20; took > 5*time.Minute || made > 512 {
			t.Errorf("%.80s: %s, %d MiB", expression, took, made)
		} else if took > 200*time.Millisecond || made > 100 {
			t.Logf("%.60s: %s, %d MiB: %v", expression, took, made, err)
		}
	}
}

// Long texts, of the message or written out in the expression, neither use much memory nor stop the clock: the matches
// of a regular expression are counted in the text before each of them, in one step of the interpreter.
func TestQueryStopsOnLongTexts(t *testing.T) {
	literal := strings.Repeat("A", 3900)
	for _, expression := range []string{
		`gsub("1"; "` + literal + `") | length > 0`, `gsub("1"; "22") | length > 0`, `[scan("1")] | length > 0`,
		`[match("1"; "g")] | length > 0`, `[splits("1")] | length > 0`, `split("1"; "g") | length > 0`,
		`[range(100000) | "` + literal + `" + "b"] | length > 0`, `[range(100000) | "` + literal + `\(.)"] | length > 0`,
		`[range(100000) | strftime("` + literal + `")] | length > 0`,
	} {
		q, err := checks.Check{Kind: checks.JSON, Text: expression}.Query()
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if result, err := q.Run(t.Context(), strings.Repeat("1", 200_000)); !errors.Is(err, checks.ErrStopped) {
			t.Errorf("%.80s: %.80v, %v", expression, result, err)
		}
		runtime.ReadMemStats(&after)
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 128 {
			t.Errorf("%.80s: %d MiB", expression, made)
		}
	}
	q, err := checks.Check{Kind: checks.JSON, Text: `gsub("1"; "22") | length == 8000`}.Query()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := q.Run(t.Context(), strings.Repeat("1", 4000)); got != true {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := (checks.Check{Kind: checks.JSON, Text: `join("` + literal + `") | length > 0`}).Query(); err == nil ||
		!strings.Contains(err.Error(), "at most 64 characters") {
		t.Errorf("a long text between the entries of a list: %v", err)
	}
}

// What a check does not have is an error when the dataset is read, and what it refuses is one of the expression.
func TestQueryRefuses(t *testing.T) {
	for expression, want := range map[string]string{
		`.a |= 1`: "assigns with |=", `.a = 1`: "assigns with =", `setpath([1000000000]; 1)`: "uses setpath", `now > 1`: "uses now",
		`$ENV.HOME`: "uses $ENV", `_spend`: "uses _spend", `def _spend: .; 1`: "defines _spend", `[combinations]`: "uses combinations",
		`join(.a)`: "not written out", `import "x" as x; .`: "imports", `[.[] | input]`: "uses input", `halt`: "uses halt",
		`def f(_spend): .; 1`: "defines _spend",
	} {
		if _, err := (checks.Check{Kind: checks.JSON, Text: expression}).Query(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", expression, err, want)
		}
	}
	for expression, want := range map[string]string{
		`"x" * 2000000000 | length > 0`:                       "a text cannot be multiplied",
		`reduce range(60) as $i (10000000000; . * .) | . > 0`: "too many digits",
		`[range(2000)] as $l | ($l - $l) == []`:               "a list has 2000 entries",
		`[range(2000)] | contains([5])`:                       "a list has 2000 entries",
		`[range(9)] | .[[1]] == [1]`:                          "a list cannot be an index",
	} {
		q, err := checks.Check{Kind: checks.JSON, Text: expression}.Query()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := q.Run(t.Context(), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", expression, err, want)
		}
	}
}

func BenchmarkQuery(b *testing.B) {
	q, err := checks.Check{Kind: checks.JSON, Text: `.city == "Paris" and (.rivers | length) > 1`}.Query()
	if err != nil {
		b.Fatal(err)
	}
	input, err := schema.Decode([]byte(`{"city": "Paris", "rivers": ["Seine", "Bièvre"]}`))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if got, err := q.Run(b.Context(), input); got != true {
			b.Fatal(got, err)
		}
	}
}
