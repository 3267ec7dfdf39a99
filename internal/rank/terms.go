package rank

import (
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// Terms returns the terms of a text, for indexes, queries and relevance scores: runs of letters and digits,
// with case and diacritics folded and English endings removed by the Porter2 stemmer.
func Terms(text string) []string {
	fields := strings.FieldsFunc(fold(text), notInWord)
	stems.Lock()
	defer stems.Unlock()
	for i, f := range fields {
		stem, known := stems.of[f]
		if !known {
			if len(stems.of) >= maxStems {
				clear(stems.of)
			}
			stem = english.Stem(f, false)
			stems.of[strings.Clone(f)] = stem
		}
		fields[i] = stem
	}
	return fields
}

// stems caches the stems of words, because the same pages are read again and again, and stemming takes most of
// the time. It is emptied after maxStems words, which take a few megabytes.
var stems = struct {
	sync.Mutex
	of map[string]string
}{of: map[string]string{}}

const maxStems = 1 << 16

// Words returns the runs of letters and digits of a text as written, with their marks and without possessive endings.
func Words(text string) []string {
	return strings.FieldsFunc(possessives.Replace(text),
		func(r rune) bool { return notInWord(r) && !unicode.IsMark(r) })
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// possessives removes possessive endings, which are not words.
var possessives = strings.NewReplacer("'s", "", "’s", "")

func fold(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		stripped, _, err := transform.String(transform.Chain(norm.NFKD, runes.Remove(runes.In(unicode.Mn)), norm.NFC),
			text)
		if err == nil { // should not happen; unfolded text still matches itself
			text = stripped
		}
	}
	return possessives.Replace(strings.ToLower(text))
}

// Weights holds the weight of each term of a collection: its inverse document frequency
// idf(t) = ln(1 + (N − df + ½)/(df + ½)), as in BM25.
type Weights struct {
	Documents int
	Frequency map[string]int // term → number of documents with it
}

// NewWeights returns the weights of an empty collection.
func NewWeights() *Weights { return &Weights{Frequency: map[string]int{}} }

// Add counts a document.
func (w *Weights) Add(terms []string) {
	w.Documents++
	for _, t := range slices.Compact(slices.Sorted(slices.Values(terms))) {
		w.Frequency[t]++
	}
}

// IDF returns the weight of a term, above 0. A term that is in no document has the largest weight.
func (w *Weights) IDF(term string) float64 {
	n, df := float64(w.Documents), float64(w.Frequency[term])
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

// Relevance returns the idf-weighted share of the query's distinct terms that are in text: 1 for all, 0 for
// none or for a query without terms.
func (w *Weights) Relevance(query, text []string) float64 {
	var found, all float64
	for i, t := range query {
		if slices.Contains(query[:i], t) {
			continue
		}
		idf := w.IDF(t)
		all += idf
		if slices.Contains(text, t) {
			found += idf
		}
	}
	if all == 0 {
		return 0
	}
	return found / all
}
