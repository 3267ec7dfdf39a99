package judge_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

func ExampleGold() {
	gold := datasets.Gold{
		Type: answer.Integer, Answer: "8849",
		AllOf:   [][]string{{"Everest", "Chomolungma"}},
		Outcome: trace.Answered,
	}
	for _, s := range []judge.Subject{
		{Outcome: trace.Answered, Answer: "8,849 m", Message: "Mount Everest [corpus_1] rises highest.\nAnswer: 8,849 m"},
		{Outcome: trace.Answered, Answer: "8,849 m", Message: "The highest mountain [corpus_1].\nAnswer: 8,849 m"},
		{Outcome: trace.Abstained, Message: "Answer: [ABSTAIN]"},
	} {
		v := judge.Gold(gold, s)
		fmt.Printf("%s: %s\n", v.Verdict, v.Reason)
	}
	// Output:
	// correct: equal integers; all keywords present
	// incorrect: missing: Everest or Chomolungma
	// incorrect: abstained; expected 8849
}
