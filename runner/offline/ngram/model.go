package ngram

import (
	"sync"

	"github.com/seed-5817661a/concur/datasets"
)

// Name is the model's name below its provider, and Version changes when its probabilities could change.
const (
	Name    = "ngram"
	Version = "ngram 1"
)

// FullName is the model's name in configurations.
const FullName = "offline:" + Name

// Model is a trained model. It is safe for concurrent use, and implements model.Scorer.
type Model struct {
	ids      map[string]word // of the words of the training texts
	spelled  []float64       // the probability of each word by its bytes
	spelling *spelling
	levels   [order]level // by the number of words in the context
}

// order is the number of words in the longest sequence that the model counts.
const order = 3

// word is the number of a word. The words of a model have numbers below unknown; a cache gives numbers above it to
// words that the model does not know.
type word uint32

// Numbers of words that are not in a vocabulary.
const (
	begin   word = 1<<31 + iota // the beginning of a text, before its first word
	unknown                     // and above: words that the training texts do not have
)

// context is the words before a word: the last one second. Levels with shorter contexts have zeros in place of words.
type context [order - 1]word

// gram is a context with a word behind it.
type gram struct {
	context
	next word
}

// level has the counts of the sequences of one length. For the longest sequences these are occurrences; for the others
// the number of different words before the sequence, as Kneser and Ney propose.
type level struct {
	seen     map[gram]float64
	after    map[context]followed
	discount float64
}

// Builtin returns the model that has learnt the built-in corpus. The first call trains it.
var Builtin = sync.OnceValues(func() (*Model, error) {
	c, err := datasets.OpenCorpus(datasets.OfflineCorpus)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(c.Documents))
	for i, d := range c.Documents {
		texts[i] = d.Title + "\n" + d.Text
	}
	return Train(texts), nil
})

// Train returns a model that has learnt texts. Without texts, it knows only bytes, all of them equally likely.
func Train(texts []string) *Model {
	m := &Model{ids: map[string]word{}, spelling: newSpelling()}
	for i := range m.levels {
		m.levels[i] = level{map[gram]float64{}, map[context]followed{}, 0}
	}
	for _, text := range texts {
		m.learn(text)
	}
	for n := order - 1; n >= 0; n-- {
		if n > 0 {
			m.levels[n].continuations(&m.levels[n-1], n)
		}
		m.levels[n].finish()
	}
	m.spelled = make([]float64, len(m.ids))
	for text, w := range m.ids {
		m.spelled[w] = m.spelling.word(text)
	}
	return m
}

// learn counts the sequences of the longest level. The spelling learns the text's new words.
func (m *Model) learn(text string) {
	c := context{begin, begin}
	for text != "" {
		n := firstToken(text)
		w, known := m.ids[text[:n]]
		if !known {
			w = word(len(m.ids))
			m.ids[text[:n]] = w
			m.spelling.learn(text[:n])
		}
		m.levels[order-1].seen[gram{c, w}]++
		c = c.and(w)
		text = text[n:]
	}
}

func (c context) and(w word) context { return context{c[1], w} }

// last returns the context with its last n words only.
func (c context) last(n int) context {
	for i := range len(c) - n {
		c[i] = 0
	}
	return c
}

// continuations counts for each shorter sequence the different words before it.
func (l *level) continuations(shorter *level, n int) {
	for g := range l.seen {
		shorter.seen[gram{g.context.last(n - 1), g.next}]++
	}
}

// finish sums up the counts of each context, and estimates the discount: n1/(n1 + 2 n2), where n1 and n2 are the
// numbers of sequences with the counts 1 and 2.
func (l *level) finish() {
	var ones, twos float64
	for g, count := range l.seen {
		f := l.after[g.context]
		l.after[g.context] = followed{f.total + count, f.types + 1}
		switch count {
		case 1:
			ones++
		case 2:
			twos++
		}
	}
	l.discount = usualDiscount
	if ones > 0 && twos > 0 {
		l.discount = ones / (ones + 2*twos)
	}
}

// usualDiscount is used if the training texts are too few to estimate one.
const usualDiscount = 0.75

// probability returns the probability of a word behind a context, without the cache. spelled is the word's probability
// by its bytes; w is unknown or above for a word that the model does not know.
func (m *Model) probability(c context, w word, spelled float64) float64 {
	p := spelled
	for n := range m.levels {
		l := &m.levels[n]
		short := c.last(n)
		f, known := l.after[short]
		if !known {
			break // longer contexts are unknown too
		}
		var kept float64
		if count := l.seen[gram{short, w}]; count > 0 {
			kept = count - l.discount
		}
		p = (kept + l.discount*f.types*p) / f.total
	}
	return p
}
