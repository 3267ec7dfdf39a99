// Package usefulness measures for a recorded run what each call of a tool was worth: how much likelier its result made
// the right answer, for a model that gives log-probabilities (docs/method.md §5.12). Scores are kept in the run folder,
// in a file of their own. Nothing else reads them for a verdict.
package usefulness
