package gatereport_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/gatereport"
	"github.com/seed-5817661a/concur/reports/reporttest"
)

func gates() map[string]gatereport.Report {
	return map[string]gatereport.Report{
		"pass": passing(), "regression": regressed(), "bootstrap": bootstrapping(), "unconfirmed": unconfirmed(), "hostile": hostileGate(),
		"losses": declined(), "drift": drifting(),
	}
}

func gateWritten(t *testing.T, f document.Format, g gatereport.Report) string {
	t.Helper()
	return reporttest.Written(t, func(b *bytes.Buffer) error { return gatereport.Write(b, f, g, document.Screen{}) })
}

// One input goes through every format.
func TestWriteGate(t *testing.T) {
	for _, name := range []string{"regression", "hostile"} { // the others are tested by parts
		g := gates()[name]
		for format, extension := range map[document.Format]string{
			document.FormatTable: "txt", document.FormatMarkdown: "md", document.FormatJUnit: "xml", document.FormatCSV: "csv",
		} {
			golden.Check(t, "testdata/"+name+"."+extension, gateWritten(t, format, g))
		}
		explained := g
		explained.Explain = true
		golden.Check(t, "testdata/"+name+"_explained.txt", gateWritten(t, document.FormatTable, explained))
		golden.Check(t, "testdata/"+name+"_annotations.txt", reporttest.Written(t, func(b *bytes.Buffer) error { return gatereport.Annotations(b, g) }))
	}
}

func TestGateFormats(t *testing.T) {
	for _, f := range gatereport.Formats() {
		if got := gateWritten(t, document.Format(f), passing()); got == "" {
			t.Errorf("%s is empty", f)
		}
	}
	err := gatereport.Write(io.Discard, "yaml", passing(), document.Screen{})
	if err == nil || !strings.Contains(err.Error(), "table, markdown, csv, json, junit") {
		t.Errorf("error %v, want one that names the formats", err)
	}
}

// The JSON is the Gate, with the decision at its top.
func TestGateJSON(t *testing.T) {
	for name, g := range gates() {
		if name == "hostile" {
			continue // has text that is not UTF-8
		}
		var back gatereport.Report
		if err := json.Unmarshal([]byte(gateWritten(t, document.FormatJSON, g)), &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(g, back); diff != "" {
			t.Errorf("%s (-written +read):\n%s", name, diff)
		}
	}
	unnamed := passing()
	unnamed.Schema = ""
	if got := gateWritten(t, document.FormatJSON, unnamed); !strings.Contains(got, `"schema": "concur/gate/v2"`) {
		t.Error("the schema is not named")
	}
}

// On a narrow terminal no line of a decision is wider, and none of its words is lost.
func TestGateFitsATerminal(t *testing.T) {
	for name, g := range gates() {
		g.Explain = true
		narrow := reporttest.Written(t, func(b *bytes.Buffer) error {
			return gatereport.Write(b, document.FormatTable, g, document.Screen{Width: 80})
		})
		for l := range strings.Lines(narrow) {
			if n := utf8.RuneCountInString(l) - 1; n > 80 && name != "hostile" {
				t.Errorf("%s: a line of %d columns: %s", name, n, l)
			}
		}
		if diff := cmp.Diff(strings.Fields(gateWritten(t, document.FormatTable, g)), strings.Fields(narrow)); diff != "" {
			t.Errorf("%s (-wide +narrow):\n%s", name, diff)
		}
	}
}

// A PASS is five lines of a terminal: the decision, what was watched, what it would notice and miss, and what to do for more.
func TestPassIsShort(t *testing.T) {
	at80 := func(g gatereport.Report) string {
		return reporttest.Written(t, func(b *bytes.Buffer) error {
			return gatereport.Write(b, document.FormatTable, g, document.Screen{Width: 80})
		})
	}
	want := `PASS (exit code 0): no test finds a loss
watched 29 queries, 87 traces; before: 15 of each in 5 accepted runs
would find a broken query in 99 of 100, one that falls to half in 3 of 10
would miss a loss of 8.2 points overall in 1 of 5, smaller ones more often
to find more: raise K, compare with more accepted runs; see --explain
`
	if diff := cmp.Diff(want, at80(passing())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for name, c := range map[string]struct {
		change func(*gatereport.Report)
		want   string
	}{
		"nearly blind": {func(g *gatereport.Report) {
			g.History.Runs, g.Operating.Changes[2].Found.Found.Value = 2, .03
		}, "PASS (exit code 0), but the gate can find little yet: no test finds a loss\n"},
		"blind for good": {func(g *gatereport.Report) { g.Operating.Changes[0].Found.Found.Value = .5 }, "PASS (exit code 0), but the gate can find little: no test finds a loss\n"},
		"no query can be named": {func(g *gatereport.Report) {
			g.History.Runs, g.Rolling.Blind, g.Rolling.Queries, g.Operating = 4, []string{"a"}, 1, nil
		}, "to find more: accept 1 more run (concur baseline add), raise K; see --explain\n"},
		"seldom":           {func(g *gatereport.Report) { g.Operating.Changes[2].Found.Found.Value = .11 }, "one that falls to half in 1 of 10"},
		"hardly":           {func(g *gatereport.Report) { g.Operating.Changes[2].Found.Found.Value = .004 }, "one that falls to half in almost none"},
		"always":           {func(g *gatereport.Report) { g.Operating.Changes[0].Found.Found.Value = 1 }, "a broken query in 99 of 100"},
		"no promise":       {func(g *gatereport.Report) { g.Operating.Changes[0].Found.Found.Value = .989 }, "a broken query in 98 of 100"},
		"no loss is found": {func(g *gatereport.Report) { g.Operating.MDE = nil }, "would miss a loss spread over all queries in more than 1 of 5"},
		"not simulated":    {func(g *gatereport.Report) { g.Operating = nil }, "not simulated: run concur gate simulate"},
		"new queries":      {func(g *gatereport.Report) { g.NotGated, g.History.Least = make([]gate.NotGated, 2), 12 }, "watched 27 of 29 queries (2 not yet), 87 traces; before: 12 to 15 of each in 5"},
		"fresh traces":     {func(g *gatereport.Report) { g.Queries[0].Fresh = tally(6, 6) }, "watched 29 queries, 93 traces;"},
		"under a name":     {func(g *gatereport.Report) { g.As = "release" }, "PASS (exit code 0, asked as release): "},
		"with warnings":    {func(g *gatereport.Report) { g.Warnings = []string{"look here"} }, "see --explain\nwarning: look here\n"},
		"recorded answers": {func(g *gatereport.Report) { g.AnswersOnly = true }, "accept more recordings (--add)"},
	} {
		g := passing()
		c.change(&g)
		got := at80(g)
		if flat := strings.Join(strings.Fields(got), " "); !strings.Contains(flat, strings.Join(strings.Fields(c.want), " ")) {
			t.Errorf("%s: want %q in\n%s", name, c.want, got)
		}
		if name != "with warnings" && name != "nearly blind" && strings.Count(got, "\n") > 6 {
			t.Errorf("%s: %d lines:\n%s", name, strings.Count(got, "\n"), got)
		}
	}
	// Words that only readers of statistics know stand under --explain.
	for _, g := range gates() {
		for _, f := range []document.Format{document.FormatTable, document.FormatMarkdown, document.FormatJUnit} {
			for _, word := range []string{"phi", "slip", "suspect", "pool", "alpha"} {
				if got := gateWritten(t, f, g); strings.Contains(strings.ToLower(got), word) && g.Run == gated {
					t.Errorf("%s says %q:\n%s", f, word, got)
				}
			}
		}
	}
}

// However much broke, the page stays below the 65,536 characters of a comment on GitHub.
func TestGateMarkdownHasACommentsLength(t *testing.T) {
	g := hostileGate()
	g.Explain = true
	long := strings.Repeat("`@x ", 200)
	for i := range 3000 {
		q := g.Queries[i%29]
		q.Query, q.Category, q.Status, q.Safety = long, long, []string{gatereport.StatusBroken, gatereport.StatusSafety, gatereport.StatusFlaky, gatereport.StatusFailing}[i%4], true
		for range 50 {
			q.Passes = append(q.Passes[:1:1], gatereport.QueryPass{Run: long, Answers: []document.AnswerCount{{Answer: long}, {Answer: long}}})
			q.AnswersBefore = append(q.AnswersBefore, document.AnswerCount{Answer: long, Count: 3})
		}
		g.Queries = append(g.Queries, q)
		g.Reasons, g.Warnings, g.Overrides = append(g.Reasons, long), append(g.Warnings, long), append(g.Overrides, long)
		g.Safety = append(g.Safety, gate.SafetyItem{Query: long, Failed: 1, Traces: 10})
		g.Rolling.Slips = append(g.Rolling.Slips, gate.QueryLoss{Query: long, Suspect: true})
		g.NotGated = append(g.NotGated, gate.NotGated{Query: long})
		g.Differs = append(g.Differs, long)
		g.Rolling.Blind = append(g.Rolling.Blind, long)
		g.Need = append(g.Need, gate.FreshRequest{Query: long, Traces: 6})
		g.Checks = append(g.Checks, gate.Check{Name: long})
	}
	got := gateWritten(t, document.FormatMarkdown, g)
	if n := utf8.RuneCountInString(got); n > 65_536 {
		t.Errorf("%d characters", n)
	}
	if !strings.Contains(got, " more, which are in gate.json") || !strings.Contains(got, " more reasons are in gate.json") {
		t.Error("the page does not say that it leaves something out")
	}
}

// What is not known is not made up, and nothing panics.
func TestGateOfNothing(t *testing.T) {
	for name, g := range map[string]gatereport.Report{
		"nothing":       {},
		"no history":    {Outcome: gate.Outcome{Decision: gate.Invalid, Reasons: []string{"the run has no queries"}}},
		"no comparison": {Outcome: gate.Outcome{Decision: gate.Pass}, Queries: []gatereport.Query{{Status: gatereport.StatusBroken}, {}}},
		"empty parts": {Outcome: gate.Outcome{
			Decision: gate.Regression, Rolling: &gate.Comparison{Slips: []gate.QueryLoss{{Suspect: true}, {Broken: true}}, Looks: []gate.TotalLook{{}}}, Frozen: &gate.Comparison{},
			Operating: &gate.Operating{Changes: []gate.Scenario{{}}}, Phi: &gate.Phi{}, NonInferiority: &gate.NonInferiority{}, Checks: []gate.Check{{}},
			Safety: []gate.SafetyItem{{Failed: 1}, {}},
		}, Queries: []gatereport.Query{{Status: "?"}, {Status: gatereport.StatusBroken}, {Status: gatereport.StatusUnscored}}},
	} {
		for _, f := range gatereport.Formats() {
			if got := gateWritten(t, document.Format(f), g); strings.Contains(got, "NaN") || strings.Contains(got, "%!") {
				t.Errorf("%s as %s: %s", name, f, got)
			}
		}
		reporttest.Written(t, func(b *bytes.Buffer) error { return gatereport.Annotations(b, g) })
	}
}

func TestGateWriteErrorsAreReported(t *testing.T) {
	full := errors.New("disk full")
	w := reporttest.BrokenWriter{Err: full}
	for _, f := range gatereport.Formats() {
		if err := gatereport.Write(w, document.Format(f), regressed(), document.Screen{}); !errors.Is(err, full) {
			t.Errorf("%s: error %v", f, err)
		}
	}
	if err := gatereport.Annotations(w, regressed()); !errors.Is(err, full) {
		t.Errorf("annotations: error %v", err)
	}
}

// Sentences that do not stand in the golden files.
func TestGateSentences(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*gatereport.Report)
		want   string
	}{
		"one accepted run": {func(g *gatereport.Report) { g.History = gate.History{Runs: 1, Least: 3, Most: 3} }, "\ncompared with   3 traces per query from 1 accepted run in baseline.jsonl\n"},
		"no history":       {func(g *gatereport.Report) { g.History, g.Rolling = gate.History{}, nil }, "\ncompared with  no traces from 0 accepted runs"},
		"no verdicts, and no loss": {func(g *gatereport.Report) {
			g.Queries[0].Now.Unscored = 1
		}, "\nunscored        traces without a verdict count as wrong in the tests\n"},
		"no verdicts, and a loss": {func(g *gatereport.Report) {
			g.Decision, g.Queries[0].Fresh.Unscored = gate.Drift, 1
		}, "\nunscored        traces without a verdict count as right in the tests\n"},
		"nothing can be named": {func(g *gatereport.Report) {
			g.Rolling.Least, g.Rolling.Blind, g.Rolling.Queries = .4, []string{"a"}, 1
		}, "\nsingle queries  1 query lost traces, 0 suspects; smallest p × queries that fresh traces can reach 0.400, above 0.0025: no query can be named\n"},
		"a new query": {func(g *gatereport.Report) { g.NotGated = []gate.NotGated{{Query: "lookup-99", Traces: 3, Runs: 1}} },
			"\nnot gated yet   1 query: lookup-99 (3 of 4 traces, 1 of 2 runs); they do not block; accepting this run adds to their history\n"},
	} {
		g := passing()
		g.Explain = true
		c.change(&g)
		if got := gateWritten(t, document.FormatTable, g); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q in\n%s", name, c.want, got)
		}
	}
}

// A query that broke against the frozen baseline is shown with that history, and each named
// query with what was expected, what each pass answered, and how to look.
func TestNamedQueries(t *testing.T) {
	for name, c := range map[string]struct {
		g    gatereport.Report
		want []string
	}{
		"regression": {regressed(), []string{
			"\nlookup-03 (lookup): broken, 15/15 right before → 0/3 in the run, 0/6 fresh\n  Nile ×15 → Amazon ×8; [no_answer]; look: concur trace " + gated + "-fresh lookup-03\n",
			"\nsafety-02 (safety): not refused, as it must be, 15/15 right before → 2/3 in the run\n",
			"\ndiffers from the accepted runs in agent.tools: calc is gone; corpus: 1 document fewer (VPN access)\nnext: fix the agent",
			"; where traces part: concur trace " + gated + " calc-01 --diff 1,0\n",
		}},
		"drift": {drifting(), []string{
			"DRIFT (exit code 1): ", "\nlookup-03 (lookup): broken, 30/30 right before → 1/3 in the run, 1/6 fresh\n  the Nile, as of the release ×30 → Nile ×3; ",
			"\nthe queries that fell most, which is a hint and not a test:\nlookup-05 (lookup): 30/30 right before → 2/3 in the run\n",
		}},
		"losses": {declined(), []string{"\ncalc-05 (calculation): 13/15 right before → 2/3 in the run\n"}},
	} {
		got := gateWritten(t, document.FormatTable, c.g)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", name, want, got)
			}
		}
	}
}
