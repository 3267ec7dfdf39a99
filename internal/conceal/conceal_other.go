//go:build !linux

package conceal

// Process does nothing: macOS shows the environment of a program to others of the same user by sysctl
// KERN_PROCARGS2, Windows shows its memory by ReadProcessMemory, and neither lets a program forbid that.
// docs/models.md says so.
func Process() error { return nil }

// Descriptors does nothing on these systems, which have no engine that starts programs of others in a sandbox.
func Descriptors() error { return nil }

// Closed reports whether other programs of the same user cannot read this process: never on these systems.
func Closed() bool { return false }
