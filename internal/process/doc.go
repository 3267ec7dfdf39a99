// Package process runs other programs: each in a process group of its own, which ends as a
// whole, with its standard error as lines of a log.
package process
