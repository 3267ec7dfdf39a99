// Package seccomp writes the filter of system calls of a sandbox, as a classic BPF program that bubblewrap loads.
//
// The attacker is a program that looks for memory that no process shows, for namespaces in which it has
// capabilities, for sockets that a network namespace does not isolate (AF_VSOCK), and for large, rarely used parts
// of the kernel with mistakes in them. denied.tsv lists the system calls that fail.
package seccomp
