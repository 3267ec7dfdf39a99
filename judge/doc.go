// Package judge says whether an answer is right, and how good the way to it was.
//
// [Gold] is the deterministic match with the gold. [Correctness] and [Quality] ask a language model, never
// mixed (docs/method.md §7.2): the first sees question, reference and short answer only and may decide a pass,
// the second sees a whole trace. What others wrote is shown to the model as data (§7.6), and only a reply
// of the exact form that was asked for is believed: anything else leaves the answer unscored, with the
// reason, which is neither right nor wrong. [Pass] combines the verdicts.
package judge
