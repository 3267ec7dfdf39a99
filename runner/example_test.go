package runner_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// guesser is an agent without a model; every third of its traces is wrong.
type guesser struct{}

func (guesser) Run(_ context.Context, task agent.Task) trace.Trace {
	t := trace.Trace{ID: task.ID, Outcome: trace.Answered, StopReason: trace.Final, Answer: "Lima", Extract: "line"}
	if task.ID.Trace%3 == 2 {
		t.Answer = "Cusco"
	}
	t.Message = "Answer: " + t.Answer
	task.Emit(0, t.Conclusion())
	return t
}

// printer is an output that prints how queries were decided.
type printer struct{ runner.NoOutput }

func (printer) Record(r store.Record) {
	fmt.Println(r.Query, r.Consensus.Method, *r.Consensus.Answer, r.Verdict.Verdict)
}

func ExamplePlan_Run() {
	runs, err := os.MkdirTemp("", "runs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(runs)
	out, err := store.Create(runs, store.Manifest{Run: "capitals", Start: time.Now()})
	if err != nil {
		fmt.Println(err)
		return
	}

	conf := config.New() // K is 3
	conf.Consensus.Stages = []consensus.Stage{consensus.StageExact, consensus.StageMajority}
	p := runner.Plan{
		Dataset: queries.Of(datasets.New("capitals", []datasets.Query{{
			ID: "peru", Text: "What is the capital of Peru?",
			Gold: datasets.Gold{Type: answer.Entity, Answer: "Lima"},
		}})),
		Seed: 1,
		Arms: []runner.Arm{{Configuration: conf, AgentHash: "guesser", Agent: guesser{}}},
	}
	err = p.Run(context.Background(), out, runner.Control{Outputs: []runner.Output{printer{}}})
	fmt.Println(err, out.Finish(store.Complete, time.Now()))
	// Output:
	// peru majority Lima correct
	// <nil> <nil>
}
