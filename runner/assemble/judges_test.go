package assemble

import (
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/runner/config"
)

// A verifier's answer is cached only for the same model with the same settings.
func TestVerifiersShareWhatWasAsked(t *testing.T) {
	c := &Session{verifierCaches: map[string]*consensus.Cache{}}
	first := c.verifierCache("openai:a", config.Verifier{Temperature: .5})
	if c.verifierCache("openai:a", config.Verifier{Temperature: .5}) != first {
		t.Error("the same verifier forgets")
	}
	if c.verifierCache("openai:a", config.Verifier{Temperature: .25}) == first || c.verifierCache("openai:a", config.Verifier{Temperature: 0}) == first {
		t.Error("another temperature answers")
	}
	if c.verifierCache("openai:a", config.Verifier{Temperature: .5, MaxTokens: 9}) == first {
		t.Error("another length answers")
	}
	if c.verifierCache("openai:b", config.Verifier{Temperature: .5}) == first {
		t.Error("another model answers")
	}
}
