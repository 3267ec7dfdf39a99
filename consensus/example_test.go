package consensus_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/trace"
)

func ExampleDecider_withoutModel() {
	var ballots []consensus.Ballot
	for i, short := range []string{"1,771", "1770", "1771.0"} {
		tr := trace.Trace{ID: trace.ID{Query: "calc-04", Trace: i}, Outcome: trace.Answered, Answer: short}
		ballots = append(ballots, consensus.NewBallot(tr, answer.Integer, answer.Options{}))
	}
	decider := consensus.Decider{Stages: []consensus.Stage{consensus.StageExact, consensus.StageMajority}}
	d, err := decider.Decide(context.Background(), consensus.Question{ID: "calc-04"}, ballots)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %s, agreement %.2f\n", d.Method, *d.Answer, *d.Agreement)
	for _, v := range d.Votes {
		fmt.Println(v.Key, v.Traces)
	}
	// Output:
	// majority: 1,771, agreement 0.67
	// int:1771 [0 2]
	// int:1770 [1]
}
