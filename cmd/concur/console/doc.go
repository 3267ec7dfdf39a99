// Package console is the process as the commands of concur see it: its streams, its environment, its exit codes
// and signals, and the delivery of a command's result.
package console
