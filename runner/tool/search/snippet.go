package search

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/rank"
)

// maxSnippet is the length in bytes up to which a text is shown completely.
const maxSnippet = 1200

// Snippet returns a short text unchanged, else the run of sentences of up to 1200 bytes
// that is most relevant to the query's terms; the first of equal runs. Its time is linear
// in the text.
func Snippet(w *rank.Weights, text string, terms []string) string {
	if len(text) <= maxSnippet {
		return text
	}
	sentences := splitSentences(text)
	q := newQuery(w, terms)
	hits := make([][]int, len(sentences))
	for i, s := range sentences {
		hits[i] = q.hits(s)
	}
	times := make([]int, len(q.idf)) // how often each term occurs in the window from start to end
	best, bestScore := [2]int{}, -1.0
	length, end := 0, 0
	for start := range sentences {
		for end < len(sentences) && (end == start || length+len(sentences[end]) <= maxSnippet) {
			length += len(sentences[end])
			count(times, hits[end], 1)
			end++
		}
		if score := q.share(times); score > bestScore {
			best, bestScore = [2]int{start, end}, score
		}
		if end == len(sentences) {
			break
		}
		length -= len(sentences[start])
		count(times, hits[start], -1)
	}
	return Cut(strings.TrimSpace(strings.Join(sentences[best[0]:best[1]], "")), maxSnippet)
}

// query holds a query's distinct terms and their weights.
type query struct {
	index map[string]int
	idf   []float64
}

func newQuery(w *rank.Weights, terms []string) query {
	q := query{index: map[string]int{}}
	for _, t := range terms {
		if _, seen := q.index[t]; !seen {
			q.index[t] = len(q.idf)
			q.idf = append(q.idf, w.IDF(t))
		}
	}
	return q
}

// hits gives the query's terms in a sentence, with repeats.
func (q query) hits(sentence string) []int {
	var out []int
	for _, t := range rank.Terms(sentence) {
		if i, ok := q.index[t]; ok {
			out = append(out, i)
		}
	}
	return out
}

// share is the Relevance of the query in a window, given the number of occurrences of its
// terms.
func (q query) share(times []int) float64 {
	var found, all float64
	for i, idf := range q.idf {
		all += idf
		if times[i] > 0 {
			found += idf
		}
	}
	if all == 0 {
		return 0
	}
	return found / all
}

func count(times, hits []int, n int) {
	for _, i := range hits {
		times[i] += n
	}
}

// splitSentences cuts text after a full stop, question or exclamation mark, or line break,
// if white space follows. Joined, the pieces are the text again.
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
