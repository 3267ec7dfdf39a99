package consensus_test

import (
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
)

// A verifier that failed leaves a plurality or a tie unscored, since its answer could have
// changed the winner. A majority stays a majority whatever it would have answered.
func TestFailedVerifier(t *testing.T) {
	for _, c := range []struct {
		name     string
		shorts   []string
		method   consensus.Method
		unscored bool
	}{
		{"a tie", []string{"a", "b", "c"}, consensus.Tie, true},
		{"a plurality", []string{"a", "a", "b", "c", "d"}, consensus.Plurality, true},
		{"a majority", []string{"a", "a", "b"}, consensus.Majority, false},
	} {
		failing := askingtest.Script("!", "!", "!", "!", "!", "!", "!", "!")
		d := decide(t, verified(failing), typed(answer.Text, c.shorts...))
		if d.Method != c.method || d.Unscored != c.unscored || d.Effort.Errors == 0 {
			t.Errorf("%s: %s, unscored %t, %d errors; want %s, unscored %t", c.name, d.Method, d.Unscored, d.Effort.Errors, c.method, c.unscored)
		}
		working := decide(t, verified(oracle(related())), typed(answer.Text, c.shorts...))
		if working.Method != c.method || working.Unscored {
			t.Errorf("%s: a verifier that works gives %s, unscored %t", c.name, working.Method, working.Unscored)
		}
	}
}
