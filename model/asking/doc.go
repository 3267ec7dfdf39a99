// Package asking puts a closed question to a language model: it fences data so that no text in it looks like the
// prompt, retries once, reads a reply in one way or refuses it, and caches results.
//
// Prompts belong to its callers, the verifier and the judges. It imports model.
package asking
