// Package conceal keeps what this process knows from other programs of the same user: from agents and servers that it
// starts, and from what those start.
//
// On Linux any program of a user reads the environment of every other from /proc/PID/environ, and its memory from
// /proc/PID/mem or by process_vm_readv (man 5 proc, man 2 process_vm_readv), keys included. Process closes that.
//
// It imports no package of this module.
package conceal
