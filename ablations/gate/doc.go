// Package gate decides whether a run is worse than its baseline, and says how good that
// decision is: the procedure of methods.md §6.2, its thresholds, and its simulation. It
// also owns the baseline file.
//
// The decision is a pure function of counts and names: Needs says which fresh traces it
// still wants, the caller runs them, Decide decides. The simulation calls the same code.
//
// The decision and its simulation import internal/stats alone.
package gate
