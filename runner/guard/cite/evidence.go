package cite

import (
	"github.com/seed-5817661a/concur/runner/trace"
)

// source is a text that claims can rest on: a document as shown, or the query.
type source struct {
	id    string
	text  string // as shown
	score float64

	prose   string
	words   words
	stems   map[string]bool // of the words
	numbers []number
	dates   []date
	read    bool // whether numbers and dates have been read
}

// evidence is what the tools of a trace returned.
type evidence struct {
	order []*source
	byID  map[string]*source
}

// newEvidence merges what was returned twice: the agent saw both texts.
func newEvidence(docs []trace.Document) *evidence {
	e := &evidence{byID: map[string]*source{}}
	for _, d := range docs {
		s, known := e.byID[d.ID]
		if !known {
			s = &source{id: d.ID, score: d.Score}
			e.byID[d.ID] = s
			e.order = append(e.order, s)
		}
		s.score = max(s.score, d.Score)
		for _, part := range []string{dropEscapes(d.Title), dropEscapes(d.Snippet), dropEscapes(d.Source)} {
			if part != "" && len(s.text) < MaxDocument {
				s.text = cut(s.text+part, MaxDocument) + "\n\n"
			}
		}
	}
	for _, s := range e.order {
		s.tokenise()
	}
	return e
}

func (s *source) tokenise() {
	s.prose = prose(s.text)
	s.words = fold(s.prose)
	s.stems = make(map[string]bool, len(s.words.tokens))
	for _, t := range s.words.tokens {
		s.stems[stem(t)] = true
	}
}

// maxSourceValues bounds the values that are read from one document.
const maxSourceValues = 10_000

// readValues reads the numbers and dates of a source when they are first asked for.
func (s *source) readValues() {
	if !s.read {
		s.read = true
		s.numbers, s.dates = readValues(s.prose, maxSourceValues)
	}
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
func (s *source) backsNumber(c *number) bool {
	s.readValues()
	if y, ok := c.Year(); ok && s.hasYear(y) {
		return true
	}
	for i := range s.numbers {
		e := &s.numbers[i]
		if e.backs(c) || e.also != nil && e.also.backs(c) {
			return true
		}
	}
	return c.also != nil && s.backsNumber(c.also)
}
