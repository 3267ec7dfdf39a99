// Package wikipedia searches Wikipedia, or another MediaWiki with or without CirrusSearch and
// TextExtracts, through its Action API (wire-formats §1).
//
// It may import runner/trace, runner/tool/search and internal/fetch.
package wikipedia
