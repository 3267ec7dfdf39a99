// Package decisions answers questions about recorded answers one by one: on which answer do these agree, and which of
// them equal the gold? It reads a question per line and writes its decision at once, so that another program can keep
// one process and ask it many questions.
package decisions
