// Package progress shows a run to people while it goes on: in run.log in full, and on standard
// error as a table on a terminal, as few lines elsewhere. It computes nothing.
package progress
