// Package asking asks a language model a closed question. It puts borders around data, so that no text in the
// data looks like the prompt. If a reply can be read in more than one way, it is refused, and the question is
// asked once more. Results are cached.
//
// Its callers, such as the verifier and the judges, have the prompts. It imports model.
package asking
