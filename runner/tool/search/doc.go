// Package search holds the search tools and what their backends share: the analysis of
// text into terms, the one relevance score, snippets, and what a failure tells the agent.
//
// A backend is an offline Corpus, indexed by SQLite's FTS5 and ranked by BM25, or one of
// the packages beneath. Tool offers one backend under a name of its own; Cascade is
// web_search, which asks several backends in turn until one finds something.
//
// It may import runner/model, runner/tool, runner/trace and internal/fetch.
package search
