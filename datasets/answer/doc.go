// Package answer turns what a model wrote into something that can be compared.
//
// It owns three things: the extraction of the short answer from a final message ([Extract]), the typed canonical key
// of a short answer ([Normalize]), and the match of an answer against a gold answer ([Match], [ContainsTokens]).
// Votes compare keys, gold matching compares the same keys, so the two cannot disagree about what an answer is.
//
// Every function is pure and deterministic; numbers are exact rationals, never floats. The rules are those of
// docs/method.md §2.2, under the name in [Version]: a change of any key is a new version.
//
// What a number, a unit or a date is, internal/value knows; this package says what of it counts for a type. Words and
// phrases are tables: prose.tsv, refusals.tsv and words.tsv of
// English, languages/*.tsv of the others; sources.tsv names where the rows are from.
package answer
