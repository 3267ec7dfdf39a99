// Package text has functions for text that several packages need: folding to one form with a way back to the
// original ([Map]), lines and sentences, and tokens.
//
// The functions have no side effects, accept any bytes, and take time linear in the length of the text.
//
// It imports no package of this module, and every package may import it.
package text
