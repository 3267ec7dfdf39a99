// Package answer turns the text of a model into values that can be compared.
//
// [Extract] finds the short answer in a final message. [Normalize] reads a short answer as a value of a type,
// with a canonical key. [Match] and [ContainsTokens] compare an answer with a gold. A vote and a comparison
// with the gold use the same keys, so an answer has the same value in both.
//
// All functions are deterministic and have no side effects; numbers are exact rationals, never floats. The
// rules are those of docs/method.md §2.2. [Version] is their version: if a change of the code changes any key,
// the version must change, too.
//
// Package internal/value reads numbers, units and dates; this package decides which parts of them matter for a
// type. Words and phrases are in tables: prose.tsv, refusals.tsv and words.tsv for English, languages/*.tsv for
// other languages; sources.tsv has the sources of the rows.
package answer
