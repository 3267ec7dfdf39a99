package cite

import (
	"slices"

	"github.com/seed-5817661a/concur/runner/trace"
)

// source is a text that claims can rest on: a document as shown, or the query.
type source struct {
	id    string
	text  string
	score float64

	folded  folded
	tokens  map[string]bool // stems of the folded tokens
	numbers []number
	dates   []date
	read    bool // whether numbers and dates have been read
}

// evidence is what the tools of a trace returned.
type evidence struct {
	order []*source
	byID  map[string]*source
	units *units
}

// newEvidence merges what was returned twice: the agent saw both texts.
func newEvidence(docs []trace.Document, u *units) *evidence {
	e := &evidence{byID: map[string]*source{}, units: u}
	for _, d := range docs {
		s, known := e.byID[d.ID]
		if !known {
			s = &source{id: d.ID, score: d.Score}
			e.byID[d.ID] = s
			e.order = append(e.order, s)
		}
		s.score = max(s.score, d.Score)
		for _, part := range []string{dropEscapes(d.Title), dropEscapes(d.Snippet), dropEscapes(d.Source)} {
			if part != "" && len(s.text)+len(part) <= MaxDocument {
				s.text += part + "\n\n"
			} else if part != "" && len(s.text) < MaxDocument {
				s.text += part[:runeStart(part, min(len(part), MaxDocument-len(s.text)))]
			}
		}
	}
	for _, s := range e.order {
		s.tokenise()
	}
	return e
}

func (s *source) tokenise() {
	s.folded = fold(s.text)
	s.tokens = make(map[string]bool, len(s.folded.tokens))
	for _, t := range s.folded.tokens {
		s.tokens[stem(t)] = true
	}
}

// maxSourceValues bounds the numbers, and the dates, that are read from one document.
const maxSourceValues = 5_000

// values reads the numbers and dates of a source when they are first asked for.
func (s *source) values(u *units) {
	if s.read {
		return
	}
	s.read = true
	text := prose(s.text)
	found, rest := dates(text, maxSourceValues)
	s.dates = found
	s.numbers = u.numbers(rest, maxSourceValues)
}

// sources gives the documents of the ids, in their order, those that exist.
func (e *evidence) sources(ids []string) []*source {
	var out []*source
	for _, id := range ids {
		if s := e.byID[id]; s != nil {
			out = append(out, s)
		}
	}
	return out
}

// backsNumber reports whether a source states a number.
func (s *source) backsNumber(c number, u *units) bool {
	s.values(u)
	if y, ok := c.year(); ok && s.hasYear(y) {
		return true
	}
	if c.also != nil && s.backsNumber(*c.also, u) {
		return true
	}
	for i := range s.numbers {
		e := &s.numbers[i]
		if e.backs(c) || e.also != nil && e.also.backs(c) {
			return true
		}
	}
	return false
}

func (s *source) hasYear(y int) bool {
	return slices.ContainsFunc(s.dates, func(d date) bool { return !d.noYear && d.span == 0 && d.year == y })
}

// backsDate reports whether a source states a date, at its precision or a finer one. A
// day and a year that stand apart, as in a table, count together.
func (s *source) backsDate(c date, u *units) bool {
	s.values(u)
	if slices.ContainsFunc(s.dates, func(d date) bool { return d.implies(c) }) {
		return true
	}
	if !c.noYear && c.month == 0 || c.span > 0 {
		return slices.ContainsFunc(s.numbers, func(n number) bool {
			y, ok := n.year()
			return ok && date{year: y}.implies(c)
		})
	}
	if c.day == 0 || c.noYear {
		return false
	}
	partial := date{month: c.month, day: c.day, noYear: true}
	whole := slices.ContainsFunc(s.dates, func(d date) bool { return d.noYear && d.implies(partial) })
	return whole && s.backsDate(date{year: c.year}, u)
}
