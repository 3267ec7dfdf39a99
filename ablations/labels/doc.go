// Package labels says which answers of a run are most worth a person's verdict, in an order
// that keeps the corrected pass rate unbiased, and gives those verdicts to a judge's calibration.
package labels
