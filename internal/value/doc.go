// Package value reads the values in a text: numbers, percentages, amounts of money, physical
// quantities and dates, as typed values with their place in the text.
//
// There are two ways in: [Parse] reads a whole text as one value, [Find] lists the values
// of a running text. Both use the same scanners, so that an answer, the gold answer, a
// sentence of a source and what the offline model reads agree about what a number is.
// Values are compared as values ([Same], [SameRounded], [Differ]), never by their spelling.
//
// The meanings of words and signs are data: units.tsv, currencies.tsv, numbers.tsv, calendar.tsv, relations.tsv and
// lists.tsv, read once when first used. docs/datasets.md says how to add a line.
//
// Numbers are exact rationals. Every function is pure and linear in the length of the
// text. The rules are those of docs/method.md §2.2.
//
// It imports internal/text and nothing else of this module.
package value
