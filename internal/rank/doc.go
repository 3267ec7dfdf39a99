// Package rank orders texts by their relevance to a query: the analysis of text into terms, the weights of
// terms, BM25 over a collection in memory, and the cosine of embeddings.
package rank
