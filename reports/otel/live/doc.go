// Package live sends the spans of a run while it runs. Its Output describes each call with an otel.Describer, puts the
// spans into a bounded queue, and a goroutine sends them. A collector that is slow or down never makes the run wait:
// when the queue is full, spans are dropped and counted.
package live
