// Package conceal hides the memory and environment of this process from other programs of the same user: from
// agents and servers that it starts, and from their children.
//
// On Linux a program can read the environment of any other program of its user from /proc/PID/environ, and
// its memory from /proc/PID/mem or by process_vm_readv (man 5 proc, man 2 process_vm_readv). Both contain
// keys. A program also inherits the open files of the program that starts it, unless they are marked. Process closes
// these ways.
//
// It imports no package of this module.
package conceal
