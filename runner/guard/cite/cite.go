package cite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/trace"
)

// Version names the rules of the audit, and is recorded with it: figures made under
// different versions are not comparable. The text of [Report.Complaint] belongs to it.
const Version = "cite/v9"

// Threshold is the evidence score below which a cited document is doubtful (C8).
const Threshold = 0.5

// The bounds of an audit. A message beyond one of them has an error-level problem, for
// what was not read cannot be called grounded. Of a longer document the beginning is read.
const (
	MaxMessage  = 256 << 10 // bytes of a message
	MaxValues   = 2000      // numbers and dates of a message
	MaxDocument = 256 << 10 // bytes of a document's title, snippets and source that are read
	MaxProblems = 200       // problems that a report lists; those beyond still count for Grounded
)

// Input is what an audit looks at.
type Input struct {
	Message string
	// Answer is the short answer that was read from the message, and that is scored; it
	// is audited wherever and however the message states it. Where it is "", the answer
	// line of the message is.
	Answer string
	// Documents are those that tools returned in this trace before the answer, as the
	// agent saw them. One that was returned twice may stand here twice.
	Documents []trace.Document
	// Calcs are the calculations that succeeded in this trace.
	Calcs []Calc
	// Query is the question: its numbers, dates and names need no source.
	Query string
}

// Calc is one calculation: a number that follows from evidence has it as its proof.
type Calc = trace.Calculation

// Audit holds a final message against the evidence of its trace (methods.md §8). It is
// pure and deterministic, never fails, and takes time about linear in message and
// documents.
func Audit(in Input) Report {
	if n := max(len(in.Message), len(in.Answer)); n > MaxMessage {
		return Report{Problems: []Problem{{Check: CheckBound, Level: Error, Detail: fmt.Sprintf("the message has %d bytes; at most %d are audited", n, MaxMessage)}}}
	}
	m := parseMessage(dropEscapes(in.Message), strings.TrimSpace(dropEscapes(in.Answer)), backendsOf(in.Documents))
	a := &audit{evidence: newEvidence(in.Documents), calcs: in.Calcs, effort: effort{maxEffort}, query: &source{text: cut(in.Query, MaxDocument)}}
	a.query.tokenise()
	a.weights = newWeights(a.evidence)
	cites := slices.ContainsFunc(m.claims, func(c sentence) bool { return len(c.cites) > 0 })
	if !cites && len(in.Documents) > 0 {
		return a.uncited(m)
	}
	a.checkClaims(m)
	a.checkReferences(m)
	a.checkScores()
	return a.finish()
}
