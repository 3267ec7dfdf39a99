package offline

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// article is a document from a search, divided into sentences.
type article struct {
	document
	name     string          // the title without text in parentheses
	key      string          // the name in its form for comparison; see keyOf
	title    map[string]bool // concepts of the title
	all      map[string]bool // concepts of the whole document
	person   bool            // the article calls its subject he or she
	passages []*passage
}

// passage is a sentence of an article.
type passage struct {
	article *article
	text    string
	words   []word
	at      map[string][]int     // the positions of each concept
	refers  *passage             // the previous sentence, if this one begins with a word such as "he" or "its"
	values  func() []value.Value // the values in the sentence, computed by the first call
}

// evidence has the articles of a look-up's searches.
type evidence struct {
	articles []*article
	df       map[string]int // number of articles that contain each concept
	names    map[*passage][]wordRange
	subjects []name // names in the question, and other words in it that are titles of articles
	owned    bool   // at least one subject has an article
}

// Limits on reading: sentences per article, values per sentence.
const (
	maxSentences = 40
	maxValues    = 40
)

// newArticle divides a document into sentences, and collects its concepts.
func newArticle(d document) *article {
	name, _, _ := strings.Cut(d.Title, " (")
	a := &article{document: d, name: strings.TrimSpace(name), key: keyOf(name), title: map[string]bool{},
		all: map[string]bool{}}
	for _, c := range concepts(wordsOf(d.Title)) {
		a.title[c], a.all[c] = true, true
	}
	spans := text.Sentences(d.Snippet)
	for _, span := range spans[:min(len(spans), maxSentences)] {
		p := &passage{article: a, text: span.Of(d.Snippet), at: map[string][]int{}}
		p.words = wordsOf(p.text)
		if n := len(a.passages); n > 0 && len(p.words) > 0 && words().questions[p.words[0].low] == back {
			p.refers = a.passages[n-1]
		}
		p.values = sync.OnceValue(func() []value.Value { return value.Find(p.text, maxValues) })
		for i, w := range p.words {
			a.person = a.person || i == 0 && (w.low == "he" || w.low == "she") || w.concept == "born" &&
				slices.ContainsFunc(p.words, func(x word) bool { return a.title[x.concept] })
			if w.concept != "" {
				p.at[w.concept] = append(p.at[w.concept], i)
				a.all[w.concept] = true
			}
		}
		a.passages = append(a.passages, p)
	}
	return a
}

// newEvidence collects articles, each document once.
func newEvidence(articles []*article) *evidence {
	e := &evidence{df: map[string]int{}, names: map[*passage][]wordRange{}}
	for _, a := range articles {
		if slices.ContainsFunc(e.articles, func(b *article) bool {
			return a.Title == b.Title &&
				a.Snippet == b.Snippet
		}) {
			continue
		}
		e.articles = append(e.articles, a)
		for c := range a.all {
			e.df[c]++
		}
	}
	seen := map[string]bool{} // words with a capital inside a sentence
	for _, a := range e.articles {
		for _, p := range a.passages {
			for i, w := range p.words[min(1, len(p.words)):] {
				seen[w.low] = seen[w.low] || w.capital && !strings.ContainsAny(p.text[p.words[i].End:w.Start], ".!?:")
			}
		}
	}
	for _, a := range e.articles {
		for _, p := range a.passages {
			e.names[p] = namesIn(p.text, p.words, func(name string) bool {
				capital, inside := seen[text.Fold(name)]
				return capital || len(e.titled(name)) > 0 || !inside && strings.HasPrefix(p.text, name) &&
					p.beginsWithName()
			})
		}
	}
	return e
}

// beginsWithName reports whether the first words of a passage are a name that can be the subject of the verb
// after it, as in "Dodoma is" and "Dostoevsky finished", but not in "Founded by" and "Water flows".
func (p *passage) beginsWithName() bool {
	verb := func(w word) bool { return strings.HasSuffix(w.low, "ed") || strings.HasSuffix(w.low, "ing") }
	return len(p.words) > 1 && joined(p.text, p.words, 1) && !verb(p.words[0]) &&
		(verb(p.words[1]) || strings.Contains(" is was has had ", " "+p.words[1].low+" "))
}

// keyOf returns the form of a name for comparisons.
func keyOf(name string) string {
	return strings.TrimPrefix(text.Map(name, text.DropMarks).String, "the ")
}

// titled returns the articles that have this title. If no article has it, it returns the articles whose title
// contains the name.
func (e *evidence) titled(name string) []*article {
	want := keyOf(name)
	var whole, part []*article
	for _, a := range e.articles {
		if a.key == want {
			whole = append(whole, a)
		} else if strings.Contains(" "+a.key+" ", " "+want+" ") {
			part = append(part, a)
		}
	}
	if len(whole) > 0 {
		return whole
	}
	return part
}

// weight returns the inverse document frequency of a concept among the articles. If no article contains the
// concept, it returns only a quarter of that, because the articles may use another word.
func (e *evidence) weight(c string) float64 {
	n := float64(len(e.articles))
	if e.df[c] == 0 {
		return math.Log(2+n) / 4
	}
	return math.Log(1 + (1+n)/float64(e.df[c]))
}

// demonym matches words of origin, such as Danish or Egyptian.
var demonym = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(an|ish|ese|ch|ic)$`) })

// knows reports whether the articles contain every word of a name. A word of origin, such as Danish, may have
// another form in the articles.
func (e *evidence) knows(n name) bool {
	return len(n.concepts) == 1 && demonym().MatchString(text.Fold(n.text)) ||
		!slices.ContainsFunc(n.concepts, func(c string) bool { return e.df[c] == 0 })
}

// says returns how certain it is that a passage is about a concept. It is 1 if the passage or the title of its
// article contains the concept. It is less if only the sentence to which the passage's first word refers
// contains it, and least if another sentence of the article does.
func (p *passage) says(c string) float64 {
	switch {
	case len(p.at[c]) > 0, p.article.title[c]:
		return 1
	case p.refers != nil && len(p.refers.at[c]) > 0:
		return referred
	case p.article.all[c]:
		return nearby
	}
	return 0
}

// lead is a passage that may contain the answer (last), with the passage that leads to it (first), which is nil
// if none is needed. It also has the share of the question that the two passages cover.
type lead struct {
	first, last *passage
	cover       float64
	penalty     float64
}

// says returns the larger value of the two passages.
func (l lead) says(c string) float64 {
	said := l.last.says(c)
	if l.first != nil {
		said = max(said, l.first.says(c))
	}
	return said
}

// Factors on the score of a lead:
//
//   - elsewhere: the article is not about a name of the question, but another article is.
//   - unnamed: the lead lacks a name.
//   - hopCost: there is a second passage.
//
// nearby is the value of says for a concept in another sentence of the article, and referred the value for a
// concept in the sentence to which the passage refers.
const (
	elsewhere = 0.5
	unnamed   = 0.6
	hopCost   = 0.08
	nearby    = 0.5
	referred  = 0.8
)

// score returns the share of a question's concepts that a lead contains. Rare concepts have more weight.
func (e *evidence) score(l *lead, a *question) float64 {
	penalty, way := 1.0, elsewhere
	for _, n := range e.subjects {
		own := e.titled(n.text)
		if slices.Contains(own, l.last.article) || l.first != nil && slices.Contains(own, l.first.article) {
			way = 1
		}
		missing := func(c string) bool { return len(l.last.at[c]) == 0 }
		if a.want.kind == anyName && a.want.noun != "" && l.last.article.is(a.want.noun) &&
			!slices.ContainsFunc(n.concepts, missing) {
			way = 1 // concepts can occur in another order, as in "the element named after Nicolaus Copernicus"
		}
		if !slices.ContainsFunc(n.concepts, func(c string) bool { return l.says(c) > 0 }) {
			penalty *= unnamed
		}
	}
	if e.owned {
		penalty *= way
	}
	said, total := 0.0, 1e-9
	for _, c := range a.concepts {
		total += e.weight(c)
		said += e.weight(c) * l.says(c)
	}
	l.penalty = penalty
	return penalty * said / total
}

// leads ranks every passage, alone and as the second passage after a passage that names its article. A pair of
// passages needs two attributes in the question, one for each step. It must also contain more of the question
// than each of the two articles alone. leads returns the forty best leads.
func (e *evidence) leads(a *question) []lead {
	var out []lead
	e.subjects = slices.Clone(a.called)
	for _, c := range a.cues { // some words, such as gold, are not names but have an article
		if word := a.written[c]; slices.ContainsFunc(e.articles,
			func(x *article) bool { return x.key == keyOf(word) }) {
			e.subjects = append(e.subjects, name{word, []string{c}})
		}
	}
	e.owned = slices.ContainsFunc(e.subjects, func(n name) bool { return len(e.titled(n.text)) > 0 })
	alone := map[*article]float64{}
	for _, own := range e.articles {
		for _, p := range own.passages {
			l := lead{last: p}
			l.cover = e.score(&l, a)
			alone[own] = max(alone[own], l.cover)
			out = append(out, l)
		}
	}
	best := func(x, y lead) int { return cmp.Compare(y.cover, x.cover) }
	slices.SortStableFunc(out, best)
	out = out[:min(len(out), 40)]
	if len(a.cues) < 2 {
		return out
	}
	for _, from := range slices.Clone(out) {
		for _, n := range e.names[from.last] {
			for _, to := range e.titled(n.of(from.last.text, from.last.words)) {
				for _, p := range to.passages {
					l := lead{first: from.last, last: p}
					l.cover = e.score(&l, a) - hopCost
					if to != from.last.article && l.cover > max(alone[from.last.article], alone[to]) {
						out = append(out, l)
					}
				}
			}
		}
	}
	slices.SortStableFunc(out, best)
	return out[:min(len(out), 40)]
}
