package cite

import (
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
	"github.com/seed-5817661a/concur/trace"
)

// source is a text that can support claims: a document in the form that the agent saw, or the question.
type source struct {
	id       string
	text     string // as shown
	score    float64
	unscored bool // no tool gave it a score

	prose   string
	words   words
	divided []passage       // its sentences, computed when first needed
	stems   map[string]bool // stems of the words
	other   map[string]bool // caches whether it has a word in another spelling
	read    []fact          // its facts, computed when first needed
}

// evidence has the documents that the tools of a trace returned.
type evidence struct {
	order     []*source
	byID      map[string]*source
	frequency map[string]int // number of documents with each stem
}

// newEvidence collects documents. If a document was returned twice, its two texts are joined, because the agent
// saw both.
func newEvidence(docs []trace.Document) *evidence {
	e := &evidence{byID: map[string]*source{}, frequency: map[string]int{}}
	for _, d := range docs {
		s, known := e.byID[d.ID]
		if !known {
			s = &source{id: d.ID, unscored: true}
			e.byID[d.ID] = s
			e.order = append(e.order, s)
		}
		if !d.Unscored {
			s.score, s.unscored = max(s.score, d.Score), false
		}
		for _, part := range []string{dropEscapes(d.Title), dropEscapes(d.Snippet), dropEscapes(d.Source)} {
			if part != "" && len(s.text) < MaxDocument {
				s.text = text.Head(s.text+part, MaxDocument) + "\n\n"
			}
		}
	}
	for _, s := range e.order {
		s.tokenise()
		for t := range s.stems {
			e.frequency[t]++
		}
	}
	return e
}

func (s *source) tokenise() {
	s.prose = prose(s.text, false)
	s.words = fold(s.prose)
	s.stems, s.other = make(map[string]bool, len(s.words.tokens)), map[string]bool{}
	for _, t := range s.words.tokens {
		s.stems[stem(t)] = true
	}
}

// yearEnd matches the last day of a year.
var yearEnd = lazy.Compile(`\b(?:the )?(?:end|last day) of (\d{4})\b`)

// joined matches two dates without the dash between them. A dash can be lost when a page is converted to text:
// 23 December 1923July 5, 2005.
var joined = lazy.Compile(`\b(\d{4})([A-Z][a-z]+ \d)`)

// oneOf matches one unit or a share that is written without a number: the next year, a square metre, a
// twentieth.
var oneOf = lazy.Compile(`\b(?:an?|next|following|previous)[ -]([a-z]+)((?: [a-z]+)?)\b`)

// century matches an ordinal that has no word "century" after it. It is used for a text that has this word at
// another place, as in "built in the thirteenth century, rebuilt in the seventeenth".
var century = lazy.Compile(`\bin the ([a-z-]+(?:th|first))\b`)

// maxSourceValues is the maximum number of values that are read from one document.
const maxSourceValues = 10_000

// facts returns the facts in a source. It reads them at the first call.
func (s *source) facts() []fact {
	if s.read != nil {
		return s.read
	}
	prose := yearEnd.ReplaceAllString(knowledge().feasts.Replace(s.prose), "31 December $1")
	prose = joined.ReplaceAllString(prose, "$1 – $2")
	s.read = append([]fact{}, readFacts(prose, maxSourceValues)...)
	for i, last := range s.read[min(1, len(s.read)):] {
		if first := s.read[i]; first.Numeric() && last.Numeric() && between.MatchString(prose[first.End:last.Start]) {
			s.read = append(s.read, newFact(share(first.Value, last.Value), first.text))
		}
	}
	for _, m := range century.FindAllStringSubmatch(strings.ToLower(s.prose), maxSteps) {
		if v, err := value.Parse(m[1]+" century", value.AsDate); err == nil && s.stems[stem("century")] {
			s.read = append(s.read, newFact(v, m[0]))
		}
	}
	for _, m := range oneOf.FindAllStringSubmatch(strings.ToLower(s.prose), maxSteps) {
		for _, unit := range []string{m[1], m[1] + m[2]} {
			if v, err := value.Parse("one "+unit, value.AsQuantity); err == nil &&
				(v.Low.Unit != nil || v.Low.Fraction) {
				s.read = append(s.read, newFact(v, m[0]))
			}
		}
	}
	return s.read
}

// sources returns the documents with these ids, in the order of the ids. If there is no document with an id,
// the id is left out.
func (e *evidence) sources(ids []string) []*source {
	var out []*source
	for _, id := range ids {
		if s := e.byID[id]; s != nil {
			out = append(out, s)
		}
	}
	return out
}

// backs reports whether a source states a fact. A day and a year may be in separate places, as in a table.
func (s *source) backs(c *fact) bool {
	if slices.ContainsFunc(s.facts(), func(e fact) bool { return e.backs(c) }) {
		return true
	}
	year, isYear := c.Year()
	switch day := c.Date; {
	case c.Kind == value.Date && day.Month == 0:
		return s.hasYear(func(y int) bool { return (value.Calendar{Year: y}).Within(day) })
	case isYear:
		return s.hasYear(func(y int) bool { return y == year || c.Relation == value.Approx && c.rounds(float64(y)) })
	case c.short:
		return s.hasYear(func(y int) bool { return float64(y%100) == c.size })
	case c.Kind != value.Date || day.NoYear:
		return false
	case day.Day > 0: // for example "on Christmas Eve", in a text about the year 1968
		feast := fact{Value: c.Value}
		feast.Date.Year, feast.Date.NoYear = 0, true
		return s.hasYear(func(y int) bool { return y == day.Year }) &&
			slices.ContainsFunc(s.facts(), func(e fact) bool { return e.Date.NoYear && e.backs(&feast) })
	default:
		// "In October 1957 … the next January" means January 1958.
		month := stem(strings.ToLower(time.Month(day.Month).String()))
		return s.stems[month] && s.hasYear(func(y int) bool { return y == day.Year || y == day.Year-1 })
	}
}

// hasYear reports whether a source has a year for which fits is true, alone or in a date.
func (s *source) hasYear(fits func(year int) bool) bool {
	return slices.ContainsFunc(s.facts(), func(e fact) bool {
		y, ok := e.Year()
		if e.Kind == value.Date {
			y, ok = e.Date.Year, !e.Date.NoYear && e.Date.Years == 0
		}
		return ok && fits(y)
	})
}

// passage is a sentence of a source.
type passage struct {
	words
	content []string
}

// sentences returns the sentences of a source. It divides the source at the first call.
func (s *source) sentences() []passage {
	if s.divided == nil {
		for _, span := range text.Sentences(s.prose) {
			w := fold(span.Of(s.prose))
			s.divided = append(s.divided, passage{w, content(w)})
		}
	}
	return s.divided
}
