// Package worth has the columns of reports on what calls of tools were worth. A run has their figures if its
// configuration names a scorer; they are computed after the run, and no verdict depends on them.
package worth
