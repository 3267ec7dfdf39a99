// Package serving puts a handler behind a listener so that no client can hold up the server: not with a request that
// does not come, not with a reply that it does not read, and not with many connections.
//
// Every server of this module uses it. A handler tells it with [Know] which connections belong to somebody who has
// shown a good key; the number of all others is bounded. It imports nothing of ours.
package serving
