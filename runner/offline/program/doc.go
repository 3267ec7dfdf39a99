// Package program writes a JavaScript program for a question in English, by fixed rules. It knows a closed list of
// shapes: sums, counts and averages over a range of whole numbers, with conditions; divisors, primes and Fibonacci
// numbers; days between dates; counting in texts, and texts backwards; sorting. For other questions it writes nothing.
//
// The rules are data: shapes.tsv has the words of questions and the expressions for them, helpers.js the functions of
// the expressions. No rule has an answer.
package program
