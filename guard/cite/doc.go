// Package cite audits the citations of a final message without a model: does every cited document exist, and do the
// quotations, numbers, dates and names of a statement occur in what it cites?
//
// It owns the syntax of citations ([corpus_1]), the division of a message into claims, and the checks C1–C6 and
// C8–C10 of docs/method.md §8. Negation (C7) and paraphrase need a language model and are not judged here: a claim that
// passes may still misread its source. Freshness, links and contradicting sources (C11–C13) are not checked either.
//
// Only answers are audited. An abstention or a refusal claims nothing, and the caller
// must not have it audited; nor a message of a trace in which no tool returned evidence.
//
// internal/value defines what a number, a date or an amount is, and when two are equal; words.tsv holds what the
// audit itself knows: stop words, titles, other forms of names, and the constants that a calculation may use.
// testdata/*.jsonl are honest paraphrases and sentences with a swapped name, on which the audit is measured.
package cite
