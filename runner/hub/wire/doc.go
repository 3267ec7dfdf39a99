// Package wire has what a coordinator and its workers send to each other through a hub: the names of streams and
// subjects, the messages, and the parts of a finished trace. It does not connect to a hub.
//
// A worker may be broken, of another version, or run by somebody else who has the token of the hub. So everything
// that is read here is checked: the size of compressed data before it is read (MaxContent), its hash, and that
// every line is of the trace that the message names (Delivery.Check).
package wire
