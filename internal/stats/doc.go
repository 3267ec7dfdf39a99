// Package stats owns the tests, intervals and estimators of docs/method.md §3.5 to §6, as pure functions of numbers.
//
// It imports nothing of this module and knows nothing of runs, queries or verdicts.
//
// What is undefined comes back as ok = false or a nil pointer, never as NaN or as 0: arguments outside the stated
// domain, and figures that the data cannot bear, such as the error of a single score. An empty sample is neither: it
// has the widest interval and p = 1. Rates, p-values and levels are fractions (0.95, not 95); a level is two-sided
// unless the name says otherwise. A difference is new minus baseline, so that a loss is negative.
package stats
