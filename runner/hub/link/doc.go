// Package link connects coordinators and workers to a hub, which is a NATS server with JetStream, and makes the
// streams of a run there.
//
// Secrets: the token of a hub is read from a file or from the environment. A URL with a password is refused, because
// other programs can read the arguments of a process.
package link
