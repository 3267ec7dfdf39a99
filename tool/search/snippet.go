package search

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/internal/text"
)

// maxSnippet is the maximum length in bytes of a text that is shown in full.
const maxSnippet = 1200

// Snippet returns a short text unchanged. From a longer text it returns the consecutive sentences, up to 1200
// bytes, that are most relevant to the query's terms; among equals, the first. Its time is linear in the
// text.
func Snippet(w *rank.Weights, whole string, terms []string) string {
	if len(whole) <= maxSnippet {
		return whole
	}
	sentences := splitSentences(whole)
	var query []string // distinct terms
	weight, all := map[string]float64{}, 0.0
	for _, t := range terms {
		if _, seen := weight[t]; !seen {
			query, weight[t] = append(query, t), w.IDF(t)
			all += weight[t]
		}
	}
	hits := make([][]string, len(sentences)) // the query's terms in each sentence, with repetitions
	for i, s := range sentences {
		hits[i] = slices.DeleteFunc(rank.Terms(s), func(t string) bool { return weight[t] == 0 })
	}
	times := map[string]int{} // number of occurrences of each term in the window from start to end
	best, bestScore := [2]int{}, -1.0
	length, end := 0, 0
	for start := range sentences {
		for end < len(sentences) && (end == start || length+len(sentences[end]) <= maxSnippet) {
			length += len(sentences[end])
			for _, t := range hits[end] {
				times[t]++
			}
			end++
		}
		found := 0.0
		for _, t := range query {
			if times[t] > 0 {
				found += weight[t]
			}
		}
		if score := found / max(all, 1e-9); score > bestScore { // the relevance of the window
			best, bestScore = [2]int{start, end}, score
		}
		if end == len(sentences) {
			break
		}
		length -= len(sentences[start])
		for _, t := range hits[start] {
			times[t]--
		}
	}
	return text.Head(strings.TrimSpace(strings.Join(sentences[best[0]:best[1]], "")), maxSnippet)
}

// splitSentences cuts a text after each full stop, question mark, exclamation mark or line break that is
// followed by white space. The pieces together are the whole text.
func splitSentences(text string) []string {
	var out []string
	start := 0
	for i := 0; i < len(text)-1; i++ {
		ends := text[i] == '\n' || strings.IndexByte(".?!", text[i]) >= 0
		if ends && (text[i+1] == ' ' || text[i+1] == '\n') {
			out = append(out, text[start:i+1])
			start = i + 1
		}
	}
	return append(out, text[start:])
}
