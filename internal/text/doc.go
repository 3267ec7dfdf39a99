// Package text has the functions for text that several packages need: folding to one form with a way back to
// the original ([Map]), lines and sentences, and tokens.
//
// All functions are pure, total (any bytes are read) and linear in the length of the text.
//
// It imports nothing else of this module and may be imported by every package.
package text
