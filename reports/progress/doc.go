// Package progress shows an active run to people: in full in run.log, and on standard error as a table on a
// terminal, or as few lines elsewhere. It computes nothing.
package progress
