package consensus_test

import (
	"context"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/trace"
)

// stages is the full rule of this version.
func stages() []consensus.Stage {
	return []consensus.Stage{consensus.StageExact, consensus.StageMajority}
}

// countVotes counts the ballots by stages that ask no model.
func countVotes(ballots []consensus.Ballot, stages []consensus.Stage) consensus.Decision {
	d, err := consensus.Decider{Stages: stages}.Decide(context.Background(), question(), ballots)
	if err != nil {
		panic(err)
	}
	return d
}

// answered is the ballot of an answer that is its own key.
func answered(index int, key string, supporting ...string) consensus.Ballot {
	return consensus.Ballot{Trace: index, Outcome: trace.Answered, Answer: key, Key: key, Supporting: supporting}
}

// decision to refuse or abstain: a class of its own.
func decision(index int, o trace.Outcome) consensus.Ballot {
	return consensus.Ballot{Trace: index, Outcome: o, Key: string(o)}
}

// cast reads one letter per trace: r refused, a abstained, n no_answer, i infra, and
// anything else is an answer.
func cast(votes string) []consensus.Ballot {
	out := make([]consensus.Ballot, len(votes))
	for i, v := range votes {
		switch v {
		case 'r':
			out[i] = decision(i, trace.Refused)
		case 'a':
			out[i] = decision(i, trace.Abstained)
		case 'n':
			out[i] = consensus.Ballot{Trace: i, Outcome: trace.NoAnswer}
		case 'i':
			out[i] = consensus.Ballot{Trace: i, Outcome: trace.Infra}
		default:
			out[i] = answered(i, string(v))
		}
	}
	return out
}
