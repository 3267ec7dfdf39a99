package datasets

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/trace"
)

// someText is text as a file may hold it: not blank, tidied.
func someText(t *rapid.T, label string) string {
	loose := rapid.Custom(func(t *rapid.T) string {
		return trimText(rapid.OneOf(
			rapid.String(),
			rapid.StringOfN(rapid.SampledFrom([]rune("ab |;\\,\"'#:-\n\t\r?é日😀\u2028\u0085\u00a0\ufeff=~0\x00")), 1, 12, -1),
			rapid.SampledFrom([]string{"null", "~", "true", "no", "010", "1e3", "- a", "a: b", "{a}", `\.`, "<b>&", "{\"schema\":1}"}),
		).Draw(t, "text"))
	})
	return loose.Filter(func(s string) bool { return s != "" }).Draw(t, label)
}

func maybe(t *rapid.T, label string) string {
	if rapid.Bool().Draw(t, "has "+label) {
		return someText(t, label)
	}
	return ""
}

func words(t *rapid.T, label string) []string {
	var list []string
	for range rapid.IntRange(0, 3).Draw(t, label) {
		list = append(list, someText(t, "word"))
	}
	return list
}

// readable is an answer of a type.
func readable(t *rapid.T, typ answer.Type) string {
	values := map[answer.Type][]string{
		answer.Integer: {"042", "-7", "12,193"}, answer.Decimal: {"1/3", "2.50", "1e3"}, answer.Percent: {"27.3%", "1/3 %"},
		answer.Quantity: {"3 km", "5 °C"}, answer.Date: {"1969-07-20", "1969"}, answer.Boolean: {"yes", "False"},
	}
	if list, ok := values[typ]; ok {
		return rapid.SampledFrom(list).Draw(t, "answer")
	}
	for range 20 {
		s := someText(t, "answer")
		if key, err := answer.Normalize(s, typ, answer.Options{}); err == nil && key.Confidence == answer.Exact {
			return s
		}
	}
	return "x"
}

// someOptions are options that a type has.
func someOptions(t *rapid.T, typ answer.Type) answer.Options {
	set := rapid.Bool().Draw(t, "option")
	return answer.Options{
		Ordered: set && typ == answer.List, UnitOptional: set && typ == answer.Quantity,
		PrefixDate: set && typ == answer.Date, BarePercent: set && typ == answer.Percent,
	}
}

func someGold(t *rapid.T) Gold {
	g := Gold{
		Type: answer.Text, Outcome: trace.Answered,
		NoneOf: words(t, "none_of"), Condition: maybe(t, "condition"),
	}
	for range rapid.IntRange(0, 3).Draw(t, "all_of") {
		g.AllOf = append(g.AllOf, append(words(t, "group"), someText(t, "keyword")))
	}
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		g.Outcome = rapid.SampledFrom([]trace.Outcome{trace.Refused, trace.Abstained}).Draw(t, "outcome")
	case 1:
		g.Type = rapid.SampledFrom([]answer.Type{
			answer.Integer, answer.Decimal, answer.Percent, answer.Quantity, answer.Date, answer.Boolean, answer.Entity,
			answer.List, answer.Text, answer.Code,
		}).Draw(t, "type")
		g.Options = someOptions(t, g.Type)
		g.Answer = readable(t, g.Type)
		for range rapid.IntRange(0, 2).Draw(t, "aliases") {
			g.Aliases = append(g.Aliases, readable(t, g.Type))
		}
		if g.Type.Numeric() {
			tolerance := rapid.SampledFrom([]string{"", "0", "0.5", "1%", "1/3", "2/3%", "1e-3"}).Draw(t, "tolerance")
			var err error
			if g.Tolerance, err = answer.ParseTolerance(tolerance); err != nil {
				t.Fatal(err)
			}
		}
	default:
		g.Condition = someText(t, "condition")
	}
	return g
}

func someTags(t *rapid.T) []string {
	tags := words(t, "tags")
	for i := range tags {
		tags[i] = strings.ReplaceAll(tags[i], ",", ".") // commas stand between tags
	}
	return tags
}

func someContext(t *rapid.T) Context {
	c := Context{Owner: maybe(t, "owner"), Now: rapid.SampledFrom([]string{"", "2024-05-03", "2024-05-03T09:30:00Z"}).Draw(t, "now")}
	for range rapid.IntRange(0, 2).Draw(t, "history") {
		c.History = append(c.History, Turn{rapid.SampledFrom([]string{UserRole, AssistantRole}).Draw(t, "role"), someText(t, "content")})
	}
	return c
}

func someQueries(t *rapid.T) []Query {
	var list []Query
	for i := range rapid.IntRange(1, 4).Draw(t, "queries") {
		list = append(list, Query{
			ID:       rapid.StringMatching(`[A-Za-z0-9._-]{1,8}`).Draw(t, "id") + fmt.Sprint(i),
			Category: someText(t, "category"), Text: someText(t, "query"), Gold: someGold(t),
			MaxSteps: rapid.SampledFrom([]int{0, 1, 12}).Draw(t, "steps"), Cluster: maybe(t, "cluster"), Source: maybe(t, "source"), Tags: someTags(t), Context: someContext(t),
		})
	}
	return list
}

// What is written in any form loads again, is the same, and is written as the same
// bytes again.
func TestWriteRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		original := &Dataset{Name: "f", Queries: someQueries(t)}
		original.Hash = hashQueries(original.Queries)
		for _, format := range []Format{YAML, JSONL, CSV} {
			var file, again bytes.Buffer
			if err := original.Write(&file, format); err != nil {
				t.Fatal(err)
			}
			text := file.String()
			back, err := newLoader("f").load(&file, format, "f")
			if err != nil {
				t.Fatalf("%s: %v\n%s", format, err, text)
			}
			if diff := cmp.Diff(original, back); diff != "" {
				t.Fatalf("%s (-written +read):\n%s\n%s", format, diff, text)
			}
			if err := back.Write(&again, format); err != nil {
				t.Fatal(err)
			}
			if again.String() != text {
				t.Fatalf("%s is written as\n%s\nand then as\n%s", format, text, &again)
			}
		}
	})
}
