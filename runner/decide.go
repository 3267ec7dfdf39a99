package runner

import (
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

type clock = func() time.Time

// decide turns the K traces of a query into its record: consensus, verdict, usage.
// Except for the timing it depends on the traces alone.
func (p Plan) decide(q datasets.Query, traces []timedTrace) store.Record {
	ballots := make([]consensus.Ballot, len(traces))
	r := store.Record{
		Configuration: p.Configuration.Name, Query: q.ID, Category: q.Category, Question: q.Text, Agent: p.AgentHash,
		Answers: make([]store.Answer, len(traces)),
	}
	for i, t := range traces {
		ballots[i] = consensus.NewBallot(t.Trace, q.Gold.Type)
		r.Answers[i] = answerOf(q.Gold, t.Trace, ballots[i])
		r.Usage.ModelCalls += t.ModelCalls
		r.Usage.ToolCalls += t.ToolCalls
		r.Usage.Usage = r.Usage.Usage.Add(t.Usage)
		r.Timing.CallsSent += t.calls
		r.Timing.TracesS = append(r.Timing.TracesS, t.seconds)
	}
	r.Consensus = consensus.Decide(ballots, p.stages())
	r.Verdict = judge.Gold(q.Gold, subject(r.Consensus, traces))
	return r
}

// subject is what the judge sees of a decision: the answer, and the message of the
// trace that stands for it.
func subject(d consensus.Decision, traces []timedTrace) judge.Subject {
	s := judge.Subject{Outcome: d.Outcome, Unscored: d.Unscored}
	if d.Representative != nil {
		t := traces[*d.Representative]
		s.Answer, s.Message = t.Answer, t.Message
	}
	return s
}

func answerOf(g datasets.Gold, t trace.Trace, b consensus.Ballot) store.Answer {
	a := store.Answer{
		Trace: t.Trace, Outcome: t.Outcome, StopReason: t.StopReason,
		Steps: t.Steps, ToolCalls: t.ToolCalls, Extract: t.Extract,
		Verdict: judge.Gold(g, judge.Subject{
			Outcome: t.Outcome, Answer: t.Answer, Message: t.Message, Unscored: t.Outcome == trace.Infra,
		}).Verdict,
	}
	if t.Outcome == trace.Answered {
		a.Answer = &t.Answer
	}
	if b.Key != "" {
		a.Key = &b.Key
	}
	return a
}
