package rank

import (
	"math"
	"slices"
)

// Weights holds the weight of each term of a collection: its inverse document frequency
// idf(t) = ln(1 + (N − df + ½)/(df + ½)), as in BM25.
type Weights struct {
	Documents int
	Frequency map[string]int // term → number of documents with it
}

// NewWeights are those of an empty collection.
func NewWeights() *Weights { return &Weights{Frequency: map[string]int{}} }

// Add counts a document.
func (w *Weights) Add(terms []string) {
	w.Documents++
	for _, t := range slices.Compact(slices.Sorted(slices.Values(terms))) {
		w.Frequency[t]++
	}
}

// IDF is the weight of a term, above 0; a term that is in no document has the largest.
func (w *Weights) IDF(term string) float64 {
	n, df := float64(w.Documents), float64(w.Frequency[term])
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

// Relevance is the idf-weighted share of the query's distinct terms that are in text: 1 for
// all, 0 for none and for a query without terms.
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
