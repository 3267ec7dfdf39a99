package reporttest

import (
	"context"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Record returns the record of a query whose traces ended as the words say: "refused", "abstained", "no_answer" and
// "infra" are outcomes, and any other word is an answer and its own key.
func Record(query string, verdict judge.Ruling, reason string, words ...string) store.Record {
	r := store.Record{
		Configuration: "default", Query: query, Category: "lookup", Agent: "3f2a",
		Question: "Which river is the longest?", Expected: "Nile (or one alias)",
		Verdict: judge.Verdict{Verdict: verdict, By: "gold", Reason: reason},
	}
	ballots := make([]consensus.Ballot, len(words))
	for i, w := range words {
		b := consensus.Ballot{Trace: i, Outcome: trace.Outcome(w), Key: w}
		a := store.Answer{Trace: i, Outcome: b.Outcome, StopReason: trace.Final}
		switch b.Outcome {
		case trace.Refused, trace.Abstained:
		case trace.NoAnswer:
			b.Key, a.StopReason = "", trace.MaxSteps
		case trace.Infra:
			b.Key, a.StopReason = "", trace.Timeout
		default:
			b.Outcome, b.Answer, b.Key = trace.Answered, w, "text:"+w
			a.Outcome, a.Answer = trace.Answered, &w
		}
		ballots[i] = b
		r.Answers = append(r.Answers, a)
	}
	decider := consensus.Decider{Stages: []consensus.Stage{consensus.StageExact, consensus.StageMajority}}
	var err error
	if r.Consensus, err = decider.Decide(context.Background(), consensus.Question{}, ballots); err != nil {
		panic(err)
	}
	return r
}
