package consensus_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/trace"
)

func ExampleDecide() {
	var ballots []consensus.Ballot
	for i, short := range []string{"1,771", "1770", "1771.0"} {
		tr := trace.Trace{ID: trace.ID{Query: "calc-04", Trace: i}, Outcome: trace.Answered, Answer: short}
		ballots = append(ballots, consensus.NewBallot(tr, answer.Integer, answer.Options{}))
	}
	d := consensus.Decide(ballots, []consensus.Stage{consensus.StageExact, consensus.StageMajority})
	fmt.Printf("%s: %s, agreement %.2f\n", d.Method, *d.Answer, *d.Agreement)
	for _, v := range d.Votes {
		fmt.Println(v.Key, v.Traces)
	}
	// Output:
	// majority: 1,771, agreement 0.67
	// int:1771 [0 2]
	// int:1770 [1]
}
