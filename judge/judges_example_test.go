package judge_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// strict stands for a language model; it finds every answer half right.
type strict struct{}

func (strict) Complete(context.Context, model.Request) (model.Response, error) {
	return model.Response{Message: model.Message{Content: `{"extracted_answer": "a river", ` +
		`"criteria": {"correct": false, "complete": false, "contradicts_reference": false, "grounded": null}, "score": 3, "confidence": 80}`}}, nil
}

func ExampleCorrectness() {
	c := judge.Correctness{Settings: judge.Settings{Model: strict{}, Name: "test:strict", Cache: &judge.Cache{}}}
	q := datasets.Query{ID: "q1", Text: "Which river flows through Vienna?", Gold: datasets.Gold{
		Type: answer.Entity, Answer: "Danube", Outcome: trace.Answered,
	}}
	for _, short := range []string{"Danube.", "a river in Austria", ":"} {
		j, err := c.Judge(context.Background(), q, judge.Subject{Outcome: trace.Answered, Answer: short})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s after %d calls: %s\n", j.Verdict.Verdict, j.Calls, j.Verdict.Reason)
	}
	// Output:
	// correct after 0 calls: equal entities
	// incorrect after 1 calls: score 3, 4 needed; not correct, not complete
	// incorrect after 0 calls: the answer is empty: neither a letter nor a number
}

// fair stands for a language model that likes what it reads.
type fair struct{}

func (fair) Complete(context.Context, model.Request) (model.Response, error) {
	return model.Response{Message: model.Message{Content: `{"reasoning": 4, "tool_choice": 5, "helpfulness": 4, "relevance": 5, "score": 4}`}}, nil
}

func ExampleQuality() {
	j := judge.Quality{Settings: judge.Settings{Model: fair{}, Name: "test:fair"}}
	id := trace.ID{Query: "q1", Trace: 1}
	events := []trace.Event{
		{ID: id, Body: trace.Thought{Content: "I look the river up."}},
		{ID: id, Step: 1, Body: trace.Conclusion{Message: "Answer: Danube", Outcome: trace.Answered, StopReason: trace.Final}},
	}
	got, err := j.Judge(context.Background(), datasets.Query{ID: "q1", Text: "Which river flows through Vienna?"}, events)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("trace %d: %d of 5, %s\n", got.Trace, *got.Score, got.Verdict.Verdict)
	// Output: trace 1: 4 of 5, correct
}

func ExamplePass() {
	correctness := judge.Verdict{Verdict: judge.Correct, By: judge.ByCorrectness, Reason: "score 5, 4 needed"}
	quality := judge.Verdict{Verdict: judge.Unscored, By: judge.ByInfra, Reason: "the judge's model failed"}
	gold := judge.Verdict{Verdict: judge.Correct, By: judge.ByGold, Reason: "equal entities"}
	for _, mode := range []judge.Mode{judge.PassGold, judge.PassCorrectness, judge.PassQuality, judge.PassBoth} {
		fmt.Println(mode, judge.Pass(mode, gold, &correctness, &quality).Verdict)
	}
	// Output:
	// gold correct
	// correctness correct
	// quality unscored
	// both unscored
}
