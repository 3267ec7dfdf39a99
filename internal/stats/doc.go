// Package stats owns the tests and intervals of methods.md, as pure functions
// of numbers.
//
// It imports nothing of this module and knows nothing of runs, queries or
// verdicts. Undefined is NaN, never 0; an empty sample is no error but the
// widest interval.
package stats
