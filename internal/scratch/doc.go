// Package scratch makes temporary folders that do not outlive their process for long: what a killed process leaves is
// removed when the next one makes a folder of the same kind; an empty folder, when it is an hour old.
package scratch
