// Package cite audits the citations of a final message without a model. It checks whether every cited
// document exists, and whether the quotations, numbers, dates and names of a statement occur in the documents
// that it cites.
//
// It defines the syntax of citations ([corpus_1]), the division of a message into claims, and the checks
// C1–C6 and C8–C10 of docs/method.md §8. Negation (C7) and paraphrase need a language model and are not
// judged here: a claim that passes may still misread its source. Freshness, links and contradicting sources
// (C11–C13) are not checked either.
//
// Audit only checks answers. An abstention or a refusal claims nothing, so the caller must not audit it, nor
// a message of a trace in which no tool returned evidence.
//
// Package internal/value reads and compares numbers, dates and amounts. words.tsv has the word lists of the
// audit: stop words, titles, other forms of names, and the constants that a calculation may use.
// testdata/*.jsonl has honest paraphrases, and sentences with a wrong name; the tests measure the audit on
// them.
package cite
