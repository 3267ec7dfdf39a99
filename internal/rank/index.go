package rank

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// The parameters of BM25 (Robertson and Zaragoza 2009): how soon a repeated term counts no more,
// and how much the length of a document matters.
const (
	k1 = 1.2
	b  = 0.75
)

// Index ranks a fixed collection of texts by BM25, in memory. It is safe for concurrent use.
type Index struct {
	weights  *Weights
	postings map[string][]posting
	norms    []float64 // k1 · (1 − b + b · length/mean length), by document
	scores   sync.Pool // of *[]float64 with a zero for each document
}

type posting struct {
	document int32
	times    int32
}

// Hit is a document with its score.
type Hit struct {
	Document int // its number in the collection, from 0
	// Score is above 0; that of BM25 has no upper bound, a cosine is at most 1.
	Score float64
}

// NewIndex indexes texts.
func NewIndex(texts []string) *Index {
	x := &Index{weights: NewWeights(), postings: map[string][]posting{}, norms: make([]float64, len(texts))}
	total, known := 0.0, stems{}
	for i, text := range texts {
		terms := known.terms(text)
		x.weights.Add(terms)
		x.norms[i] = float64(len(terms))
		total += x.norms[i]
		for _, t := range terms {
			list := x.postings[t]
			if n := len(list); n > 0 && list[n-1].document == int32(i) {
				list[n-1].times++
			} else {
				x.postings[t] = append(list, posting{int32(i), 1})
			}
		}
	}
	mean := max(1, total/float64(max(1, len(texts))))
	for i, length := range x.norms {
		x.norms[i] = k1 * (1 - b + b*length/mean)
	}
	x.scores.New = func() any {
		scores := make([]float64, len(texts))
		return &scores
	}
	return x
}

// Weights are those of the collection.
func (x *Index) Weights() *Weights { return x.weights }

// Search gives the best documents for a query, best first, at most limit of those that keep
// accepts; equal scores are in the collection's order. A nil keep accepts all. Documents
// without any term of the query are never among them.
func (x *Index) Search(query string, limit int, keep func(document int) bool) []Hit {
	pooled := x.scores.Get().(*[]float64)
	scores := *pooled
	var touched []int32
	terms := Terms(query)
	slices.Sort(terms)
	for _, t := range slices.Compact(terms) {
		idf := x.weights.IDF(t)
		for _, p := range x.postings[t] {
			if scores[p.document] == 0 {
				touched = append(touched, p.document)
			}
			times := float64(p.times)
			scores[p.document] += idf * times * (k1 + 1) / (times + x.norms[p.document])
		}
	}
	var best []Hit
	for _, d := range touched {
		if keep == nil || keep(int(d)) {
			best = append(best, Hit{int(d), scores[d]})
		}
		scores[d] = 0
	}
	x.scores.Put(pooled)
	return first(best, limit)
}

// first sorts hits and keeps at most limit.
func first(hits []Hit, limit int) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Document, b.Document))
	})
	return hits[:min(len(hits), max(0, limit))]
}

// Nearest gives the vectors with the largest cosine to a query's, as Search does. Vectors of
// another length, or without one, and those at a right angle or beyond are never among them.
func Nearest(query []float32, vectors [][]float32, limit int, keep func(document int) bool) []Hit {
	var hits []Hit
	for i, v := range vectors {
		if keep == nil || keep(i) {
			if c := cosine(query, v); c > 0 {
				hits = append(hits, Hit{i, c})
			}
		}
	}
	return first(hits, limit)
}

// cosine is that of the angle between two vectors; 0 if it is undefined.
func cosine(u, v []float32) float64 {
	if len(u) != len(v) {
		return 0
	}
	var product, uu, vv float64
	for i := range u {
		x, y := float64(u[i]), float64(v[i])
		product, uu, vv = product+x*y, uu+x*x, vv+y*y
	}
	if uu == 0 || vv == 0 {
		return 0
	}
	return product / math.Sqrt(uu*vv)
}
