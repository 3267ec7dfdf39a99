// Package labels puts the answers of a run into the order in which a person should label them: the most
// informative first, but in such a way that the corrected pass rate stays unbiased. It also passes the labels
// to the calibration of a judge.
package labels
