package offline

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/memo"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// article is a document that a search returned, taken apart.
type article struct {
	document
	name     string          // the title without text in parentheses
	key      string          // the name as it is compared
	title    map[string]bool // concepts
	all      map[string]bool // concepts of the whole document
	person   bool            // it speaks of somebody: he, she
	passages []*passage
}

// passage is a sentence of an article.
type passage struct {
	article *article
	text    string
	words   []word
	at      map[string][]int     // the places of each concept
	refers  *passage             // the sentence before, where this one begins with "he", "its"
	values  func() []value.Value // found when first asked for
}

// evidence is what a lookup rests on: the articles that its searches returned.
type evidence struct {
	articles []*article
	df       map[string]int // how many articles hold a concept
	names    map[*passage][]run
	subjects []name // names of the question, and other words of it that are the title of an article
	owned    bool   // one of them has an article
}

// Bounds on what is read: sentences of an article, values of a sentence.
const (
	maxSentences = 40
	maxValues    = 40
)

// newArticle takes a document apart.
func newArticle(d document) *article {
	name, _, _ := strings.Cut(d.Title, " (")
	a := &article{document: d, name: strings.TrimSpace(name), key: keyOf(name), title: map[string]bool{}, all: map[string]bool{}}
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
			a.person = a.person || i == 0 && (w.low == "he" || w.low == "she") || w.concept == "born" && slices.ContainsFunc(p.words, func(x word) bool { return a.title[x.concept] })
			if w.concept != "" {
				p.at[w.concept] = append(p.at[w.concept], i)
				a.all[w.concept] = true
			}
		}
		a.passages = append(a.passages, p)
	}
	return a
}

// newEvidence joins articles, each document once.
func newEvidence(articles []*article) *evidence {
	e := &evidence{df: map[string]int{}, names: map[*passage][]run{}}
	for _, a := range articles {
		if slices.ContainsFunc(e.articles, func(b *article) bool { return a.Title == b.Title && a.Snippet == b.Snippet }) {
			continue
		}
		e.articles = append(e.articles, a)
		for c := range a.all {
			e.df[c]++
		}
	}
	seen := map[string]bool{} // whether a word stands somewhere with a capital inside a sentence
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
				return capital || len(e.titled(name)) > 0 || !inside && strings.HasPrefix(p.text, name) && p.beginsWithName()
			})
		}
	}
	return e
}

// beginsWithName says whether the first word can be the subject of a verb behind it:
// "Dodoma is", "Dostoevsky finished", not "Founded by", "Water flows".
func (p *passage) beginsWithName() bool {
	verb := func(w word) bool { return strings.HasSuffix(w.low, "ed") || strings.HasSuffix(w.low, "ing") }
	return len(p.words) > 1 && joined(p.text, p.words, 1) && !verb(p.words[0]) &&
		(verb(p.words[1]) || strings.Contains(" is was has had ", " "+p.words[1].low+" "))
}

// keyOf is the form in which names are compared.
func keyOf(name string) string {
	return strings.TrimPrefix(text.Map(name, text.DropMarks).String, "the ")
}

// titled finds the articles of a name: those of that title, else those whose title has the name among its words.
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

// weight is the inverse document frequency of a concept among the articles. One that no
// article uses keeps a quarter: the question puts it in words of its own.
func (e *evidence) weight(c string) float64 {
	n := float64(len(e.articles))
	if e.df[c] == 0 {
		return math.Log(2+n) / 4
	}
	return math.Log(1 + (1+n)/float64(e.df[c]))
}

// demonym matches words that say where something comes from: Danish, Egyptian.
var demonym = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(an|ish|ese|ch|ic)$`) })

// knows says whether the articles hold every word of a name; of one that says where
// something comes from, Danish, they may hold another form.
func (e *evidence) knows(n name) bool {
	return len(n.concepts) == 1 && demonym().MatchString(text.Fold(n.text)) || !slices.ContainsFunc(n.concepts, func(c string) bool { return e.df[c] == 0 })
}

// says is how surely a passage says a concept: itself or by its article's title, by the sentence
// that its first word refers to, else by another sentence of the article.
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

// lead is a passage that may hold the answer, with the passage of the other hop where there
// is one, and how much of the question both say.
type lead struct {
	first, last *passage
	cover       float64
	penalty     float64
}

// says joins both passages.
func (l lead) says(c string) float64 {
	said := l.last.says(c)
	if l.first != nil {
		said = max(said, l.first.says(c))
	}
	return said
}

// How much less a lead counts that goes through no name's article though there is one, and that does not say a name
// at all; what a further hop costs; how surely an article says what another of its sentences says.
const (
	elsewhere = 0.5
	unnamed   = 0.6
	hopCost   = 0.08
	nearby    = 0.5
	referred  = 0.8
)

// score is the part of the concepts of a question, weighed by their rarity, that a lead says.
func (e *evidence) score(l *lead, a *question) float64 {
	penalty, way := 1.0, elsewhere
	for _, n := range e.subjects {
		own := e.titled(n.text)
		if slices.Contains(own, l.last.article) || l.first != nil && slices.Contains(own, l.first.article) {
			way = 1
		}
		missing := func(c string) bool { return len(l.last.at[c]) == 0 }
		if a.want.kind == anyName && a.want.noun != "" && l.last.article.is(a.want.noun) && !slices.ContainsFunc(n.concepts, missing) {
			way = 1 // the element named after Nicolaus Copernicus
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

// leads ranks every passage, alone and as the second behind one that names its article. A
// second passage needs two attributes in the question, one that leads on and one that is asked
// for, and both together must say more than either article by itself. The best forty count.
func (e *evidence) leads(a *question) []lead {
	var out []lead
	e.subjects = slices.Clone(a.called)
	for _, c := range a.cues { // gold is no name, but has an article
		if word := a.written[c]; slices.ContainsFunc(e.articles, func(x *article) bool { return x.key == keyOf(word) }) {
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

// library keeps what a reader has taken apart: at every turn the traces of a run ask the same questions of the same
// documents.
type library struct {
	articles  memo.Memo[document, *article]
	questions memo.Memo[string, question]
	requests  memo.Memo[string, bool] // whether they are forbidden
}

func (l *library) article(d document) *article {
	return l.articles.Get(d, func() *article { return newArticle(d) })
}
