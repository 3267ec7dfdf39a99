// Package judge decides whether an answer is right, and how well the agent reached it.
//
// [Gold] compares an answer with the gold by fixed rules. [Correctness] and [Quality] ask a language model,
// in separate calls (docs/method.md §7.2): the first sees only question, reference and short answer and may
// decide a pass; the second sees a whole trace. Text from agents and tools is shown to the model as data
// (§7.6). A reply counts only if it has exactly the requested form; otherwise the answer is unscored, with
// the reason, and counts neither as right nor as wrong. [Pass] combines the verdicts.
package judge
