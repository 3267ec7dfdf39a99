package jq_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/jq"
)

// What a reply or an expression of a stranger makes large is stopped before it fills the memory, and so is what would
// take a time that no deadline ends.
func TestBounds(t *testing.T) {
	text := strings.Repeat("1", 2<<20)
	list := make([]any, 500_000)
	doubled := strings.Repeat("[., .] | ", 60)
	for _, c := range []struct {
		expression string
		input      any
		want       string
	}{
		{`reduce range(60) as $i ("x"; . + .) | length`, nil, "too much memory"},
		{strings.Repeat(`"\(.)\(.)" | `, 40) + "length", text, "too much memory"},
		{strings.Repeat("tojson | ", 40) + "length", strings.Repeat(`"`, 1000), "too much memory"},
		{strings.Repeat("[., .] | add | ", 40) + "length", text, "too much memory"},
		{strings.Repeat(".a += .a | ", 20) + ".a", map[string]any{"a": text}, "too much memory"},
		{doubled + "flatten", 1, "too much memory"}, {doubled + ". == .", 1, "too much memory"},
		{doubled + "tojson", 1, "too much memory"}, {doubled + ".", 1, "too much memory"},
		{`first(try (` + doubled + `tojson) catch 1)`, 1, "too much memory"},
		{`[range(100000) | "` + strings.Repeat("A", 15_000) + `" + "b"]`, 1, "too much memory"},
		{`[range(100000) | "` + strings.Repeat("A", 15_000) + `\(.)"]`, 1, "too much memory"},
		{`[range(1e12)]`, 1, "after 8 million steps"}, {`def f: f; f`, 1, "after 8 million steps"},
		{`[] | .[500000000] = 1`, nil, "an index is above 100000"}, {`. as $n | [] | .[$n] |= 1`, 400_000_000, "an index is above"},
		{`gsub("1"; "2")`, text, "65536 is the most"}, {`[scan("1")]`, text, "65536 is the most"},
		{`[match("1"; "g")]`, text, "65536 is the most"}, {`split("1"; "g")`, text, "65536 is the most"},
		{`. as $b | [range(1000)] | join($b)`, text, "join takes a text of at most 64 bytes"},
		{`. - .`, list, "500000 entries, and 10000 is the most"}, {`contains([11])`, list, "500000 entries"},
	} {
		e, err := scope.Compile(c.expression)
		if err != nil {
			t.Errorf("%.60s: %v", c.expression, err)
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, ok, err := e.First(t.Context(), c.input, values())
		runtime.ReadMemStats(&after)
		if ok || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: %.60v, %v, want %s", c.expression, got, err, c.want)
		}
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 512 {
			t.Errorf("%.60s: %d MiB", c.expression, made)
		}
	}
}

// Ordinary expressions on a reply of the largest size are not stopped.
func TestBoundsOfOrdinaryExpressions(t *testing.T) {
	rows := make([]any, 20_000)
	for i := range rows {
		rows[i] = map[string]any{"id": i, "title": "Red  stones of the north", "tags": []any{"a", "b"}, "text": strings.Repeat("word ", 10)}
	}
	for expression, input := range map[string]any{
		`.items | map(select(.id > 5)) | sort_by(.title) | length`:                                   map[string]any{"items": rows},
		`[.items[] | {id, title: (.title | gsub("\\s+"; " ")), all: (.tags | join(", "))}] | length`: map[string]any{"items": rows[:1000]},
		`split("\n") | map(split(",")) | length`:                                                     strings.Repeat("a,b,c,1234567,2026-11-28\n", 80_000),
		`capture("(?<v>z)$").v`:                                                                      strings.Repeat("1", 2<<20) + "z",
		`[.items[] | .text |= ascii_downcase | .n = (.id | tostring) | .extra += "x"] | length`:      map[string]any{"items": rows[:5000]},
	} {
		e, err := scope.Compile(expression)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		if _, ok, err := e.First(t.Context(), input, values()); !ok || err != nil {
			t.Errorf("%s: %v", expression, err)
		}
	}
}

// After an expression that was stopped, those beside it fail, too.
func TestWithStop(t *testing.T) {
	endless, err := scope.Compile(`def f: f; f`)
	if err != nil {
		t.Fatal(err)
	}
	one, err := scope.Compile(`1`)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := jq.WithStop(t.Context())
	defer end()
	if _, ok, err := one.First(ctx, nil, values()); !ok || err != nil {
		t.Error(err)
	}
	if _, _, err := endless.First(ctx, nil, values()); !errors.Is(err, jq.ErrStopped) {
		t.Error(err)
	}
	if _, ok, err := one.First(ctx, nil, values()); ok || !errors.Is(err, jq.ErrStopped) {
		t.Errorf("%t, %v", ok, err)
	}
	if !errors.Is(context.Cause(ctx), jq.ErrStopped) {
		t.Error(context.Cause(ctx))
	}
}
