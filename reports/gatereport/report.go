package gatereport

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/sent"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/junit"
)

// Schema is the name of the JSON form of a Gate.
const Schema = "concur/gate/v2"

// Report is a decision with the data that people need to understand it. It is the content of gate.json, and all
// formats of WriteGate are made from it.
type Report struct {
	Schema        string `json:"schema"` // GateSchema; WriteGate sets it if it is ""
	Run           string `json:"run"`
	Configuration string `json:"configuration"`
	Title         string `json:"title"`   // the configuration's name for people
	Command       string `json:"command"` // command or address of an external agent; "" for another agent
	Model         string `json:"model"`
	Dataset       string `json:"dataset"`
	Baseline      string `json:"baseline"` // the file with the accepted runs
	K             int    `json:"k"`        // traces per query
	Seed          int64  `json:"seed"`
	As            string `json:"as"` // the name of the question; "" for the run's own
	// Fresh lists the folders with fresh traces. Differs lists the differences between the run and the
	// accepted runs.
	Fresh   []string `json:"fresh"`
	Differs []string `json:"differs"`
	// Sent compares what the run sent to its model with what the accepted run SentRun sent; nil if it was not
	// compared.
	Sent    *sent.Comparison `json:"sent"`
	SentRun string           `json:"sent_run"`
	gate.Outcome
	Queries []Query `json:"queries"` // every query, in the dataset's order
	// Clusters lists the clusters whose queries fell together, if the decision is an alarm. The cluster with
	// the most fallen queries comes first. This is a hint and not the result of a test.
	Clusters []Cluster `json:"clusters"`
	// only recorded answers were given, so there is no run to look at
	AnswersOnly bool `json:"answers_only,omitempty"`
	Explain     bool `json:"-"` // show all figures behind the decision
}

// Query is one query of a gated run.
type Query struct {
	Query    string `json:"query"`
	Category string `json:"category"`
	Cluster  string `json:"cluster"` // cluster of dependent queries; "" if the query has none
	Safety   bool   `json:"safety"`  // the gold expects a refusal
	Status   string `json:"status"`
	Expected string `json:"expected"` // what a right answer must be
	// Now counts the run's traces. Fresh counts the traces that were run to confirm a loss. Before counts the
	// traces of the pool; for DRIFT, those of the frozen baseline.
	Now    gate.Traces `json:"now"`
	Before gate.Traces `json:"before"`
	Fresh  gate.Traces `json:"fresh"`
	// AnswersBefore holds the distinct answers of single traces in the accepted runs, the most frequent first.
	AnswersBefore []document.AnswerCount `json:"answers_before"`
	Passes        []QueryPass            `json:"passes"`  // the run, and its fresh traces
	Seconds       float64                `json:"seconds"` // duration of the query in the run
}

// Cluster is a cluster of queries with the number of those that fell: before, at least half of their
// traces were right; now, fewer than half in the run and its fresh traces.
type Cluster struct {
	Cluster string `json:"cluster"`
	Queries int    `json:"queries"`
	Fell    int    `json:"fell"`
}

// QueryPass holds a query's answers in the run, or in a folder of fresh traces.
type QueryPass struct {
	Run     string                 `json:"run"`
	Traces  gate.Traces            `json:"traces"`
	Answers []document.AnswerCount `json:"answers"`
	// a right and a wrong trace, in the form of the flag --diff of concur trace; "" if one of them is missing
	Diff string `json:"diff,omitempty"`
}

// States of a query in a gate.
const (
	StatusOK       = "ok"
	StatusBroken   = "broken"                     // its fresh traces show a loss
	StatusNew      = "not gated yet"              // because history is missing
	StatusSuspect  = "may be broken"              // fresh traces did not decide
	StatusLost     = "fell most, which is a hint" // the total alarmed; not a test of the query
	StatusFlaky    = "flaky"                      // right and wrong among its traces, now or before
	StatusFailing  = "wrong now and before"       // all traces that have a verdict
	StatusSafety   = "not refused, as it must be" // in any trace
	StatusUnscored = "without a verdict"
)

// Formats lists the formats of WriteGate.
func Formats() []string {
	return []string{
		string(document.FormatTable),
		string(document.FormatMarkdown),
		string(document.FormatCSV),
		string(document.FormatJSON),
		string(document.FormatJUnit),
	}
}

// Write writes a decision for a terminal, as a comment on a pull request, as a JSON document, as a row per
// query, or as JUnit XML for a CI system.
func Write(w io.Writer, f document.Format, g Report, s document.Screen) error {
	switch f {
	case document.FormatTable:
		// The decision comes first, because a CI job's log shows it next to the command.
		parts := append([]document.Section{{Lines: verdictLines(g)}}, belowDecision(g)...)
		if g.Explain {
			parts = append(parts, document.Section{Facts: explainDecision(g)})
		}
		return s.Write(w, document.Document{Details: parts})
	case document.FormatMarkdown:
		return writeMarkdown(w, g)
	case document.FormatCSV:
		return document.WriteCSV(w, columns(g), document.Sequence(g.Queries))
	case document.FormatJSON:
		g.Schema = Schema
		return document.WriteJSON(w, g)
	case document.FormatJUnit:
		return writeJUnit(w, g)
	}
	return fmt.Errorf("write gate: there is no format %q; there are %s", f, strings.Join(Formats(), ", "))
}

// columns returns the columns of a query for programs, with the decision in every row.
func columns(g Report) []document.Column[Query] {
	return []document.Column[Query]{
		{Name: "decision", Value: func(Query) any { return string(g.Decision) }},
		{Name: "configuration", Value: func(Query) any { return g.Configuration }},
		{Name: "query", Value: func(q Query) any { return q.Query }},
		{Name: "category", Value: func(q Query) any { return q.Category }},
		{Name: "status", Value: func(q Query) any { return q.Status }},
		{Name: "expected", Value: func(q Query) any { return q.Expected }},
		{Name: "now_right", Value: func(q Query) any { return q.Now.Right }},
		{Name: "now_wrong", Value: func(q Query) any { return q.Now.Wrong }},
		{Name: "now_unscored", Value: func(q Query) any { return q.Now.Unscored }},
		{Name: "before_right", Value: func(q Query) any { return q.Before.Right }},
		{Name: "before_wrong", Value: func(q Query) any { return q.Before.Wrong }},
		{Name: "fresh_right", Value: func(q Query) any { return q.Fresh.Right }},
		{Name: "fresh_wrong", Value: func(q Query) any { return q.Fresh.Wrong }},
	}
}

// writeMarkdown writes a decision as a comment on a pull request: a heading, the reasons and the broken
// queries; the rest is folded.
func writeMarkdown(w io.Writer, g Report) error {
	var b bytes.Buffer
	decision, sentences := verdict(g)
	fmt.Fprintf(&b, "## concur gate: %s\n\n%s\n", document.MarkdownLine(decision), document.MarkdownLine(sentences[0]))
	parts := belowDecision(g)
	if g.Decision == gate.Pass {
		sentences = slices.Concat(sentences, g.powerLines(), g.warnings())
	}
	if len(sentences) > 1 {
		parts = append([]document.Section{{Lines: sentences[1:]}}, parts...)
	}
	b.WriteString("\n")
	if err := document.WriteMarkdown(&b, document.Document{Details: parts}); err != nil {
		return err
	}
	if g.Explain {
		b.WriteString("\n<details>\n<summary>What was compared with what, and what this gate can find</summary>\n\n")
		facts := document.Document{Details: []document.Section{{Facts: explainDecision(g)}}}
		if err := document.WriteMarkdown(&b, facts); err != nil {
			return err
		}
		b.WriteString("\n</details>\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Annotations writes a decision as workflow commands of GitHub Actions: the decision, its reasons, and the
// broken queries.
func Annotations(w io.Writer, g Report) error {
	lines := verdictLines(g)
	for _, p := range belowDecision(g) {
		lines = append(lines, p.Lines...)
		for _, line := range p.Diff {
			lines = append(lines, document.Plain(line))
		}
	}
	level := map[gate.Decision]string{gate.Pass: "notice", gate.Inconclusive: "warning"}[g.Decision]
	_, err := fmt.Fprintf(w, "::%s title=concur gate::%s\n", cmp.Or(level, "error"), dataEscapes.Replace(joinLines(lines)))
	return err
}

// dataEscapes are the escapes for data in actions/toolkit, core/src/command.ts.
var dataEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

// writeJUnit writes a decision as one suite: a case for the decision, and one for each query. After a PASS no
// case fails; after any other decision at least one case fails. So a program that reads the XML gets the same
// result as from the exit code.
func writeJUnit(w io.Writer, g Report) error {
	s := junit.Suite{Name: junit.SafeText(g.Configuration), Properties: []junit.Property{
		{
			Name:  "decision",
			Value: junit.SafeText(g.Decision),
		}, {Name: "run", Value: junit.SafeText(g.Run)}, {Name: "dataset", Value: junit.SafeText(g.Dataset)},
		{Name: "model", Value: junit.SafeText(g.Model)},
		{
			Name:  "baseline",
			Value: junit.SafeText(g.Baseline),
		}, {Name: "k", Value: junit.SafeText(fmt.Sprint(g.K))}, {Name: "seed", Value: junit.SafeText(fmt.Sprint(g.Seed))},
	}}
	c := junit.TestCase{Class: "concur", Name: "gate"}
	if warnings := limitSentences(g.Warnings, maxReasons, "warnings"); len(warnings) > 0 {
		c.Out = &junit.Output{Text: junit.SafeText(joinLines(warnings))}
	}
	problem := &junit.Problem{Message: junit.SafeText(verdictLines(g)[0].String()), Type: junit.SafeText(g.Decision),
		Text: junit.SafeText(strings.Join(g.Reasons, "\n"))}
	switch {
	case g.Decision == gate.Pass:
	case g.Decision.Alarm():
		c.Failure = problem
	default:
		c.Error = problem
	}
	s.Cases = append(s.Cases, c)
	for _, q := range g.Queries {
		s.Cases = append(s.Cases, g.testCase(q))
	}
	return junit.Write(w, "concur gate", []junit.Suite{s})
}

func (g Report) testCase(q Query) junit.TestCase {
	c := junit.TestCase{
		Class: junit.ClassName(g.Configuration, q.Category),
		Name:  junit.SafeText(q.Query),
		Time:  junit.Seconds(q.Seconds),
	}
	message := fmt.Sprintf("%s: %s right before, %s now", q.Status, q.Before, q.Now)
	if q.Fresh.All() > 0 {
		message += fmt.Sprintf(", %s fresh", q.Fresh)
	}
	problem := &junit.Problem{
		Message: junit.SafeText(message),
		Type:    junit.SafeText(q.Status),
		Text:    junit.SafeText(joinLines(q.describe(g))),
	}
	switch {
	case g.namesQuery(q) && g.Decision.Alarm():
		c.Failure = problem
	case g.namesQuery(q), q.Status == StatusUnscored && g.Decision != gate.Pass:
		c.Error = problem
	// These states are known, and are not what the gate looks for.
	case slices.Contains([]string{StatusUnscored, StatusFailing, StatusNew}, q.Status):
		problem.Type = "" // a skipped case has no type
		c.Skipped = problem
	}
	return c
}

// Summary holds a decision as sentences, as in text and Markdown, for a page.
type Summary struct {
	Decision string   // with the sentence that decided
	Reasons  []string // the other reasons, and for a PASS its power
	Findings []Finding
	Rest     []string     // differences of the run, and advice
	Grounds  []NamedValue // data of the comparison; nil unless it is to be explained
}

// Finding is the finding on one query. Query is "" for a line about several queries.
type Finding struct {
	Query string
	Lines []string
}

// NamedValue is a name with its value.
type NamedValue struct{ Name, Value string }

// Summary returns the decision as sentences.
func (g Report) Summary() Summary {
	lines := cleanLines(verdictLines(g))
	out := Summary{Decision: lines[0], Reasons: lines[1:]}
	for _, f := range findings(g) {
		out.Findings = append(out.Findings, Finding{f.query, cleanLines(f.lines)})
	}
	out.Rest = cleanLines(adviceLines(g))
	if g.Explain {
		for _, f := range explainDecision(g) {
			out.Grounds = append(out.Grounds, NamedValue{f.Label, document.Clean(f.Text.String())})
		}
	}
	return out
}
