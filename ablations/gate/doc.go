// Package gate decides whether a run is worse than the accepted runs, lists the fresh traces that it still
// needs for that, and simulates its own performance: the rule gate/v3 of docs/ci.md.
//
// Everything is a pure function of counts. Decide returns a decision, or the fresh traces that it needs. The
// caller then runs these traces, adds their results to the evidence, and calls Decide again. The simulation
// uses the same code. The package imports only internal/stats and internal/text.
package gate
