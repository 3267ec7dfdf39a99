// Package coordinator is the part of a run that asks the workers of a hub for traces. It is a runner.Executor.
//
// The coordinator is the only one that writes the run folder: consensus, judges and records stay in its process. What
// keeps two coordinators of one run apart:
//
//   - the lock of the run folder, while the process lives, also if it is stopped
//   - the lease, a key at the hub, for coordinators with different folders or machines
//   - the consumer of results, of which there is only one, with the number of the lease in its name: the
//     acknowledgements of an earlier coordinator have no effect
//
// A result is taken if every line is of a trace of the plan, and if it is complete. The first result of a trace counts;
// later ones are dropped and counted.
package coordinator
