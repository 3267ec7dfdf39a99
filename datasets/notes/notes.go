// Package notes collects notes for the user about the guesses that were made when a file was read, and prints
// them in a few lines: the form of a table, the meaning of its columns, ids and categories that the file does
// not give, and proposed types.
package notes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/propose"
	"github.com/seed-5817661a/concur/internal/text"
)

// Notes are the notes about how one file was read. The zero value is empty.
type Notes struct {
	facts         []string
	programs      []string // which checks start
	firstID       string   // first id that was derived from a position
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
func (n *Notes) Fact(format string, args ...any) {
	n.facts = addOnce(n.facts, fmt.Sprintf(format, args...))
}

// Program notes a program that checks start, once.
func (n *Notes) Program(command string) { n.programs = addOnce(n.programs, command) }

// Doubt adds a note, once, about a guess that may be wrong; it is printed as a separate line.
func (n *Notes) Doubt(format string, args ...any) {
	n.doubts = addOnce(n.doubts, fmt.Sprintf(format, args...))
}

// Kept notes a column that becomes metadata.
func (n *Notes) Kept(name string) { n.kept = addOnce(n.kept, fmt.Sprintf("%.40q", name)) }

// addOnce appends s to list unless it is there.
func addOnce(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// IDByPlace notes an id that was derived from the position of a query.
func (n *Notes) IDByPlace(id string) {
	if n.firstID == "" {
		n.firstID = id
	}
	n.lastID = id
}

// Uncategorised notes a query without a category.
func (n *Notes) Uncategorised() { n.uncategorised = true }

// Proposed notes the type of an answer on a line.
func (n *Notes) Proposed(p propose.Proposal, raw string, line int) {
	if n.types == nil {
		n.types, n.noted = map[answer.Type]int{}, map[propose.Note]*noted{}
	}
	n.types[p.Type]++
	if p.Note == "" {
		return
	}
	if n.noted[p.Note] == nil {
		n.noted[p.Note] = &noted{example: raw, line: line}
	}
	n.noted[p.Note].count++
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

// maxPrograms is the maximum number of programs that are printed. They run with the rights of the user, so most
// datasets show all of theirs.
const maxPrograms = 20

// maxDoubts is the maximum number of doubts that are printed; the others are only counted.
const maxDoubts = 10

// Lines returns the notes; nil if the file needed no guesses. file is the file's name for commands. written is
// true if the proposals were written to a file.
func (n *Notes) Lines(file string, written bool) []string {
	var out []string
	facts := slices.Clone(n.facts)
	switch count := len(n.programs); {
	case count == 1:
		facts = append(facts, "checks start the program "+n.programs[0])
	case count > 1:
		facts = append(facts, fmt.Sprintf("checks start %d programs: %s", count, text.ListedUpTo(maxPrograms, n.programs)))
	}
	switch {
	case n.firstID != "" && n.firstID == n.lastID:
		facts = append(facts, "id "+n.firstID)
	case n.firstID != "":
		facts = append(facts, "ids "+n.firstID+" to "+n.lastID)
	}
	if n.uncategorised {
		facts = append(facts, "category all")
	}
	if len(facts) > 0 {
		out = append(out, file+": "+strings.Join(facts, ", "))
	}
	if len(n.kept) > 0 {
		out = append(out, "kept as metadata: "+text.ListedUpTo(10, n.kept))
	}
	out = append(out, n.doubts[:min(len(n.doubts), maxDoubts)]...)
	if more := len(n.doubts) - maxDoubts; more > 0 {
		out = append(out, text.Counted(more, "more note")+" of this kind")
	}
	if len(n.types) > 0 {
		var counts []string
		for _, t := range answer.Types() {
			if count := n.types[t]; count > 0 {
				counts = append(counts, text.Counted(count, thing(t)))
			}
		}
		line := "types guessed from the answers: " + strings.Join(counts, ", ")
		if !written {
			line += "; `concur datasets convert " + file + "` writes them to a file that you can edit"
		}
		out = append(out, line)
	}
	for _, a := range advice {
		if answers := n.noted[a.note]; answers != nil {
			others := ""
			if answers.count > 1 {
				others = fmt.Sprintf(", and so for %d more", answers.count-1)
			}
			out = append(out, fmt.Sprintf("%s:%d: %s %s%s; %s", file, answers.line, text.Quote(answers.example), a.note,
				others, a.text))
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
