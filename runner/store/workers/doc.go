// Package workers keeps which worker of a hub made which trace of a run, in a file of the run folder. Traces that were
// made without a hub are not in it. Nothing in a run depends on the file.
package workers
