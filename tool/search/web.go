package search

import (
	"cmp"
	_ "embed" // idf.tsv
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/seed-5817661a/concur/internal/rank"
)

// idfTable has the number of documents on its first line, then lines of "term<TAB>document frequency". A test
// generates it from the built-in corpus and a list of function words.
//
//go:embed idf.tsv
var idfTable string

// allDocuments marks the number of documents in idfTable; terms have no spaces.
const allDocuments = "all documents"

// WebWeights returns the weights for text of an unknown collection: function words weigh almost nothing,
// words that are not in the table weigh most. The weights are shared; do not change them.
func WebWeights() *rank.Weights { return webWeights() }

var webWeights = sync.OnceValue(func() *rank.Weights {
	w := rank.NewWeights()
	for line := range strings.Lines(idfTable) {
		term, count, _ := strings.Cut(strings.TrimSpace(line), "\t")
		n, err := strconv.Atoi(count)
		switch {
		case err != nil:
		case term == allDocuments:
			w.Documents = n
		default:
			w.Frequency[term] = n
		}
	}
	return w
})

// Score returns the relevance of a document from any source to a query, 0 to 1: WebWeights' Relevance over
// title and snippet. A run of Chinese or Japanese characters, which has no spaces, counts as the pairs of its
// neighbouring characters.
func Score(query, title, snippet string) float64 {
	return round(WebWeights().Relevance(webTerms(query), webTerms(title+" "+snippet)))
}

// Keywords returns the distinct words of a query as written, rarest first by WebWeights; equally rare words by
// length, then by position. Words in more than half of all documents are left out, unless the query has no others.
func Keywords(query string) []string {
	var all, telling []string
	weight := map[string]float64{} // by the word in lower case
	for _, word := range rank.Words(query) {
		key := strings.ToLower(word)
		if _, seen := weight[key]; seen {
			continue
		}
		weight[key] = 0                      // some words have no terms
		for _, t := range rank.Terms(word) { // NFKD splits some words
			weight[key] = max(weight[key], WebWeights().IDF(t))
		}
		if all = append(all, word); weight[key] > math.Ln2 { // idf of half of the documents
			telling = append(telling, word)
		}
	}
	if len(telling) == 0 {
		telling = all
	}
	slices.SortStableFunc(telling, func(a, b string) int {
		return cmp.Or(cmp.Compare(weight[strings.ToLower(b)], weight[strings.ToLower(a)]), cmp.Compare(len(b), len(a)))
	})
	return telling
}

// round keeps four decimals; more would only lengthen the prompt.
func round(score float64) float64 { return math.Round(score*1e4) / 1e4 }

func webTerms(text string) []string {
	terms := rank.Terms(text)
	out := make([]string, 0, len(terms))
	for _, t := range terms {
		out = appendPairs(out, t)
	}
	return out
}

// appendPairs appends t, with runs of characters of unspaced scripts cut into pairs.
func appendPairs(out []string, t string) []string {
	runes := []rune(t)
	for start := 0; start < len(runes); {
		end := start + 1
		for end < len(runes) && spaceless(runes[end]) == spaceless(runes[start]) {
			end++
		}
		run := runes[start:end]
		start = end
		if len(run) < 3 || !spaceless(run[0]) {
			out = append(out, string(run))
			continue
		}
		for i := range len(run) - 1 {
			out = append(out, string(run[i:i+2]))
		}
	}
	return out
}

func spaceless(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }
