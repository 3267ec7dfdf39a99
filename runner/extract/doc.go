// Package extract reads the short answer of a final message with a language model, if the rules of
// datasets/answer find no answer. The model must quote words of the message and never sees the gold. Words
// that are not in the message, or are not a value of the answer's type, are refused.
//
// It imports datasets/answer, model, trace, guard/inject, model/asking, internal/strictyaml and
// internal/text.
package extract
