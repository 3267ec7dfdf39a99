// Package outputtest is for tests: it has the runs that every runner.Output must pass. A new output needs one test,
// which calls Test with a function that opens it.
package outputtest
