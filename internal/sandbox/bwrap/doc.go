// Package bwrap runs jobs with bubblewrap: namespaces without network, a read-only view of /usr, an environment
// without variables of the user, limits of the kernel that are set inside, a filter of system calls, and a watcher
// that sums the memory of all processes.
//
// What bounds what:
//
//	files, network, processes of others   namespaces, read-only mounts, another uid
//	processes                             RLIMIT_NPROC, set inside, where it counts this sandbox alone
//	memory of one process                 RLIMIT_DATA
//	memory of all processes               the watcher, which measures every 50 ms
//	bytes and number of files             the size of /tmp; the watcher
//	time                                  a timer that kills the first process of the namespace, and all with it
//	output                                the readers, which kill at the bound
//	other parts of the kernel             the filter
//
// Root becomes user 65534 before it starts bubblewrap: in a namespace that root makes, uid 65534 would still be root
// for the kernel, and RLIMIT_NPROC would bound nothing.
package bwrap
