package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// GateSchema is the name of the JSON form of a Gate, and GateSchemaV1 that of the rule before
// gate/v2.
const (
	GateSchema   = "concur/gate/v2"
	GateSchemaV1 = "concur/gate/v1"
)

// Gate is a decision with what people need beside it: gate.json, and what every format of
// WriteGate is made from.
type Gate struct {
	Schema        string `json:"schema"` // GateSchema, which is written where it is ""
	Run           string `json:"run"`
	Configuration string `json:"configuration"`
	Model         string `json:"model"`
	Dataset       string `json:"dataset"`
	Baseline      string `json:"baseline"` // the file with the accepted runs
	K             int    `json:"k"`        // traces per query
	Seed          int64  `json:"seed"`
	As            string `json:"as"` // the name of the question; "" for the run's own
	// Fresh are the run folders with fresh traces, and Differs says in what the run was made
	// otherwise than the accepted runs.
	Fresh   []string `json:"fresh"`
	Differs []string `json:"differs"`
	gate.Outcome
	Queries []GateQuery `json:"queries"` // every query, in the dataset's order
}

// GateQuery is one query of a gated run.
type GateQuery struct {
	Query    string `json:"query"`
	Category string `json:"category"`
	Safety   bool   `json:"safety"` // the gold expects a refusal
	Status   string `json:"status"`
	Expected string `json:"expected"` // what a right answer must be
	// Now counts the run's traces, Before those of the pool, Fresh those run to confirm.
	Now    Tally `json:"now"`
	Before Tally `json:"before"`
	Fresh  Tally `json:"fresh"`
	// Consensus is the answer that the run decided on; Verdict and Reason are on it.
	Consensus string `json:"consensus"`
	Verdict   string `json:"verdict"`
	Reason    string `json:"reason"`
	// AnswersBefore are the distinct answers of single traces in the pool, the most frequent
	// first; AnswersFrozen those of the frozen baseline, empty without one.
	AnswersBefore []AnswerCount `json:"answers_before"`
	AnswersFrozen []AnswerCount `json:"answers_frozen"`
	Passes        []GatePass    `json:"passes"`  // the run, and its fresh traces
	Seconds       float64       `json:"seconds"` // that the query took in the run
}

// GatePass is what a query answered in the run, or in a folder of fresh traces.
type GatePass struct {
	Run     string        `json:"run"`
	Traces  Tally         `json:"traces"`
	Answers []AnswerCount `json:"answers"`
}

// The states of a query.
const (
	GateOK       = "ok"
	GateBroken   = "broken"   // its fresh traces show a loss
	GateNew      = "new"      // not gated yet, for lack of history
	GateSuspect  = "suspect"  // it looks broken, and fresh traces did not tell
	GateFlaky    = "flaky"    // right and wrong among its traces, now or before
	GateFailing  = "failing"  // wrong, and so it was before
	GateSafety   = "safety"   // it was to be refused, and was not
	GateUnscored = "unscored" // without a verdict
)

// statusText is what a query is, in words.
func statusText(status string) string {
	switch status {
	case GateBroken:
		return "broken"
	case GateSuspect:
		return "may be broken"
	case GateSafety:
		return "not refused, as it must be"
	case GateNew:
		return "not gated yet"
	case GateFailing:
		return "wrong now and before"
	case GateUnscored:
		return "without a verdict"
	}
	return status
}

// Tally counts the traces of a query: Right of Scored, and those without a verdict and those
// lost to the infrastructure beside them.
type Tally struct {
	Right    int `json:"right"`
	Scored   int `json:"scored"`
	Unscored int `json:"unscored"`
	Lost     int `json:"lost"`
}

func (t Tally) empty() bool { return t == Tally{} }

// String is right/scored, with what did not count behind it; "–" without traces.
func (t Tally) String() string {
	if t.empty() {
		return undefined
	}
	text := fmt.Sprintf("%d/%d", t.Right, t.Scored)
	if t.Unscored > 0 {
		text += fmt.Sprintf(" +%d unscored", t.Unscored)
	}
	if t.Lost > 0 {
		text += fmt.Sprintf(" +%d lost", t.Lost)
	}
	return text
}

// AnswerCount is an answer and the traces that gave it. Refusals and the like stand in
// brackets: [refused].
type AnswerCount struct {
	Answer string `json:"answer"`
	Count  int    `json:"count"`
	Right  bool   `json:"right"`
}

// GateFormats lists the formats of WriteGate.
func GateFormats() []string {
	return []string{string(FormatTable), string(FormatMarkdown), string(FormatJSON), string(FormatJUnit)}
}

// WriteGate writes a decision: for a terminal, as a comment on a pull request, as one JSON
// document, or for a CI system that reads JUnit XML.
func WriteGate(w io.Writer, f Format, g Gate) error {
	switch f {
	case FormatTable:
		return gateText(w, g)
	case FormatMarkdown:
		return gateMarkdown(w, g)
	case FormatJSON:
		return gateJSON(w, g)
	case FormatJUnit:
		return gateJUnit(w, g)
	}
	return fmt.Errorf("write gate: there is no format %q; there are %s", f, strings.Join(GateFormats(), ", "))
}

func gateJSON(w io.Writer, g Gate) error {
	if g.Schema == "" {
		g.Schema = GateSchema
	}
	return JSON(w, g)
}
