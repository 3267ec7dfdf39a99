// Package confirm is the gate's service: it runs the fresh traces that a decision asks for and
// decides again, until nothing is needed. Where the traces come from is an interface, which
// Folders fulfils with run folders. It has no flags and prints nothing.
//
// Who can write what, and what is guarded. A forgotten or careless hand, in a checkout or a CI job, may ask the gate
// twice, stop it at any trace, ask two gates at once, ask again with a milder level, remove or rename a folder of
// fresh traces, gate the run of another agent, or leave a cache on. So fresh traces are numbered, kept and never
// drawn twice; those that are gone are missed; what was decided with them is only decided otherwise under a name;
// traces of another agent, run or seed are refused, and identical replies are no evidence. Whoever can edit the
// baseline, the records of a run, the dataset, the configuration or the binary can make the gate say anything, and
// is not guarded against: that is for code review, and for the baseline of the target branch.
package confirm
