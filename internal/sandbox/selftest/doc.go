// Package selftest attacks a sandbox of this machine and reports which bounds hold. `concur doctor` shows the report.
//
// The scripts are what an untrusted program would try first: files, variables and open files of the host, sockets,
// processes, memory, a full disk, namespaces, and processes that outlive the job.
package selftest
