// Package serper searches Google through one of two vendors, Serper.dev or SerpApi. It
// owns their requests, the reading of their replies and the mapping of their failures to
// the kinds of search errors (docs/agent.md#search).
//
// A reply's answer box and knowledge graph become documents before its organic results. HTML's escapes in titles and
// texts are undone. Neither vendor gives a score, so Document.BackendScore stays nil; Score is the relevance that all
// search backends share, and the order is the vendor's.
package serper
