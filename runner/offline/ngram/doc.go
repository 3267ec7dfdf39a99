// Package ngram implements offline:ngram, a small language model that needs neither network nor key. It gives the
// probabilities of words, so that methods which measure how likely a text is can be tested and shown without a server.
//
// The model is an interpolated Kneser-Ney model of three words. Below the single words is a model of bytes, so every
// text has a probability above 0. A cache of the words of the prefix and of the text so far is mixed in: what the
// prefix names becomes likelier. For every context, the probabilities of all words sum to 1. The model learns from the
// built-in corpus at its first use. It is deterministic. docs/method.md has the formulas, with their sources.
//
// Its figures are those of a model that has read 14,000 words: compare them with each other, not with those of a large
// language model.
package ngram
