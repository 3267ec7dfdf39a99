// Package serving protects a server against clients that hold it up: with a request that does not arrive, a
// reply that they do not read, or many connections.
//
// Every server of this module uses it. A handler calls [Know] for connections of clients that have shown a
// valid key; the number of all other connections is limited.
package serving
