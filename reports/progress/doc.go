// Package progress shows an active run to people: all of it in run.log, and on standard error as a table if it
// is a terminal, else as a few lines. It computes no figures.
package progress
