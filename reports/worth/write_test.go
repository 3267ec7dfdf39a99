package worth_test

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/reporttest"
	"github.com/seed-5817661a/concur/reports/worth"
)

func at(x float64) *float64 { return &x }

func example() *usefulness.Report {
	full := usefulness.Figures{
		Calls: 40, Defined: 36, Short: 30, Mean: at(1.234), CI: &usefulness.Range{Low: .5, High: 1.968}, Units: 12, UsefulCalls: 20, UsefulShare: at(20. / 36),
		HarmfulCalls: 2, HarmfulShare: at(2. / 36), PerSecond: at(123.4), PerKiloToken: at(-12.34), AUROC: at(.75), AUROCCI: &usefulness.Range{Low: .6, High: .9}, RightCalls: 20, WrongCalls: 16,
	}
	return &usefulness.Report{
		Schema: usefulness.Schema, Run: "r", Scorer: "offline:ngram", Tau: 1,
		Rows: []usefulness.Row{
			{Configuration: "base", By: usefulness.ByConfiguration, Figures: full},
			{Configuration: "base", By: usefulness.ByTool, Name: "calc", Figures: full},
			{Configuration: "base", By: usefulness.ByCategory, Name: "sums", Figures: usefulness.Figures{Calls: 2}},
			{Configuration: "other", By: usefulness.ByConfiguration, Figures: usefulness.Figures{Calls: 1, Defined: 1, Mean: at(-2), Units: 1, HarmfulCalls: 1, HarmfulShare: at(1), UsefulShare: at(0)}},
		},
		Undefined: map[usefulness.Reason]int{usefulness.NoGold: 3, usefulness.Overflow: 1},
		Useful:    []usefulness.Listed{{Configuration: "base", Query: "q1", Trace: 1, Tool: "calc", Input: `{"e":"6*7"}`, Output: "42", Answer: "42", Gain: 3.5}},
		Harmful:   []usefulness.Listed{{Configuration: "base", Query: "q2", Tool: "look", Input: "{}", Output: "no", Answer: "yes", Gain: -2}},
		Warnings:  []string{"the scorer offline:ngram is not the agent's model m: a gain is what the result was worth for the scorer"},
	}
}

func written(t *testing.T, format document.Format, r *usefulness.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := worth.Write(&out, format, r, document.Screen{Width: 100}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWrite(t *testing.T) {
	for _, format := range []document.Format{document.FormatTable, document.FormatMarkdown, document.FormatCSV, worth.FormatHTML} {
		golden.Check(t, "testdata/example."+string(format), written(t, format, example()))
	}
	if err := worth.Write(&bytes.Buffer{}, "xml", example(), document.Screen{}); err == nil || !strings.Contains(err.Error(), "there are table, markdown, csv, json, html") {
		t.Errorf("an unknown format: %v", err)
	}
}

// Figures that are undefined are empty in CSV, and never 0.
func TestUndefinedFigures(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(written(t, document.FormatCSV, example()))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range rows[0] {
		undefined := strings.Fields("mean_gain ci_low useful_share gain_per_second gain_per_1000_tokens auroc")
		if cell := rows[3][i]; slices.Contains(undefined, name) && cell != "" {
			t.Errorf("%s is %q, want it empty", name, cell)
		}
	}
}

// Texts of models and datasets cannot break out of a report.
func TestHostileTexts(t *testing.T) {
	marks := strings.Count(written(t, worth.FormatHTML, example()), "<")
	rapid.Check(t, func(rt *rapid.T) {
		r := example()
		text := reporttest.Attack.Draw(rt, "text")
		r.Scorer, r.Rows[1].Name, r.Rows[0].Configuration, r.Warnings[0] = text, text, text, text
		r.Useful[0].Input, r.Useful[0].Output, r.Useful[0].Answer, r.Useful[0].Query, r.Useful[0].Tool = text, text, text, text, text
		var out bytes.Buffer
		if err := worth.Write(&out, document.FormatMarkdown, r, document.Screen{}); err != nil {
			rt.Fatal(err)
		}
		reporttest.CheckMarkdown(rt, out.String())
		out.Reset()
		if err := worth.Write(&out, document.FormatTable, r, document.Screen{Width: 80}); err != nil || strings.Contains(out.String(), "\x1b") {
			rt.Fatalf("a terminal would obey: %q, error %v", out.String(), err)
		}
		out.Reset()
		if err := worth.Write(&out, worth.FormatHTML, r, document.Screen{}); err != nil || strings.Count(out.String(), "<") != marks {
			rt.Fatalf("the page has other tags than usual: %s, error %v", out.String(), err)
		}
	})
}

func TestClosing(t *testing.T) {
	for want, ci := range map[string]*usefulness.Range{
		"made the right answer likelier.": {Low: .1, High: 2}, "made the right answer less likely.": {Low: -2, High: -.1},
		"It is not shown": {Low: -1, High: 1}, "There is no interval": nil,
	} {
		r := example()
		r.Rows = r.Rows[:3]
		r.Rows[0].CI = ci
		if got := written(t, document.FormatTable, r); !strings.Contains(got, want) {
			t.Errorf("%v: the report has not %q", ci, want)
		}
	}
}

func TestMark(t *testing.T) {
	for want, e := range map[string]usefulness.Entry{
		"gain −0.50 by s": {Scorer: "s", Gain: at(-.5)}, "no gain (longer than the scorer's context) by s": {Scorer: "s", Undefined: usefulness.Overflow}, "": {Scorer: "s"},
	} {
		if got := worth.Mark(e); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
