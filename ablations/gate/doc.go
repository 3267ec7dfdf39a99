// Package gate decides whether a run is worse than the accepted runs, says which fresh traces it still
// needs for that, and simulates how good the decision is: the rule gate/v3 of docs/ci.md.
//
// Everything is a pure function of counts. Decide answers a decision, or the fresh traces
// that it needs; the caller runs them, adds their results to the evidence and asks again. The
// simulation asks the same code. The package imports internal/stats and internal/text alone.
package gate
