package main

import (
	"testing"

	"github.com/seed-5817661a/concur/consensus"
)

// What a verifier said is remembered for the same model at the same temperature alone.
func TestVerifiersShareWhatWasAsked(t *testing.T) {
	r := remembered{verifiers: map[string]*consensus.Cache{}}
	first := r.verifier("openai:a", .5)
	if r.verifier("openai:a", .5) != first {
		t.Error("the same verifier forgets")
	}
	if r.verifier("openai:a", .25) == first || r.verifier("openai:a", 0) == first {
		t.Error("another temperature answers")
	}
	if r.verifier("openai:b", .5) == first {
		t.Error("another model answers")
	}
}
