// Package search holds the search tools and the shared parts of their backends: the analysis of text into terms, the
// relevance score, snippets, and the failures that an agent gets.
//
// A backend is an offline Corpus, ranked by BM25 in memory, or one of the packages beneath. Tool offers one backend
// under its own name; Cascade is web_search, which asks several backends in turn until one finds something.
package search
