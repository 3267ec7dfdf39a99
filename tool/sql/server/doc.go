// Package server has what the drivers of database servers share: the interface of a server, the limits of results,
// and errors that say whether a statement or the server failed and that never contain the login.
package server
