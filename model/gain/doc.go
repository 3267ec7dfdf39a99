// Package gain computes what the result of a tool call is worth for a text: how much likelier the text is with the
// result than without it (docs/method.md §5.12). It is arithmetic on log-probabilities, and asks no model.
package gain
