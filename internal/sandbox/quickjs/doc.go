// Package quickjs is the sandbox for JavaScript that needs nothing but concur's own binary: the interpreter QuickJS in
// a child process, one job a child, with a spare child kept ready.
//
// The attacker is the script. Its first limit is the interpreter: it has console and no other object of the host,
// no modules, no network, bounded memory and a deadline. The second is the process: it has no environment, cannot open
// a file, is not root, and is killed after its time. It is no sandbox of the kernel: a fault in the interpreter that
// gives a script the process's memory gives it the rights of a user without files, not those of nobody in an empty
// system. On systems other than Linux only the interpreter, the empty environment and the kill hold.
package quickjs
