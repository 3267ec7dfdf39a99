// Package result defines all figures of a run and computes them from its records. A
// renderer of a Result does no arithmetic.
package result
