package cite

import (
	"fmt"
	"strings"
)

// maxComplaints bounds the errors in one message to the model.
const maxComplaints = 10

// Complaint is the message to the model before its one retry: every error with its sentence
// and the id, quotation, number or name. It is "" without errors.
func (r Report) Complaint() string {
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
	if more := len(lines) - maxComplaints; more > 0 {
		lines = append(lines[:maxComplaints], fmt.Sprintf("- and %d more", more))
	}
	return "The answer was not accepted, because its citations do not bear it out:\n" +
		strings.Join(lines, "\n") +
		"\nGive the final answer again in the same form. Put behind each statement the id of a document that says so, correct or leave out what no document says, and abstain if the documents do not settle the question."
}

// brief makes text fit to stand in a problem: one line of limited length.
func brief(text string, limit int) string {
	text = cut(text, 8*limit) // long before spaces are squeezed
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}

const (
	claimRunes = 160 // shown of a sentence
	termRunes  = 80  // shown of a number, name or quotation
)

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
