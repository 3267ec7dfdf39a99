package offline

import (
	"slices"
)

// reading is an ask whose hole is filled, taken apart for scoring.
type reading struct {
	text     string
	want     want
	order    []string        // concepts of the question, in order
	concepts map[string]bool // the same, as a set
	names    []name
	cues     []string        // concepts outside names and beside the type noun
	opening  string          // the preposition that opens the question, "on" of "on which river"
	asked    map[string]bool // concepts of the whole question: no answer repeats it
	years    map[int]bool
	numbers  map[string]bool
	named    map[string]bool // concepts of the names
	ranked   bool            // asks for the highest, the longest …
}

func newReading(text string, w want) *reading {
	r := &reading{text: text, want: w, order: content(text), names: namesIn(text), years: map[int]bool{}, numbers: map[string]bool{}}
	if w.noun != "" && w.kind == wantNumber && !slices.Contains(r.order, concept(w.noun)) {
		r.order = append(r.order, concept(w.noun))
	}
	r.concepts = set(r.order)
	r.named = map[string]bool{}
	for _, n := range r.names {
		for _, c := range n.concepts {
			r.named[c] = true
		}
	}
	for _, c := range r.order {
		typeNoun := w.kind == wantName && c == stem(w.noun) && relations()[c] == ""
		if !r.named[c] && !typeNoun && c != "year" && c != "date" && !(w.count && c == "number") {
			r.cues = append(r.cues, c)
		}
	}
	words := tokens(text)
	r.ranked = slices.ContainsFunc(words, func(t word) bool { return superlative(t.low) && t.low != "last" })
	if len(words) > 1 && preposition(words[0].low) {
		r.opening = words[0].low
	}
	for _, d := range dates(words) {
		r.years[d.year] = true
	}
	for _, q := range quantities(words) {
		r.numbers[q.value] = true
	}
	return r
}

// covers says whether a text says nothing that the question does not already say.
func (r *reading) covers(text string) bool {
	for _, c := range content(text) {
		if !r.concepts[c] && !r.asked[c] {
			return false
		}
	}
	return true
}
