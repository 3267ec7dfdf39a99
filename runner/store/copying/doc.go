// Package copying makes a run folder from the lines of other runs: one with the traces of a run, to judge them again, or
// one run of several shards. Copied lines get new places and checksums.
package copying
