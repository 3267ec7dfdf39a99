package consensus

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/trace"
)

// Vote takes a vote among short answers to one question, without a model. Answers are compared as values of
// type t ("1,771" and "1771.0" are one integer); an empty answer does not vote. The quorum is more than half of
// all answers. It returns an error for an unknown type. A vote without a winner is not an error; its Method is
// None.
//
// To merge answers by a model, or for other quorums and stages, use a [Decider].
func Vote(answers []string, t answer.Type) (Decision, error) {
	if !slices.Contains(answer.Types(), t) {
		return Decision{}, fmt.Errorf("there is no answer type %q: choose one of %v", t, answer.Types())
	}
	ballots := make([]Ballot, len(answers))
	for i, short := range answers {
		tr := trace.Trace{ID: trace.ID{Trace: i}, Outcome: trace.Answered, Answer: short}
		if short == "" {
			tr.Outcome = trace.NoAnswer
		}
		ballots[i] = NewBallot(tr, t, answer.Options{})
	}
	decider := Decider{Stages: []Stage{StageExact, StageMajority}}
	return decider.Decide(context.Background(), Question{}, ballots)
}
