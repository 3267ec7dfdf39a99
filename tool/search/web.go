package search

import (
	"cmp"
	_ "embed" // for idf.tsv
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/internal/text"
)

// idfTable has the number of documents on its first line, then lines of "term<TAB>document frequency". A test
// generates it from the built-in corpus and a list of function words.
//
//go:embed idf.tsv
var idfTable string

// allDocuments is the key of the number of documents in idfTable. It cannot be a term, because terms have no
// spaces.
const allDocuments = "all documents"

// WebWeights returns weights for texts of any collection. Function words weigh almost nothing; words that are
// not in the table weigh most. All callers share the weights and must not change them.
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

// Score returns the relevance of a document from any source to a query, 0 to 1: the Relevance of title and
// snippet by WebWeights. Chinese and Japanese have no spaces, so a run of their characters counts as its
// pairs of neighbouring characters.
func Score(query, title, snippet string) float64 {
	return round(WebWeights().Relevance(webTerms(query), webTerms(title+" "+snippet)))
}

// Keywords returns the distinct words of a query as written, rarest first by WebWeights; equally rare words
// are ordered by length, then by position. Words that are in more than half of all documents are omitted,
// unless the query has only such words.
func Keywords(query string) []string {
	var all, telling []string
	weight := map[string]float64{} // weights by word in lower case
	for _, word := range rank.Words(query) {
		key := strings.ToLower(word)
		if _, seen := weight[key]; seen {
			continue
		}
		weight[key] = 0                      // some words have no terms
		for _, t := range rank.Terms(word) { // NFKD divides some words
			weight[key] = max(weight[key], WebWeights().IDF(t))
		}
		if all = append(all, word); weight[key] > math.Ln2 { // idf of a word that is in half of the documents
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

// round rounds to four decimals; more would only make the prompt longer.
func round(score float64) float64 { return math.Round(score*1e4) / 1e4 }

func webTerms(s string) []string {
	terms := rank.Terms(s)
	out := make([]string, 0, len(terms))
	for _, t := range terms {
		out = appendPairs(out, t)
	}
	return out
}

// appendPairs appends t, in which runs of characters of scripts without spaces are cut into pairs.
func appendPairs(out []string, t string) []string {
	if text.IsASCII(t) {
		return append(out, t)
	}
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
