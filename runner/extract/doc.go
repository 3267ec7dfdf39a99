// Package extract reads the short answer of a final message with a language model, where the rules of
// datasets/answer find none. The model is asked for words of the message and never sees the gold; words
// that the message does not have, or that are no value of the answer's type, are refused.
//
// It imports datasets/answer, model, trace, guard/inject, model/asking,
// internal/strictyaml and internal/text.
package extract
