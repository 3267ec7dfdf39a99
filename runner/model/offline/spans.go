package offline

import (
	"strings"
	"sync"
)

// span is one candidate answer with the passage that it stands in.
type span struct {
	text     string
	passage  *passage
	from, to int // token range; -1, -1 for a title that the passage does not spell out
	quantity quantity
	date     date
	fit      float64 // how well its type suits, 0..1
	near     float64 // how close it stands to the question's words, 0..1
	cover    float64 // how much of the question its passage holds, 0..1
	subject  float64 // how surely the passage is about what the question names, 0..1
	score    float64
}

// candidates lists every span of a passage whose type could answer the ask.
func candidates(e *evidence, p *passage, r *reading) []span {
	switch r.want.kind {
	case wantYear, wantDate:
		return dateSpans(p, r)
	case wantNumber:
		return numberSpans(p, r)
	default:
		return nameSpans(e, p, r)
	}
}

func dateSpans(p *passage, r *reading) []span {
	var out []span
	for _, d := range dates(p.words) {
		if d.year == 0 {
			d.year = p.yearBefore()
		}
		if d.year == 0 && r.want.kind == wantYear || r.years[d.year] && d.month == 0 {
			continue
		}
		s := span{passage: p, from: d.from, to: d.to, date: d, fit: 1}
		s.text = spanText(p, d.from, d.to)
		if r.want.kind == wantYear {
			s.text = d.yearText()
		} else if d.day == 0 {
			s.fit = 0.6
		} else {
			s.text = d.dayText()
		}
		if d.side == 1 && r.concepts["born"] || d.side == 2 && r.concepts["die"] {
			s.near = 1
		}
		out = append(out, s)
	}
	return out
}

// yearBefore is the last year that the document names before a passage: what "on 31 March
// of that year" and a bare "17 April" go back to.
func (p *passage) yearBefore() int {
	year := 0
	for _, q := range p.doc.passages[:min(p.at, len(p.doc.passages))] {
		for _, d := range dates(q.words) {
			if d.year != 0 {
				year = d.year
			}
		}
	}
	return year
}

func numberSpans(p *passage, r *reading) []span {
	var out []span
	for _, q := range quantities(p.words) {
		if r.numbers[q.value] && q.unit.name == "" {
			continue
		}
		s := span{passage: p, from: q.from, to: q.to, quantity: q, text: spanText(p, q.from, q.to), fit: numberFit(p, q, r)}
		if s.fit > 0 {
			out = append(out, s)
		}
	}
	return out
}

func numberFit(p *passage, q quantity, r *reading) float64 {
	w := r.want
	switch {
	case w.dim != "":
		switch {
		case q.unit.dim != w.dim:
			return 0
		case w.unit.name != "" && q.unit.name == w.unit.name:
			return 1
		case w.unit.name != "":
			return 0.8
		}
		return 0.95
	case w.count:
		for i := q.to; i < min(q.to+4, len(p.words)); i++ {
			if concept(p.words[i].low) == concept(w.noun) {
				return 1
			}
			if p.words[i].text == "," || p.words[i].text == ";" || preposition(p.words[i].low) && p.words[i].low != "of" {
				break
			}
		}
		if q.year || q.unit.name != "" {
			return 0
		}
		return 0.35
	case q.unit.name != "" && q.unit.dim != "percent":
		if w.noun == "size" {
			return 0.7
		}
		return 0.25
	case q.year:
		return 0.3
	default:
		return 0.9
	}
}

func spanText(p *passage, from, to int) string {
	return p.text[p.words[from].start:p.words[to-1].end]
}

// nameSpans lists capitalised runs, returned titles that the passage mentions, the
// document's own title and, where a thing is asked for, short lower-case noun phrases
// beside the question's words.
func nameSpans(e *evidence, p *passage, r *reading) []span {
	var out []span
	add := func(text string, from, to int, fit float64) {
		text = strings.Trim(text, " ,.;:'\"")
		if text == "" || fit <= 0 || r.covers(text) {
			return
		}
		out = append(out, span{text: text, passage: p, from: from, to: to, fit: fit})
	}
	from, to := p.mention(p.doc.name)
	add(p.doc.name, from, to, nameFit(e, p, from, to, p.doc.name, r))
	titles := map[int]*source{} // "War and Peace" is one name where an entry has it as its title
	for _, d := range e.docs {
		if from, to := p.mention(d.name); to > from+1 && p.words[from].capital() {
			titles[from] = d
		}
	}
	for i := 0; i < len(p.words); i++ {
		if d := titles[i]; d != nil {
			from, to := p.mention(d.name)
			add(d.name, from, to, nameFit(e, p, from, to, d.name, r))
			i = to - 1
			continue
		}
		the := p.words[i].text == "The" && i > 0 && p.words[i-1].text != "." && i+1 < len(p.words) && p.words[i+1].capital()
		if !the && (!p.words[i].capital() || functionWords()[p.words[i].low]) {
			continue
		}
		end := runEnd(p.words, i)
		opener := i == 0 && end == 1 && !e.proper[p.words[i].low]
		if end == i+1 && numberWords()[p.words[i].low] != "" || opener && (r.want.class == person || r.want.class == place) {
			continue
		}
		text := spanText(p, i, end)
		if d := e.titled(strings.TrimSuffix(text, "s")); d != nil && e.titled(text) == nil { // "its Rembrandts"
			text = d.name
		}
		add(text, i, end, nameFit(e, p, i, end, text, r))
		i = end - 1
	}
	if r.want.class == person || r.want.class == place {
		return out
	}
	for _, d := range e.docs {
		if from, to := p.mention(d.name); from >= 0 && d != p.doc && !p.words[from].capital() {
			add(spanText(p, from, to), from, to, nameFit(e, p, from, to, d.name, r))
		}
	}
	if properNamed()[stem(r.want.noun)] {
		return out
	}
	return append(out, phraseSpans(p, r)...)
}

// runEnd bounds a capitalised run: words, initials and the connecting words between them,
// but not "and", which mostly joins two names.
func runEnd(w []word, i int) int {
	j := i + 1
	for j < len(w) {
		switch {
		case w[j].capital() && !functionWords()[w[j].low]:
		case w[j].text == "'" && j+2 < len(w) && w[j+1].low == "s" && w[j+2].capital() && classOf(w[j+2].low) == place: // "St. X's Hospital"
			j++
		case w[j].text == "." && len(w[j-1].text) <= 2 && j+1 < len(w) && w[j+1].capital():
		case connects(w, j) && !joinsTwo(w[j].low) && w[j].text != "'" && w[j].text != "s" && w[j].low != "a" && w[j].low != "at" && w[j].low != "with":
		default:
			return j
		}
		j++
	}
	return j
}

// phraseSpans lists lower-case noun phrases of up to three words that stand next to a word
// of the question; their type is a guess, so they fit less.
func phraseSpans(p *passage, r *reading) []span {
	var out []span
	for i := 0; i < len(p.words); i++ {
		if !plainNoun(p.words[i]) || r.concepts[concept(p.words[i].low)] {
			continue
		}
		j := i
		for j < len(p.words) && j < i+3 && plainNoun(p.words[j]) && !r.concepts[concept(p.words[j].low)] {
			j++
		}
		fit := 0.3
		if r.want.noun != "" && i > 0 && p.words[i-1].low == stem(r.want.noun) {
			fit = 0.5
		}
		out = append(out, span{text: spanText(p, i, j), passage: p, from: i, to: j, fit: fit})
		i = j - 1
	}
	return out
}

// properNamed are the things whose names are proper names, never plain nouns.
var properNamed = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`planet star moon satellite galaxy comet asteroid dwarf book novel play poem opera ballet symphony painting
		sculpture statue company battle treaty prize spacecraft mission ship symbol abbreviation language team event war`) {
		m[stem(n)] = true
	}
	return m
})

func plainNoun(w word) bool {
	return w.alpha() && !w.capital() && len(w.low) > 2 && !functionWords()[w.low] && !clauseVerbs()[w.low] && !strings.HasSuffix(w.low, "ly")
}

// titled finds the returned document of a name: by its whole title, or by a surname that
// ends exactly one title.
func (e *evidence) titled(text string) *source {
	want := fold(strings.ToLower(text))
	var partial *source
	for _, d := range e.docs {
		have := fold(strings.ToLower(d.name))
		if have == want || strings.TrimPrefix(have, "the ") == want {
			return d
		}
		if strings.HasSuffix(have, " "+want) {
			if partial != nil {
				return nil
			}
			partial = d
		}
	}
	return partial
}
