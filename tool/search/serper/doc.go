// Package serper searches Google through one of two vendors, Serper.dev or SerpApi. It writes their requests,
// reads their replies, and maps their failures to the kinds of search errors (docs/agent.md#search).
//
// A reply's answer box and knowledge graph become documents before its organic results. HTML escapes in
// titles and texts are decoded. The vendors give no score, so Document.BackendScore stays nil. Score is the
// relevance that all search backends share, and the order is the vendor's.
package serper
