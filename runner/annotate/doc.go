// Package annotate makes training data in the way of Toolformer (Schick et al. 2023, arXiv 2302.04761, section 2): it
// proposes calls of tools within the texts of a corpus, runs them, and keeps a call if its result makes the text that
// follows likelier.
//
// A corpus is read as a stream and the results are appended to a folder, so the memory does not grow with the corpus,
// and work that was interrupted goes on. docs/toolformer.md describes the steps and the files.
package annotate
