// Package result defines all figures of a run and computes them from its records. A renderer of a Result only
// formats them.
package result
