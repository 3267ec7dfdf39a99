// Package result defines all figures of a run, and computes them from its records. Renderers only format the
// figures.
package result
