// Package search has the search tools and the shared parts of their backends: the division of text into
// terms, the relevance score, snippets, and the failures that an agent gets.
//
// A backend is an offline Corpus, ranked by BM25 in memory, one of the packages below this one, or a tool of
// package tool/api/backend. Tool
// offers one backend under its own name. Cascade is web_search, which asks several backends one after another
// until one finds documents.
package search
