// Package consensus finds the answer on which K traces agree: it turns ballots into a Decision (docs/method.md §3.2).
// Answers are compared by their typed canonical key, and the order in which traces finish has no effect.
//
// A [Decider] applies the stages of the vote. Two of them ask a language model: the [Verifier] merges
// classes that mean the same (§3.3), and the [Picker] chooses between classes. Both show the model texts of
// other authors as data, and accept only a reply of the exact requested form.
package consensus
