// Package confirm runs the fresh traces that the gate requests and asks the gate again, until it requests no
// more. The interface Fresh supplies the traces. Folders implements it with run folders. The package has no
// flags and does not print.
//
// It guards against mistakes of a person or a CI job, not against forgery. Such mistakes are:
//
//   - the gate is started twice, stopped at any trace, or run twice at once;
//   - the run is gated again with a weaker level;
//   - a folder of fresh traces is removed or renamed;
//   - fresh traces are those of another agent;
//   - a cache is left on.
//
// Therefore fresh traces have numbers, are kept, and are never made twice; if one is missing, this is detected.
// After a decision that used fresh traces, another decision on the run needs a new name. Traces of another
// agent, run or seed are refused. Identical replies do not count as evidence.
//
// A person who can edit the baseline, the records of a run, the dataset, the configuration or the binary can
// make the gate decide anything. Code review and the baseline of the target branch guard against that.
package confirm
