// Package starter makes what init writes: a configuration, queries, a baseline of accepted runs,
// a recording and a workflow for a CI, all of which pass from the first day.
package starter
