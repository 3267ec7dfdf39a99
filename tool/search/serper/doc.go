// Package serper searches with Google through one of two vendors, Serper.dev or SerpApi. It writes their
// requests, reads their replies, and maps their failures to the kinds of search errors
// (docs/agent.md#search).
//
// The answer box and the knowledge graph of a reply become documents before the organic results. HTML escapes
// in titles and texts are decoded. The vendors give no score, so Document.BackendScore is nil. Score is the
// relevance that all search backends use. The documents have the vendor's order.
package serper
