// Package wikipedia searches Wikipedia, or another MediaWiki with the TextExtracts
// extension, through its Action API (wire-formats §1).
//
// It may import runner/trace, runner/tool/search and internal/fetch.
package wikipedia
