// Package search is the web_search tool and the backends behind it. So far there is one
// backend: an offline corpus, indexed by SQLite's FTS5 and ranked by BM25.
//
// It may import runner/tool and runner/trace.
package search
