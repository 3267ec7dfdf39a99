package jq_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/jq"
)

var scope = jq.Scope{
	Variables: []jq.Variable{{Name: "$args", ByName: true}, {Name: "$body", Before: []string{"test", "startswith"}},
		{Name: "$list"}},
	Hidden:   []string{"$status", "$clock__"},
	Place:    "query",
	Replaced: map[string]string{"clock": "$clock__"},
}

func values() []any {
	return []any{map[string]any{"q": "iron"}, "the body", []any{1, 2}, 200, 1700000000}
}

func all(t *testing.T, text string, input any) (string, error) {
	t.Helper()
	e, err := scope.Compile(text)
	if err != nil {
		return "", err
	}
	out, err := e.All(t.Context(), input, values())
	return fmt.Sprint(out), err
}

func TestAll(t *testing.T) {
	for text, want := range map[string]string{
		`$args.q`:                           "[iron]",
		`$args."q"`:                         "[iron]",
		`"\($args.q)!"`:                     "[iron!]",
		`$list[]`:                           "[1 2]",
		`clock | todate[:10]`:               "[2023-11-14]",
		`$body | test("body") | not`:        "[false]",
		`[.[] | . * 2]`:                     "[[2 4 6]]",
		`9007199254740993 * 3`:              "[27021597764222979]",
		`9223372036854775807 * 2`:           "[18446744073709551614]",
		`-3 * 1.5`:                          "[-4.5]",
		`def f($x): $x * 2; f(4)`:           "[8]",
		`. as [$a] | {$a}`:                  "[map[a:1]]",
		`reduce .[] as $x (0; . + $x * $x)`: "[14]",
		`if ($body | startswith("the")) then 1 else 2 end`: "[1]",
		`empty`: "[]",
	} {
		if got, err := all(t, text, []any{1, 2, 3}); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", text, got, err, want)
		}
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		`.r[[`:                           `".r[[" is no jq: unexpected end`,
		`.a |`:                           `is no jq`,
		`nosuch(1)`:                      `is no jq: function not defined: nosuch/1`,
		`$nosuch`:                        `is no jq: variable not defined: $nosuch`,
		`now`:                            `now reads the machine's clock: use clock, the run's`,
		`[.[] | {a: (1 | now)}]`:         `now reads`,
		`"\(env)"`:                       `env reads the environment`,
		`$ENV.HOME`:                      `$ENV reads the environment`,
		`[repeat(1)]`:                    `repeat may never end`,
		`[limit(3; recurse(. + 1))]`:     `recurse may never end`,
		`import "a" as a; 1`:             `import`,
		`$status`:                        `$status is not known in query (known: $args, $body, $list)`,
		`{$status}`:                      `$status is not known`,
		`$args`:                          `$args is used by name only: write $args.NAME`,
		`$args[.x]`:                      `$args is used by name only`,
		`$args | keys`:                   `$args is used by name only`,
		`$body`:                          `$body can stand only directly before test startswith`,
		`$body | gsub("a"; "b")`:         `$body can stand only directly before`,
		`$body as $b | $b`:               `$body can stand only directly before`,
		`($body) | test("a")`:            `$body can stand only directly before`,
		`. as $args | 1`:                 `$args cannot be bound`,
		`. as {$body} | 1`:               `$body cannot be bound`,
		`def clock: 1; clock`:            `clock cannot be defined`,
		`setpath(["a"]; 1)`:              `setpath makes lists of any length`,
		`def _spend: .; _spend`:          `_spend cannot be defined`,
		`_spend`:                         `_spend is not available`,
		`.a *= 2`:                        `*= is not available`,
		strings.Repeat("1+", 9000) + "1": `the expression has 18001 bytes`,
	} {
		if _, err := scope.Compile(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %s", text, err, want)
		}
	}
}

func TestUses(t *testing.T) {
	e, err := scope.Compile(`[$args.a, {b: $args.b}, ("\($args.c)" | test($args.a)), .args]`)
	if err != nil || fmt.Sprint(e.Uses) != "[{$args a} {$args b} {$args c}]" {
		t.Errorf("%v, %v", e.Uses, err)
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		`.x`:                     "expected an object",
		`"a" * 1000000000`:       "* multiplies numbers alone",
		`{} * {a: 1}`:            "* multiplies numbers alone",
		`range(0; 2000)`:         "it gives more than 1000 values",
		`range(0; 100000000000)`: "it gives more than 1000 values",
		`1, error("done")`:       "done",
	} {
		if got, err := all(t, text, []any{1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %.40s, %v, want %s", text, got, err, want)
		}
	}
}

// Expressions that would run for ever end with their context.
func TestEndsWithItsContext(t *testing.T) {
	slow := errors.New("too slow")
	for _, text := range []string{`def f: f; f`, `def f: 1, f; last(f)`, `last(range(0; infinite))`, `[range(1e12)] | length`,
		`first(range(0; infinite) | select(. < 0))`, `reduce range(0; infinite) as $x (0; . + 1)`} {
		e, err := scope.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, slow)
		_, _, err = e.First(ctx, nil, values())
		if cancel(); !errors.Is(err, slow) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestFirst(t *testing.T) {
	e, err := scope.Compile(`.[]`)
	if err != nil {
		t.Fatal(err)
	}
	if v, ok, err := e.First(t.Context(), []any{7, 8}, values()); v != 7 || !ok || err != nil {
		t.Errorf("%v, %t, %v", v, ok, err)
	}
	if v, ok, err := e.First(t.Context(), []any{}, values()); v != nil || ok || err != nil {
		t.Errorf("%v, %t, %v", v, ok, err)
	}
	if _, ok, err := e.First(t.Context(), 1, values()); ok || err == nil {
		t.Errorf("%t, %v", ok, err)
	}
}
