// Package execution compares what the last statement of a trace returns with what the statement of a gold returns.
// Both are executed with the same database, so that only their rows count and never their text (docs/method.md §2.3).
//
// [Databases] executes each statement once. It is given the results of an earlier run, so that a replay and a
// rejudge give the same verdicts without the database.
package execution
