// Package linediff finds the lines in which two texts differ, and shows them in a form that cannot control a
// terminal.
package linediff
