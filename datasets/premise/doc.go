// Package premise recognises a message that denies the premise of its question: "There is no king of France" is such an
// answer to "How old is the king of France?".
//
// [Denial] needs no model. It compares the sentences of the message with phrases of eleven languages and with the words
// of the question; a phrase alone is not enough, so that "The hotel has no pool" does not deny that there is a hotel.
// The phrases are in languages/*.tsv, one file for each language; languages/en.tsv explains the second column.
// The rules are those of docs/method.md §2.2.
package premise
