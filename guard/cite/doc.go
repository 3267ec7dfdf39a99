// Package cite audits the citations of a final message without a model. It checks whether every cited document
// exists, and whether the quotations, numbers, dates and names of a statement occur in the documents that it
// cites.
//
// It defines the syntax of citations ([corpus_1]), the division of a message into claims, and the checks C1–C6
// and C8–C10 of docs/method.md §8. Negation (C7) and paraphrase need a language model and are not judged here:
// a claim that passes may still misread its source. Freshness, links and contradicting sources (C11–C13) are
// not checked either.
//
// Audit only checks answers. The caller must not audit an abstention or a refusal, because it claims nothing.
// The caller must also not audit a message of a trace in which no tool returned evidence.
//
// Package internal/value reads and compares numbers, dates and amounts. words.tsv has the word lists of the
// audit: stop words, titles, other forms of names, and the constants that a calculation may use.
// testdata/*.jsonl has honest paraphrases, and sentences with a wrong name. The tests measure how often the
// audit is right about them.
package cite
