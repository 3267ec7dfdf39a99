// Package confirm runs the fresh traces that the gate requests, and decides again until no more are needed. The
// interface Fresh supplies the traces; Folders implements it with run folders. The package has no flags and
// prints nothing.
//
// It guards against mistakes of a person or a CI job, not against forgery. Such mistakes are:
//
//   - the gate is started twice, stopped at any trace, or run twice at once;
//   - the run is gated again with a weaker level;
//   - a folder of fresh traces is removed or renamed;
//   - fresh traces are of a different agent;
//   - a cache is left on.
//
// Therefore fresh traces are numbered, kept and never drawn twice, and missing ones are detected. A decision
// that used them is changed only under a new name. Traces of another agent, run or seed are refused, and
// identical replies do not count as evidence.
//
// A person who can edit the baseline, the records of a run, the dataset, the configuration or the binary can
// make the gate decide anything. Code review and the baseline of the target branch guard against that.
package confirm
