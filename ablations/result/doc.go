// Package result defines all figures of a run and computes them from its records. A
// renderer of a Result does no arithmetic.
//
// It may import runner/config, runner/store, runner/trace, consensus, judge, datasets and internal/stats.
package result
