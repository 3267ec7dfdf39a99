// Package watch measures the processes of a sandbox from outside: their number, their memory together, and the files
// in a folder of theirs. Limits of the kernel for one process bound each process; the sums here bound all together.
//
// A watcher is no bound on the number of processes: a program that forks without end leaves it no time. That bound
// must be the kernel's.
package watch
