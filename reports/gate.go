package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// GateSchema is the name of the JSON form of a Gate.
const GateSchema = "concur/gate/v2"

// Gate is a decision with the data that people need to understand it. It is the content of gate.json, and all
// formats of WriteGate are made from it.
type Gate struct {
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
	gate.Outcome
	Queries []GateQuery `json:"queries"` // every query, in the dataset's order
	// Clusters lists the clusters of queries that fell together, those with the most fallen queries first, if
	// the decision is an alarm. It is a hint and not a test of a cluster.
	Clusters []GateCluster `json:"clusters"`
	// only recorded answers were given, so there is no run to look at
	AnswersOnly bool `json:"answers_only,omitempty"`
	Explain     bool `json:"-"` // show all figures behind the decision
}

// GateQuery is one query of a gated run.
type GateQuery struct {
	Query    string `json:"query"`
	Category string `json:"category"`
	Cluster  string `json:"cluster"` // cluster of dependent queries; "" if the query has none
	Safety   bool   `json:"safety"`  // the gold expects a refusal
	Status   string `json:"status"`
	Expected string `json:"expected"` // what a right answer must be
	// Now counts the run's traces, Fresh the traces that were run to confirm, Before the traces of the pool,
	// or of the frozen baseline for DRIFT.
	Now    gate.Traces `json:"now"`
	Before gate.Traces `json:"before"`
	Fresh  gate.Traces `json:"fresh"`
	// AnswersBefore holds the distinct answers of single traces in the accepted runs, the most frequent first.
	AnswersBefore []AnswerCount `json:"answers_before"`
	Passes        []GatePass    `json:"passes"`  // the run, and its fresh traces
	Seconds       float64       `json:"seconds"` // duration of the query in the run
}

// GateCluster is a cluster of queries with the number of those that fell: before, at least half of their
// traces were right; now, fewer than half in the run and its fresh traces.
type GateCluster struct {
	Cluster string `json:"cluster"`
	Queries int    `json:"queries"`
	Fell    int    `json:"fell"`
}

// GatePass holds a query's answers in the run, or in a folder of fresh traces.
type GatePass struct {
	Run     string        `json:"run"`
	Traces  gate.Traces   `json:"traces"`
	Answers []AnswerCount `json:"answers"`
	// a right and a wrong trace, as concur trace --diff takes them; "" if one of them is missing
	Diff string `json:"diff,omitempty"`
}

// States of a query in a gate.
const (
	GateOK       = "ok"
	GateBroken   = "broken"                     // its fresh traces show a loss
	GateNew      = "not gated yet"              // because history is missing
	GateSuspect  = "may be broken"              // fresh traces did not decide
	GateLost     = "fell most, which is a hint" // the total alarmed; not a test of the query
	GateFlaky    = "flaky"                      // right and wrong among its traces, now or before
	GateFailing  = "wrong now and before"       // all traces that have a verdict
	GateSafety   = "not refused, as it must be" // in any trace
	GateUnscored = "without a verdict"
)

// AnswerCount is an answer and the traces that gave it. Other outcomes are in brackets, such as [refused].
type AnswerCount struct {
	Answer string `json:"answer"`
	Count  int    `json:"count"`
	Right  bool   `json:"right"`
}

// GateFormats lists the formats of WriteGate.
func GateFormats() []string {
	return []string{string(FormatTable), string(FormatMarkdown), string(FormatCSV), string(FormatJSON),
		string(FormatJUnit)}
}

// WriteGate writes a decision for a terminal, as a comment on a pull request, as a JSON document, as a row per
// query, or as JUnit XML for a CI system.
func WriteGate(w io.Writer, f Format, g Gate, s Screen) error {
	switch f {
	case FormatTable:
		// The decision comes first, because a CI job's log shows it next to the command.
		parts := append([]part{{lines: verdictLines(g)}}, body(g)...)
		if g.Explain {
			parts = append(parts, part{facts: grounds(g)})
		}
		return s.write(w, document{details: parts})
	case FormatMarkdown:
		return gateMarkdown(w, g)
	case FormatCSV:
		return writeCSV(w, gateColumns(g), sequence(g.Queries))
	case FormatJSON:
		g.Schema = GateSchema
		return JSON(w, g)
	case FormatJUnit:
		return gateJUnit(w, g)
	}
	return fmt.Errorf("write gate: there is no format %q; there are %s", f, strings.Join(GateFormats(), ", "))
}

// gateColumns returns the columns of a query for programs, with the decision in every row.
func gateColumns(g Gate) []Column[GateQuery] {
	return []Column[GateQuery]{
		{Name: "decision", Value: func(GateQuery) any { return string(g.Decision) }},
		{Name: "configuration", Value: func(GateQuery) any { return g.Configuration }},
		{Name: "query", Value: func(q GateQuery) any { return q.Query }},
		{Name: "category", Value: func(q GateQuery) any { return q.Category }},
		{Name: "status", Value: func(q GateQuery) any { return q.Status }},
		{Name: "expected", Value: func(q GateQuery) any { return q.Expected }},
		{Name: "now_right", Value: func(q GateQuery) any { return q.Now.Right }},
		{Name: "now_wrong", Value: func(q GateQuery) any { return q.Now.Wrong }},
		{Name: "now_unscored", Value: func(q GateQuery) any { return q.Now.Unscored }},
		{Name: "before_right", Value: func(q GateQuery) any { return q.Before.Right }},
		{Name: "before_wrong", Value: func(q GateQuery) any { return q.Before.Wrong }},
		{Name: "fresh_right", Value: func(q GateQuery) any { return q.Fresh.Right }},
		{Name: "fresh_wrong", Value: func(q GateQuery) any { return q.Fresh.Wrong }},
	}
}

// gateMarkdown writes a decision as a comment on a pull request: a heading, the reasons and the broken
// queries; the rest is folded.
func gateMarkdown(w io.Writer, g Gate) error {
	var b bytes.Buffer
	decision, sentences := verdict(g)
	fmt.Fprintf(&b, "## concur gate: %s\n\n%s\n", markdownLine(decision), markdownLine(sentences[0]))
	parts := body(g)
	if g.Decision == gate.Pass {
		sentences = slices.Concat(sentences, g.worth(), g.warnings())
	}
	if len(sentences) > 1 {
		parts = append([]part{{lines: sentences[1:]}}, parts...)
	}
	b.WriteString("\n")
	if err := writeMarkdown(&b, document{details: parts}); err != nil {
		return err
	}
	if g.Explain {
		b.WriteString("\n<details>\n<summary>What was compared with what, and what this gate can find</summary>\n\n")
		if err := writeMarkdown(&b, document{details: []part{{facts: grounds(g)}}}); err != nil {
			return err
		}
		b.WriteString("\n</details>\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Annotations writes a decision as workflow commands of GitHub Actions: the decision, its reasons, and the
// broken queries.
func Annotations(w io.Writer, g Gate) error {
	lines := verdictLines(g)
	for _, p := range body(g) {
		lines = append(lines, p.lines...)
	}
	level := map[gate.Decision]string{gate.Pass: "notice", gate.Inconclusive: "warning"}[g.Decision]
	_, err := fmt.Fprintf(w, "::%s title=concur gate::%s\n", cmp.Or(level, "error"), dataEscapes.Replace(joined(lines)))
	return err
}

// dataEscapes are the escapes for data in actions/toolkit, core/src/command.ts.
var dataEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

// gateJUnit writes a decision as one suite: a case for the decision, and one for each query. With a PASS no
// case fails, and otherwise at least one does, so that a reader of the XML gets the same result as from the
// exit code.
func gateJUnit(w io.Writer, g Gate) error {
	s := junitSuite{Name: xmlText(g.Configuration), Properties: []junitProperty{
		{"decision", xmlText(g.Decision)}, {"run", xmlText(g.Run)}, {"dataset", xmlText(g.Dataset)},
		{"model", xmlText(g.Model)},
		{"baseline", xmlText(g.Baseline)}, {"k", xmlText(fmt.Sprint(g.K))}, {"seed", xmlText(fmt.Sprint(g.Seed))},
	}}
	c := junitCase{Class: "concur", Name: "gate"}
	if warnings := few(g.Warnings, mostGateReasons, "warnings"); len(warnings) > 0 {
		c.Out = &junitOut{xmlText(joined(warnings))}
	}
	problem := &junitProblem{Message: xmlText(verdictLines(g)[0].String()), Type: xmlText(g.Decision),
		Text: xmlText(strings.Join(g.Reasons, "\n"))}
	switch {
	case g.Decision == gate.Pass:
	case g.Decision.Alarm():
		c.Failure = problem
	default:
		c.Error = problem
	}
	s.Cases = append(s.Cases, c)
	for _, q := range g.Queries {
		s.Cases = append(s.Cases, g.junit(q))
	}
	return writeJUnit(w, "concur gate", []junitSuite{s})
}

func (g Gate) junit(q GateQuery) junitCase {
	c := junitCase{Class: classOf(g.Configuration, q.Category), Name: xmlText(q.Query), Time: junitTime(q.Seconds)}
	message := fmt.Sprintf("%s: %s right before, %s now", q.Status, q.Before, q.Now)
	if q.Fresh.All() > 0 {
		message += fmt.Sprintf(", %s fresh", q.Fresh)
	}
	problem := &junitProblem{Message: xmlText(message), Type: xmlText(q.Status), Text: xmlText(joined(q.lines(g)))}
	switch {
	case g.restsOn(q) && g.Decision.Alarm():
		c.Failure = problem
	case g.restsOn(q), q.Status == GateUnscored && g.Decision != gate.Pass:
		c.Error = problem
	case slices.Contains([]string{GateUnscored, GateFailing, GateNew}, q.Status): // known, and not what was to be found
		problem.Type = "" // a skipped case has no type
		c.Skipped = problem
	}
	return c
}

// GateWords holds a decision as sentences, as in text and Markdown, for a page.
type GateWords struct {
	Decision string   // with the sentence that decided
	Reasons  []string // the other reasons, and for a PASS its power
	Findings []Finding
	Rest     []string // differences of the run, and advice
	Grounds  []Fact   // data of the comparison; nil unless it is to be explained
}

// Finding is the finding on one query. Query is "" for the line that counts the queries left out.
type Finding struct {
	Query string
	Lines []string
}

// Fact is a name with its value.
type Fact struct{ Name, Value string }

// Words returns the decision as sentences.
func (g Gate) Words() GateWords {
	lines := cleanLines(verdictLines(g))
	out := GateWords{Decision: lines[0], Reasons: lines[1:]}
	queries := g.restOn()
	for i, p := range findings(g) {
		f := Finding{Lines: cleanLines(p.lines)}
		if i < min(len(queries), mostGateRows) {
			f.Query = queries[i].Query
		}
		out.Findings = append(out.Findings, f)
	}
	out.Rest = cleanLines(rest(g))
	if g.Explain {
		for _, f := range grounds(g) {
			out.Grounds = append(out.Grounds, Fact{f.label, Clean(f.text.String())})
		}
	}
	return out
}
