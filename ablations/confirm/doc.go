// Package confirm is the gate's service: it runs the fresh traces that a decision asks for and decides again,
// until nothing is needed. An interface supplies the traces; Folders implements it with run folders. The
// package has no flags and prints nothing.
//
// It guards against mistakes, not against forgery. By mistake, a person or a CI job may ask the gate twice,
// stop it at any trace, ask two gates at once, ask again with a weaker level, remove or rename a folder of
// fresh traces, gate the run of a different agent, or leave a cache on. Therefore fresh traces are numbered,
// kept and never drawn twice, and missing ones are detected. A decision that used them is changed only under a
// new name. Traces of another agent, run or seed are refused, and identical replies are no evidence. A person
// who can edit the baseline, the records of a run, the dataset, the configuration or the binary can make the
// gate decide anything. Code review and the baseline of the target branch guard against that.
package confirm
