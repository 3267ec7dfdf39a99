package cite

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// The levels of problems. Only an error makes an answer ungrounded.
const (
	Error = "error"
	Warn  = "warn"
)

// The checks of docs/method.md §8, as [Problem.Check] names them.
const (
	CheckExists   = "C1"    // the cited document was returned in this trace
	CheckSeen     = "C2"    // it has text that was shown
	CheckQuote    = "C3"    // a quotation of four words or more stands in the source
	CheckNumber   = "C4"    // a number stands in the source, or was calculated from such
	CheckDate     = "C5"    // a date does, at its precision or a finer one
	CheckName     = "C6"    // a name does
	CheckScore    = "C8"    // the source is relevant to the query
	CheckCoverage = "C9"    // the message cites at all
	CheckExcess   = "C10"   // no citation is idle
	CheckBound    = "bound" // the message can be audited
)

// Problem is one thing that an audit found wrong: its check and level, the sentence, cut to a readable
// length ("" where it is the whole message), and a line that names the id, quotation, number or name.
type Problem = trace.AuditProblem

// Report is the outcome of an audit. Of the figures in Audit, Citations are pairs of a claim and an id that it cites,
// Valid those that pass C1–C3, and OverCited those that C10 finds idle; Precision is Valid / Citations, and Recall
// and Coverage are the shares of the Claims that are supported (ALCE; docs/method.md §8) and that cite, nil where
// undefined. Grounded is true exactly if no problem is an error; of Problems at most MaxProblems are listed.
//
// Claims are the sentences that cite, or hold a number, date, name or quotation, but for the answer line, which rests
// on all documents that the message cites; where a message cites nothing and states nothing else, it is the claim.
type Report struct {
	trace.Audit
	// Supported counts the claims that cite, pass C1–C5, and of whose content words half, by idf weight, stand in
	// the sources.
	Supported int
}

// Grounding is what the trace's end keeps of the report.
func (r Report) Grounding() trace.Grounding {
	return trace.Grounding{Claims: r.Claims, Citations: r.Citations, Valid: r.Valid, Supported: r.Supported}
}

// Complaint is the message to the model before its one retry: every error with its sentence
// and the id, quotation, number or name. It is "" without errors.
func (r Report) Complaint() string {
	const most = 10
	var lines []string
	for _, p := range r.Problems {
		if p.Level != Error {
			continue
		}
		line := "- " + p.Detail
		if p.Claim != "" {
			line += fmt.Sprintf(" (in: %q)", p.Claim)
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return ""
	}
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], fmt.Sprintf("- and %d more", more))
	}
	return "The answer was not accepted, because its citations do not bear it out:\n" +
		strings.Join(lines, "\n") +
		"\nGive the final answer again in the same form. Put behind each statement the id of a document that says so, correct or leave out what no document says, and abstain if the documents do not settle the question."
}

const (
	claimRunes = 160 // shown of a sentence
	termRunes  = 80  // shown of a number, name or quotation
)

// brief makes text fit to stand in a problem: one line of limited length.
func brief(s string, limit int) string {
	s = text.Head(s, 8*limit) // long before spaces are squeezed
	return text.Clip(strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " "), limit+1)
}

func quoted(text string) string { return fmt.Sprintf("%q", brief(text, termRunes)) }

func bracketed(ids []string) string {
	var shown []string
	for _, id := range ids[:min(len(ids), 5)] {
		shown = append(shown, "["+brief(id, termRunes)+"]")
	}
	if len(shown) < len(ids) {
		shown = append(shown, "…")
	}
	return strings.Join(shown, ", ")
}
