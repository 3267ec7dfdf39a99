// Package stats implements the tests, intervals and estimators of docs/method.md §3.5 to §6, as pure functions
// of numbers.
//
// It imports no other package of this module, and does not use runs, queries or verdicts.
//
// An undefined result is returned as ok = false or as a nil pointer, never as NaN or 0. A result is undefined
// in two cases: an argument is outside its domain; or the data do not determine the result, such as the error
// of a single score. For an empty sample the result is defined: it has the widest interval and p = 1.
//
// Rates, p-values and levels are fractions (0.95, not 95). A level is two-sided unless the name says otherwise.
// A difference is new minus baseline, so that a loss is negative.
package stats
