// Package reading collects notes for the user about the guesses that were made when a file was read, and prints
// them in a few lines: the form of a table, the meaning of its columns, ids and categories that the file does
// not give, and proposed types.
package reading

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/propose"
	"github.com/seed-5817661a/concur/internal/text"
)

// Reading describes how one file was read. The zero value has no notes.
type Reading struct {
	facts         []string
	firstID       string // first id that was derived from a position
	lastID        string
	uncategorised bool
	kept          []string // names kept as metadata
	doubts        []string
	types         map[answer.Type]int
	noted         map[propose.Note]*noted
}

// noted counts the answers with the same note.
type noted struct {
	count   int
	example string
	line    int
}

// Fact adds a note, once, such as: query from "question".
func (r *Reading) Fact(format string, args ...any) {
	r.facts = addOnce(r.facts, fmt.Sprintf(format, args...))
}

// Doubt adds a note, once, about a guess that may be wrong; it is printed as a separate line.
func (r *Reading) Doubt(format string, args ...any) {
	r.doubts = addOnce(r.doubts, fmt.Sprintf(format, args...))
}

// Kept notes a column that becomes metadata.
func (r *Reading) Kept(name string) { r.kept = addOnce(r.kept, fmt.Sprintf("%.40q", name)) }

// addOnce appends s to list unless it is there.
func addOnce(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// IDByPlace notes an id that was derived from the position of a query.
func (r *Reading) IDByPlace(id string) {
	if r.firstID == "" {
		r.firstID = id
	}
	r.lastID = id
}

// Uncategorised notes a query without a category.
func (r *Reading) Uncategorised() { r.uncategorised = true }

// Proposed notes the type of an answer on a line.
func (r *Reading) Proposed(p propose.Proposal, raw string, line int) {
	if r.types == nil {
		r.types, r.noted = map[answer.Type]int{}, map[propose.Note]*noted{}
	}
	r.types[p.Type]++
	if p.Note == "" {
		return
	}
	if r.noted[p.Note] == nil {
		r.noted[p.Note] = &noted{example: raw, line: line}
	}
	r.noted[p.Note].count++
}

// advice says what to do about each note, in the order of printing.
var advice = []struct {
	note propose.Note
	text string
}{
	{propose.TwoWays, "write a date as 2024-04-03, a number as 1.5"},
	{propose.NoCode, "write the amount with its code, such as JPY 5"},
	{propose.SeveralCurrencies, "write another with its code, such as CAD 5"},
	{propose.Long, "for golds in sentences, ask a judge: --judge PROVIDER:MODEL --pass correctness"},
}

// maxDoubts is the maximum number of doubts that are printed; the others are only counted.
const maxDoubts = 10

// Lines returns the notes; nil if the file needed no guesses. file is the file's name for commands. written is
// true if the proposals were written to a file.
func (r *Reading) Lines(file string, written bool) []string {
	var out []string
	facts := slices.Clone(r.facts)
	switch {
	case r.firstID != "" && r.firstID == r.lastID:
		facts = append(facts, "id "+r.firstID)
	case r.firstID != "":
		facts = append(facts, "ids "+r.firstID+" to "+r.lastID)
	}
	if r.uncategorised {
		facts = append(facts, "category all")
	}
	if len(facts) > 0 {
		out = append(out, file+": "+strings.Join(facts, ", "))
	}
	if len(r.kept) > 0 {
		out = append(out, "kept as metadata: "+text.ListedUpTo(10, r.kept))
	}
	out = append(out, r.doubts[:min(len(r.doubts), maxDoubts)]...)
	if more := len(r.doubts) - maxDoubts; more > 0 {
		out = append(out, text.Counted(more, "more note")+" of this kind")
	}
	if len(r.types) > 0 {
		var counts []string
		for _, t := range answer.Types() {
			if n := r.types[t]; n > 0 {
				counts = append(counts, text.Counted(n, thing(t)))
			}
		}
		line := "types guessed from the answers: " + strings.Join(counts, ", ")
		if !written {
			line += "; `concur datasets convert " + file + "` writes them to a file that you can edit"
		}
		out = append(out, line)
	}
	for _, a := range advice {
		if n := r.noted[a.note]; n != nil {
			others := ""
			if n.count > 1 {
				others = fmt.Sprintf(", and so for %d more", n.count-1)
			}
			out = append(out, fmt.Sprintf("%s:%d: %s %s%s; %s", file, n.line, text.Quote(n.example), a.note, others,
				a.text))
		}
	}
	return out
}

// thing returns the name of a type's answers.
func thing(t answer.Type) string {
	switch t {
	case answer.Percent:
		return "percentage"
	case answer.Currency:
		return "currency amount"
	}
	return string(t)
}
