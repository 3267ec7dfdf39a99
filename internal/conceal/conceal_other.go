//go:build !linux

package conceal

// Process does nothing: macOS shows the environment of a program to others of the same user by sysctl KERN_PROCARGS2,
// Windows its memory by ReadProcessMemory, and neither has a way for a program to forbid that. docs/models.md says so.
func Process() error { return nil }

// Closed reports whether other programs of the same user are kept from reading this one: not on these systems.
func Closed() bool { return false }
