// Package serving protects a server from clients that block it: with a request that does not arrive, a reply
// that they do not read, or many connections.
//
// All servers of this module use it. A handler calls [Know] for a client that has shown a valid key; the number
// of all other connections is limited.
package serving
