package main

import (
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/runner/config"
)

// What a verifier said is remembered for the same model with the same settings alone.
func TestVerifiersShareWhatWasAsked(t *testing.T) {
	r := remembered{verifiers: map[string]*consensus.Cache{}}
	first := r.verifier("openai:a", config.Verifier{Temperature: .5})
	if r.verifier("openai:a", config.Verifier{Temperature: .5}) != first {
		t.Error("the same verifier forgets")
	}
	if r.verifier("openai:a", config.Verifier{Temperature: .25}) == first || r.verifier("openai:a", config.Verifier{Temperature: 0}) == first {
		t.Error("another temperature answers")
	}
	if r.verifier("openai:a", config.Verifier{Temperature: .5, MaxTokens: 9}) == first {
		t.Error("another length answers")
	}
	if r.verifier("openai:b", config.Verifier{Temperature: .5}) == first {
		t.Error("another model answers")
	}
}
