// Package value reads the values in a text: numbers, percentages, amounts of money, physical quantities and
// dates, with their places in the text.
//
// [Parse] reads a whole text as one value; [Find] lists the values of a running text. Both read values in the
// same way, so that answers, golds, sentences of sources and the offline model agree. [Same], [SameRounded] and
// [Differ] compare values, not their spelling.
//
// The meanings of words and signs are in tables: units.tsv, currencies.tsv, numbers.tsv, calendar.tsv,
// relations.tsv and lists.tsv, which are read at their first use. docs/datasets.md explains how to add a line.
//
// Numbers are exact rationals. The functions have no side effects, and their time is linear in the length of
// the text. The rules are those of docs/method.md §2.2.
//
// Of this module, it imports only internal/text.
package value
