// Package wikipedia searches Wikipedia, or another MediaWiki with or without CirrusSearch and
// TextExtracts, through its Action API.
package wikipedia
