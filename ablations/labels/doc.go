// Package labels orders the answers of a run for labelling by a person, the most informative first, so that the
// corrected pass rate stays unbiased. It also passes the labels to a judge's calibration.
package labels
