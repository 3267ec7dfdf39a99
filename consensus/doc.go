// Package consensus finds the answer on which K traces agree: ballots in, a Decision out
// (methods.md §3.2). It counts answers by their typed canonical key, never by surface,
// and nothing in it depends on the order in which traces finished.
//
// It may import datasets/answer, runner/model, runner/trace and runner/guard/inject.
package consensus
