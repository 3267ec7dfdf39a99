// Package worker makes traces for the runs of a hub, until it is stopped.
//
// A worker finds the runs of the hub by their streams of work. It loads the plan of a run, opens the agents, and
// computes their hashes itself. It takes work only if all hashes are those of the run; otherwise it says why.
// Each free place fetches exactly one message, so no message waits in a worker. The order is: make the trace, send the
// result, wait until the hub has stored it, acknowledge the work. Whatever happens in between, the trace is not lost;
// at worst it is made twice, and the coordinator drops the second result.
package worker
