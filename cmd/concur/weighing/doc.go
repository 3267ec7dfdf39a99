// Package weighing has the commands that measure with a scorer what calls of tools are worth: usefulness, for the
// calls of a run, and annotate, for calls that could be in the texts of a corpus.
package weighing
