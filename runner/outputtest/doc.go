// Package outputtest tests implementations of runner.Output. A new output needs one test, which calls Test
// with a function that opens the output.
package outputtest
