package rank

import (
	"cmp"
	"math"
	"slices"
)

// The parameters of BM25 (Robertson and Zaragoza 2009): k1 sets how fast the weight of a repeated term
// saturates, and b how much the length of a document matters.
const (
	k1 = 1.2
	b  = 0.75
)

// Index ranks a fixed collection of texts by BM25, in memory. It is safe for concurrent use.
type Index struct {
	Weights  *Weights // weights of the collection's terms; read only
	postings map[string][]posting
	norms    []float64 // k1 · (1 − b + b · length/mean length), by document
}

type posting struct {
	document int32
	times    int32
}

// Hit is a document with its score.
type Hit struct {
	Document int // number of the document in the collection, from 0
	// Score is above 0. A BM25 score has no upper limit; a cosine is at most 1.
	Score float64
}

// NewIndex indexes texts.
func NewIndex(texts []string) *Index {
	x := &Index{Weights: NewWeights(), postings: map[string][]posting{}, norms: make([]float64, len(texts))}
	for i, text := range texts {
		terms := Terms(text)
		x.Weights.Add(terms)
		x.norms[i] = float64(len(terms))
		for _, t := range terms {
			list := x.postings[t]
			if n := len(list); n > 0 && list[n-1].document == int32(i) {
				list[n-1].times++
			} else {
				x.postings[t] = append(list, posting{int32(i), 1})
			}
		}
	}
	x.normalise()
	return x
}

// normalise turns the lengths in x.norms into norms.
func (x *Index) normalise() {
	total := 0.0
	for _, length := range x.norms {
		total += length
	}
	mean := max(1, total/float64(max(1, len(x.norms))))
	for i, length := range x.norms {
		x.norms[i] = k1 * (1 - b + b*length/mean)
	}
}

// Search returns the best documents for a query, best first, at most limit of those that keep accepts; nil
// accepts all. Documents with equal scores stay in the order of the collection. Documents without a term of the
// query are never returned.
func (x *Index) Search(query string, limit int, keep func(document int) bool) []Hit {
	scores := make([]float64, len(x.norms))
	var touched []int32
	terms := Terms(query)
	slices.Sort(terms)
	for _, t := range slices.Compact(terms) {
		idf := x.Weights.IDF(t)
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
	}
	return first(best, limit)
}

// first returns the best hits in order, at most limit.
func first(hits []Hit, limit int) []Hit {
	order := func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Document, b.Document))
	}
	limit = max(0, limit)
	if len(hits) < 4*limit {
		slices.SortFunc(hits, order)
		return hits[:min(len(hits), limit)]
	}
	var best []Hit
	for _, h := range hits {
		if limit == 0 || len(best) == limit && order(h, best[limit-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, h, order)
		best = slices.Insert(best[:min(len(best), limit-1)], min(at, limit-1), h)
	}
	return best
}

// Nearest returns the documents whose vectors have the largest cosine with the query's vector, as Search does.
// It never returns vectors of another length, zero vectors, or vectors whose cosine is not above 0.
func Nearest(query []float32, vectors [][]float32, limit int, keep func(document int) bool) []Hit {
	var hits []Hit
	length := math.Sqrt(product(query, query))
	for i, v := range vectors {
		if len(v) == len(query) && (keep == nil || keep(i)) {
			if c := product(query, v) / (length * math.Sqrt(product(v, v))); c > 0 { // false for the NaN of a zero vector
				hits = append(hits, Hit{i, c})
			}
		}
	}
	return first(hits, limit)
}

// Cosine returns the cosine of two vectors, -1 to 1; NaN for vectors of different lengths, and for a zero vector.
func Cosine(u, v []float32) float64 {
	if len(u) != len(v) {
		return math.NaN()
	}
	c := product(u, v) / math.Sqrt(product(u, u)*product(v, v))
	return min(1, max(-1, c)) // rounding errors can exceed the range
}

// product returns the dot product of two vectors of one length. It sums in four parts, which the processor
// can add in parallel.
func product(u, v []float32) float64 {
	var a, b, c, d float32
	v = v[:len(u)]
	i := 0
	for ; i+4 <= len(u); i += 4 {
		a += u[i] * v[i]
		b += u[i+1] * v[i+1]
		c += u[i+2] * v[i+2]
		d += u[i+3] * v[i+3]
	}
	for ; i < len(u); i++ {
		a += u[i] * v[i]
	}
	return float64(a) + float64(b) + float64(c) + float64(d)
}
