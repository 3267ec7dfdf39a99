package consensus_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// agreeable stands for a language model; it finds any two answers equivalent.
type agreeable struct{}

func (agreeable) Complete(context.Context, model.Request) (model.Response, error) {
	return model.Response{Message: model.Message{Content: `{"equivalent": true, "difference": ""}`}}, nil
}

func ExampleDecider() {
	d := consensus.Decider{
		Stages:   []consensus.Stage{consensus.StageExact, consensus.StageVerifier, consensus.StageMajority},
		Verifier: &consensus.Verifier{Model: agreeable{}, Name: "test:agreeable", Cache: &consensus.Cache{}},
	}
	q := consensus.Question{ID: "q1", Text: "Who wrote Middlemarch, and how many parts has it?"}
	for _, shorts := range [][]string{{"George Eliot", "Mary Ann Evans"}, {"8", "6"}} {
		var ballots []consensus.Ballot
		for i, short := range shorts {
			tr := trace.Trace{ID: trace.ID{Trace: i}, Outcome: trace.Answered, Answer: short}
			ballots = append(ballots, consensus.NewBallot(tr, answer.Entity, answer.Options{}))
		}
		decision, err := d.Decide(context.Background(), q, ballots)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d classes, %d calls\n", decision.Method, len(decision.Votes), decision.Effort.Calls)
	}
	// Two numbers that differ are never shown to a model.

	// Output:
	// semantic: 1 classes, 2 calls
	// tie: 2 classes, 0 calls
}
