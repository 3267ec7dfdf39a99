package checks_test

import (
	"errors"
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

// An expression that never ends is stopped.
func TestQueryStops(t *testing.T) {
	for _, expression := range []string{"repeat(.) | empty", "def f: f; f", "[limit(1e12; repeat(1))] | length < 0",
		"until(false; .)"} {
		q, err := checks.Check{Kind: checks.JSON, Text: expression}.Query()
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if _, err := q.Run(t.Context(), 1); !errors.Is(err, checks.ErrSlow) {
			t.Errorf("%s: %v", expression, err)
		}
		t.Log(expression, time.Since(start))
	}
}
