// Package result holds all numbers of a run and the one function that computes them
// from its records. What renders a Result does no arithmetic.
//
// It may import runner/store, runner/trace, consensus, judge, datasets and
// internal/stats.
package result
