// Package starter creates the files that init writes: a configuration, queries, a baseline of accepted runs, a
// recording and a CI workflow. The workflow and the gate pass without changes.
package starter
