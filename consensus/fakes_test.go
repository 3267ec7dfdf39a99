package consensus_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
)

// oracle finds equivalent what same says of the two answers as they are shown.
func oracle(same func(a, b string) bool) *askingtest.Fake {
	return &askingtest.Fake{Answer: func(_ context.Context, req model.Request) (string, error) {
		shown := askingtest.Blocks(req)
		return verdict(same(shown["answer A"], shown["answer B"])), nil
	}}
}

func verdict(equivalent bool) string {
	return fmt.Sprintf(`{"equivalent": %t, "difference": ""}`, equivalent)
}

func verified(m model.Model) consensus.Decider {
	return consensus.Decider{
		Stages:   []consensus.Stage{consensus.StageExact, consensus.StageVerifier, consensus.StageMajority},
		Verifier: &consensus.Verifier{Model: m, Name: "test:fake"},
	}
}

func question() consensus.Question {
	return consensus.Question{ID: "q1", Text: "Who wrote the novel?"}
}

// yes finds everything equivalent.
func yes(string, string) bool { return true }
