// Package reading collects what a person should know of how a file was read, and says it in a few lines: the form of a
// table, which columns are which, ids and categories that the file does not give, the types that were proposed. It
// imports datasets/answer, datasets/propose and internal/text.
package reading

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/propose"
	"github.com/seed-5817661a/concur/internal/text"
)

// Reading is how one file was read. The zero value has nothing to say.
type Reading struct {
	Form string // of a table that is not as the standard for CSV has it

	facts         []string
	firstID       string // of those that were given by place
	lastID        string
	uncategorised bool
	kept          []string // metadata
	doubts        []string
	types         map[answer.Type]int
	noted         map[propose.Note]*noted
}

// noted is what several answers have in common.
type noted struct {
	count   int
	example string
	line    int
}

// Fact notes something once, such as: query from "question".
func (r *Reading) Fact(format string, args ...any) {
	r.facts = once(r.facts, fmt.Sprintf(format, args...))
}

// Doubt notes once what may not be as it is meant to be, as a line of its own.
func (r *Reading) Doubt(format string, args ...any) {
	r.doubts = once(r.doubts, fmt.Sprintf(format, args...))
}

// Kept notes a column that becomes metadata.
func (r *Reading) Kept(name string) { r.kept = once(r.kept, fmt.Sprintf("%.40q", name)) }

func once(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// IDByPlace notes an id that is given by the place of a query.
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

// ways are the ways out of what notes say.
var ways = []struct{ note, way propose.Note }{
	{propose.TwoWays, "write a date as 2024-04-03, a number as 1.5"},
	{propose.Currency, "write another with its code, such as CAD 5"},
	{propose.Long, "for golds in sentences, ask a judge: --judge PROVIDER:MODEL --pass correctness"},
}

// Lines are the notes, empty where the file says everything itself. file is its name, with which commands take it;
// written says that what was proposed is written down already.
func (r *Reading) Lines(file string, written bool) []string {
	var out []string
	facts := slices.Concat(nonEmpty(r.Form), r.facts)
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
	out = append(out, r.doubts[:min(len(r.doubts), 10)]...)
	if len(r.types) > 0 {
		var counts []string
		for _, t := range answer.Types() {
			if n := r.types[t]; n > 0 {
				counts = append(counts, text.Counted(n, thing(t)))
			}
		}
		line := "types by the answers: " + strings.Join(counts, ", ")
		if !written {
			line += "; `concur datasets convert " + file + "` writes them down to change"
		}
		out = append(out, line)
	}
	for _, w := range ways {
		if n := r.noted[w.note]; n != nil {
			others := ""
			if n.count > 1 {
				others = fmt.Sprintf(", and so for %d more", n.count-1)
			}
			out = append(out, fmt.Sprintf("%s:%d: %s %s%s; %s", file, n.line, text.Quote(n.example), w.note, others,
				w.way))
		}
	}
	return out
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// thing is what an answer of a type is called.
func thing(t answer.Type) string {
	switch t {
	case answer.Percent:
		return "percentage"
	case answer.Currency:
		return "currency amount"
	}
	return string(t)
}
