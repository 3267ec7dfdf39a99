// Package asking asks a language model a closed question. It puts borders around data, so that no text in the
// data looks like the prompt. It reads a reply in exactly one way or refuses it, retries once, and caches
// results.
//
// Its callers, such as the verifier and the judges, have the prompts. It imports model.
package asking
