package cite

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// The levels of problems. An answer with an error is not grounded. A warning does not change this.
const (
	Error = "error"
	Warn  = "warn"
)

// Values of [Problem.Check]: the checks of docs/method.md §8.
const (
	CheckExists   = "C1"    // the cited document was returned in this trace
	CheckSeen     = "C2"    // it has text that was shown
	CheckQuote    = "C3"    // the source has each quotation of at least four words
	CheckNumber   = "C4"    // the source has each number, or it was calculated from numbers of the source
	CheckDate     = "C5"    // the source has each date, at the same precision or a finer one
	CheckName     = "C6"    // the source has each name
	CheckScore    = "C8"    // the source is relevant to the query
	CheckCoverage = "C9"    // the message has a citation
	CheckExcess   = "C10"   // every citation supports its claim
	CheckBound    = "bound" // the message can be audited
)

// Problem is one problem that an audit found. It has the check, the level, and a line that names the id,
// quotation, number or name. It also has the sentence, shortened. The sentence is "" if the problem is about
// the whole message.
type Problem = trace.AuditProblem

// Report is the result of an audit. A pair is a claim and an id that it cites. Citations counts the pairs,
// Valid the pairs that pass C1–C3, and OverCited the pairs that C10 reports. Precision is Valid / Citations.
// Recall is the share of Claims that are supported (ALCE; docs/method.md §8). Coverage is the share of Claims
// with citations. A figure is nil if it is undefined. Grounded is true if no problem is an error. Problems has
// at most MaxProblems entries.
//
// Claims counts the sentences that have a citation, a number, a date, a name or a quotation. The sources of the
// answer line are all documents that the message cites. The answer line counts as a claim only if the message
// has no citation and no other claim.
type Report struct {
	trace.Audit
	// Supported counts the claims that have citations, pass C1–C5, and have enough words in common with their
	// sources: at least half of their content words, weighted by idf.
	Supported int
}

// Grounding returns the counts of the report that the trace's conclusion records.
func (r Report) Grounding() trace.Grounding {
	return trace.Grounding{Claims: r.Claims, Citations: r.Citations, Valid: r.Valid, Supported: r.Supported}
}

// Complaint returns the message that asks the model for its only correction. It lists every error with its
// sentence and the id, quotation, number or name. It is "" if there are no errors.
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
		"\nGive the final answer again in the same form. Put behind each statement the id of a document that says " +
		"so, correct or leave out what no document says, and abstain if the documents do not settle the question."
}

const (
	claimRunes = 160 // maximum length of a shown sentence
	termRunes  = 80  // maximum length of a shown number, name or quotation
)

// brief shortens a text for a problem: to one line, and to a limited length.
func brief(s string, limit int) string {
	s = text.Head(s, 8*limit) // limits the work before Clip
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
