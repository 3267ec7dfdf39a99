package offline

import (
	"math"
	"sort"
	"strings"
)

// passage is one sentence of a document.
type passage struct {
	doc      *source
	text     string
	words    []word
	at       int // position in the document
	concepts map[string][]int
}

// maxWords bounds what is read of one sentence; the work per sentence grows faster than its
// length.
const maxWords = 150

// source is a document cut into passages.
type source struct {
	document
	name     string // the title without a bracketed qualifier
	title    map[string]bool
	all      map[string]bool
	passages []*passage
	isA      map[string]bool // type nouns that its text gives the title
}

// evidence is what one lookup may use, with document frequencies for weighing words.
type evidence struct {
	docs []*source
	df   map[string]int
	// proper holds the words that stand capitalised inside a sentence or a title; another
	// word that opens a sentence is no name.
	proper map[string]bool
	at     int // messages that it took
}

func newEvidence(docs []document, at int) *evidence {
	e := &evidence{df: map[string]int{}, proper: map[string]bool{}, at: at}
	seen := map[string]bool{}
	for _, d := range docs {
		if seen[d.ID] {
			continue
		}
		seen[d.ID] = true
		s := newSource(d)
		e.docs = append(e.docs, s)
		for c := range s.all {
			e.df[c]++
		}
		for _, w := range tokens(s.name) {
			e.proper[w.low] = true
		}
		for _, p := range s.passages {
			for i, w := range p.words {
				if i > 0 && w.capital() {
					e.proper[w.low] = true
				}
			}
		}
	}
	return e
}

func newSource(d document) *source {
	name, _, _ := strings.Cut(d.Title, " (")
	s := &source{document: d, name: strings.TrimSpace(name), all: map[string]bool{}, isA: map[string]bool{}}
	s.title = set(content(s.name))
	for _, c := range content(d.Title) {
		s.all[c] = true
	}
	for _, text := range sentences(d.Snippet) {
		p := &passage{doc: s, text: text, words: tokens(text), at: len(s.passages), concepts: map[string][]int{}}
		if len(p.words) > maxWords {
			p.words = p.words[:maxWords]
		}
		for j, w := range p.words {
			if !w.alpha() && !w.number() || functionWords()[w.low] {
				continue
			}
			c := concept(strings.ReplaceAll(w.low, ",", ""))
			p.concepts[c] = append(p.concepts[c], j)
			s.all[c] = true
			for _, part := range strings.Split(w.low, "-") { // "Franco-Dutch" also speaks of the Dutch
				if w.capital() && part != w.low && part != "" && !functionWords()[part] {
					p.concepts[concept(part)] = append(p.concepts[concept(part)], j)
					s.all[concept(part)] = true
				}
			}
		}
		p.speakPlainly()
		s.passages = append(s.passages, p)
	}
	s.classify()
	return s
}

// speakPlainly adds the concepts of the plain verbs that the passage's set phrases stand
// for: "came into the world" also speaks of being born.
func (p *passage) speakPlainly() {
	for _, i := range idioms() {
		loc := i.in(p.text, p.words)
		if loc == nil {
			continue
		}
		at := sort.Search(len(p.words)-1, func(j int) bool { return p.words[j].start >= loc[0] })
		for _, c := range content(i.past) {
			p.concepts[c] = append(p.concepts[c], at)
			p.doc.all[c] = true
		}
	}
}

// classify collects the type nouns that the text ties to the title: in the bracket of the
// title, and in a sentence that names it, within a few words ("X, the chief city of …").
func (s *source) classify() {
	if _, q, ok := strings.Cut(s.Title, " ("); ok {
		s.nouns(tokens(q))
	}
	s.nouns(tokens(s.name))
	for _, p := range s.passages {
		if p.at > 0 && len(p.words) > 1 && p.words[0].low == "the" {
			s.nouns(p.words[1:2]) // "The element …" goes on about the title
		}
		from, to := p.mention(s.name)
		if from < 0 && p.at > 0 {
			continue
		}
		if from < 0 { // the first sentence speaks of the title even where it does not name it
			s.nouns(p.words[:min(len(p.words), 24)])
			continue
		}
		s.nouns(p.words[max(0, from-6):from])
		s.nouns(p.words[to:min(len(p.words), to+12)])
	}
}

func (s *source) nouns(w []word) {
	for _, t := range w {
		if c := classOf(t.low); c != anything {
			s.isA[stem(t.low)] = true
		}
	}
}

// class is the class that most of a source's type nouns have, anything where none leads.
func (s *source) class() class {
	votes := map[class]int{}
	for n := range s.isA {
		votes[typeNouns()[n]]++
	}
	if own := classOfName(s.name); own != anything {
		votes[own] += 3
	}
	if s.lives() {
		votes[person] += 3
	}
	if !personal(s.name) {
		votes[person] = 0
	}
	best := anything
	for _, c := range []class{person, place, thing} {
		if votes[c] > votes[best] {
			best = c
		}
	}
	return best
}

// lives says whether a source tells a life: its title may be a person's name and the text
// speaks of him or her.
func (s *source) lives() bool {
	if !personal(s.name) || !s.all["born"] && !s.all["die"] && !s.all["marry"] && !s.all["teach"] {
		return false
	}
	for _, p := range s.passages {
		for _, w := range p.words {
			if w.low == "he" || w.low == "his" || w.low == "she" || w.low == "her" {
				return true
			}
		}
	}
	return false
}

// personal says whether a name may be a person's: no digits, no article, no type noun of
// another class, no conjunction.
func personal(name string) bool {
	w := tokens(name)
	for i, t := range w {
		if t.number() || t.low == "and" || i == 0 && t.low == "the" {
			return false
		}
		if c := classOf(t.low); c != anything && c != person {
			return false
		}
	}
	return len(w) > 0
}

// mention finds a name in a passage by its words, whole or, for a longer name, its last word.
func (p *passage) mention(name string) (from, to int) {
	n := tokens(strings.ToLower(name))
	if len(n) == 0 {
		return -1, -1
	}
	for i := 0; i+len(n) <= len(p.words); i++ {
		hit := true
		for j := range n {
			if fold(p.words[i+j].low) != fold(n[j].low) {
				hit = false
				break
			}
		}
		if hit {
			return i, i + len(n)
		}
	}
	return -1, -1
}

// weight is the inverse document frequency of a concept within this evidence, smoothed;
// a concept that occurs nowhere weighs most.
func (e *evidence) weight(concept string) float64 {
	return math.Log(1 + float64(len(e.docs)+1)/float64(e.df[concept]+1))
}

// name is a capitalised run, a quoted title or a bare year in a question: something that
// the evidence must mention.
type name struct {
	text     string
	concepts []string
	soft     bool // an adjective of origin or a number: its absence is no proof
}

// namesIn finds the names in a filled question.
func namesIn(text string) []name {
	var out []name
	w := tokens(text)
	for i := 0; i < len(w); i++ {
		start := i
		switch {
		case w[i].text == `"`:
			end := nameEnd(w, i)
			if end <= i+2 {
				continue
			}
			i = end - 1
			out = append(out, newName(text[w[start].end:w[end-1].start]))
			continue
		case w[i].capital() && !(functionWords()[w[i].low] || auxiliaries()[w[i].low] || i == 0 && sentenceOpener(w[i].low)):
		default:
			continue
		}
		end := start
		for end < len(w) && (w[end].capital() && !(functionWords()[w[end].low]) || w[end].number() || connects(w, end) && !joinsTwo(w[end].low)) {
			end++
		}
		if end == start {
			continue
		}
		i = end - 1
		out = append(out, newName(text[w[start].start:w[end-1].end]))
	}
	return out
}

func joinsTwo(low string) bool {
	return low == "and" || low == "to" || low == "in" || low == "for" || low == "on"
}

func sentenceOpener(low string) bool {
	switch low {
	case "convert", "express", "add", "subtract", "divide", "multiply", "take", "suppose", "between", "before", "if":
		return true
	}
	return anchors()[low] || strings.HasSuffix(low, "ing") || preposition(low) || clauseVerbs()[low] || classOf(low) != anything || concept(low) != stem(low)
}

func newName(text string) name {
	n := name{text: text, concepts: content(text)}
	if len(n.concepts) == 1 {
		n.soft = demonym(n.concepts[0]) || months()[strings.ToLower(text)] > 0
	}
	return n
}

func demonym(low string) bool {
	for _, suffix := range []string{"ian", "ish", "ese", "ican", "ean", "ench", "utch", "eek", "erman", "oman", "wiss"} {
		if strings.HasSuffix(low, suffix) {
			return true
		}
	}
	return false
}

// otherNumber says that a numbered name ("Apollo 11") carries a number that a document lacks.
func (n name) otherNumber(s *source) bool {
	for _, c := range n.concepts {
		if c[0] >= '0' && c[0] <= '9' && !s.all[c] {
			return true
		}
	}
	return false
}

// joined puts "A and B" back together where a document has both as its title.
func (e *evidence) joined(r *reading) []name {
	var out []name
	for _, n := range r.names {
		if k := len(out) - 1; k >= 0 {
			both := out[k].text + " and " + n.text
			if strings.Contains(r.text, both) && e.titled(both) != nil {
				out[k] = newName(both)
				continue
			}
		}
		out = append(out, n)
	}
	return out
}

// known says whether some document mentions every hard name of the question.
func (e *evidence) known(names []name) bool {
	for _, n := range names {
		if n.soft || len(n.concepts) == 0 {
			continue
		}
		best := 0.0
		for _, d := range e.docs {
			best = max(best, d.share(n))
		}
		if best < minName {
			return false
		}
	}
	return true
}

// share is the part of a name's words that a document holds.
func (s *source) share(n name) float64 {
	hit := 0
	for _, c := range n.concepts {
		if s.all[c] {
			hit++
		}
	}
	return float64(hit) / float64(max(1, len(n.concepts)))
}
