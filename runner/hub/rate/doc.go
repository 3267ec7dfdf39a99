// Package rate keeps the requests of all workers of a run within the limits of an endpoint. The coordinator gives out
// tokens, evenly spaced, as messages of a stream; one is the right to send one request now, and a number of tokens of
// text. A worker takes them when a request is ready. One that nobody takes for a second is lost.
//
// No clock of a worker counts, so clocks may differ by any time. A coordinator that was replaced is refused, because
// each message names the last one that its sender knows.
package rate
