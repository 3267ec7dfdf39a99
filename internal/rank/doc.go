// Package rank orders texts by what they have to do with a query: the analysis of text into
// terms, the weights of terms, BM25 over a collection in memory, and the cosine of embeddings.
package rank
