// Package consensus finds the answer on which K traces agree: ballots in, a Decision out
// (methods.md §3.2). It counts answers by their typed canonical key, never by surface,
// and nothing in it depends on the order in which traces finished.
//
// [Decide] is the deterministic part. A [Decider] adds the stages that ask a language
// model: the [Verifier], which merges classes that mean the same (§3.3), and the
// [Picker], which chooses between classes. Both show a model data that others wrote, and
// believe only a reply of the exact form that they asked for.
//
// It may import datasets/answer, runner/model, runner/trace and runner/guard/inject.
package consensus
