package talk

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Of returns turn n of a conversation, from 0, as a query with its traces. The query's history has only the
// messages of the person, which are the same in all traces; each trace has its own conversation. A trace that
// ended before the turn counts as lost.
func Of(q datasets.Query, traces []store.FinishedTrace, n int) (datasets.Query, []store.FinishedTrace) {
	out := make([]store.FinishedTrace, len(traces))
	for i, all := range traces {
		t := store.FinishedTrace{Path: model.TurnPath(n), Trace: trace.Trace{Outcome: trace.Infra, StopReason: all.StopReason,
			Extract: all.Extract, Cause: cmp.Or(all.Cause, fmt.Sprintf("the recording has no turn %d", n+1))}}
		if n < len(all.Turns) {
			t.Trace = all.Turns[n]
			t.Earlier = slices.Concat(q.History, history(q, all.Turns[:n]))
		}
		t.ID = all.ID
		t.Children = slices.Clone(t.Children)
		for j := range t.Children {
			if inner, ok := model.WithinTurn(t.Children[j].Path); ok {
				t.Children[j].Path = inner
			}
		}
		for _, e := range all.Events {
			if inner, _ := model.WithinTurn(e.Path); strings.TrimSuffix(e.Path, "/"+inner) == t.Path {
				e.Path = inner
				t.Events = append(t.Events, e)
			}
		}
		out[i] = t
	}
	return q.Turn(n, q.MessagesBefore(n)), out
}

// Join adds answers, consensus, verdict and usage to the record of a conversation. turns are the records of its turns.
//
// Traces agree if the consensus of every turn puts their answers into the same class, and the conversation's
// consensus is the majority over these classes. The verdict does not depend on the consensus: it is correct if
// the verdict on every turn is correct.
func Join(ctx context.Context, r *store.Record, traces []store.FinishedTrace, turns []store.Record,
	quorum consensus.Quorum) error {
	ballots := make([]consensus.Ballot, len(traces))
	for i, t := range traces {
		r.Answers[i], ballots[i] = answerOf(t, i, turns)
	}
	var err error
	d := consensus.Decider{Stages: []consensus.Stage{consensus.StageExact, consensus.StageMajority}, Quorum: quorum}
	if r.Consensus, err = d.Decide(ctx, consensus.Question{ID: r.Query, Text: r.Question}, ballots); err != nil {
		return err
	}
	all := &r.Consensus
	all.KCurve = all.KCurve && len(traces) == 1 // fewer traces can change the consensus of each turn
	for _, t := range turns {
		of := t.Consensus
		all.Unscored = all.Unscored || of.Unscored
		all.Calls += of.Calls
		all.Errors += of.Errors
		all.Unparseable += of.Unparseable
		all.Unread += of.Unread
		all.UnreadTokens += of.UnreadTokens
		all.Intransitive += of.Intransitive
		all.Canaries = cmp.Or(all.Canaries, of.Canaries)
		all.PickCanaries = cmp.Or(all.PickCanaries, of.PickCanaries)
		r.Usage.Add(t.Usage)
		r.Timing = addTimes(r.Timing, t.Timing)
		r.Extraction = sumExtractions(r.Extraction, t.Extraction)
		r.Statements = append(r.Statements, t.Statements...)
		r.Turns = append(r.Turns, store.Turn{Question: t.Question, Rewritten: t.Rewritten, Expected: t.Expected,
			Answers: t.Answers, Consensus: t.Consensus, Verdict: t.Verdict, Judgements: t.Judgements,
			Extraction: t.Extraction})
	}
	n := 0
	n, r.Verdict = verdict(turns)
	r.Judgements = turns[n].Judgements
	return nil
}

// answerOf returns the record's entry for the i-th trace, and its vote.
func answerOf(t store.FinishedTrace, i int, turns []store.Record) (store.Answer, consensus.Ballot) {
	a := store.Answer{
		Trace: t.Trace.Trace, Outcome: t.Outcome, StopReason: t.StopReason,
		Steps: t.Steps, ToolCalls: t.ToolCalls, Actions: t.Actions, Repeated: t.Repeated, FailedCalls: t.FailedCalls,
		Extract: t.Extract, Format: t.Format, Grounded: t.Grounded, Grounding: t.Grounding, Verdict: judge.Correct,
	}
	b := consensus.Ballot{Trace: t.Trace.Trace, Outcome: t.Outcome, Answer: t.Answer, Message: t.Message,
		Supporting: t.Supporting}
	if t.Outcome == trace.Answered {
		a.Answer = &b.Answer
	}
	if cause, _, _ := strings.Cut(t.Cause, "\n"); cause != "" {
		a.Cause = &cause
	}
	var keys []string
	for _, of := range turns {
		turn := of.Answers[i]
		keys = append(keys, classOf(of.Consensus, turn))
		switch {
		case turn.Verdict == judge.Unscored || a.Verdict == judge.Unscored:
			a.Verdict = judge.Unscored
		case turn.Verdict == judge.Incorrect:
			a.Verdict = judge.Incorrect
		}
	}
	if t.Outcome.Votes() {
		b.Key = strings.Join(keys, " / ")
		a.Key = &b.Key
	}
	return a, b
}

// classOf returns the key of the class that the answer of a turn belongs to.
func classOf(d consensus.Decision, a store.Answer) string {
	for _, class := range d.Votes {
		if slices.Contains(class.Traces, a.Trace) {
			return class.Key
		}
	}
	return "none"
}

// verdict returns the verdict on a conversation, and the turn that decides it. This is the first turn without a
// verdict, otherwise the first wrong turn, otherwise the last turn.
func verdict(turns []store.Record) (int, judge.Verdict) {
	for _, ruling := range []judge.Ruling{judge.Unscored, judge.Incorrect} {
		for n, t := range turns {
			if v := t.Verdict; v.Verdict == ruling {
				v.Reason = fmt.Sprintf("turn %d of %d: %s", n+1, len(turns), v.Reason)
				return n, v
			}
		}
	}
	last := len(turns) - 1
	by := turns[last].Verdict.By
	for _, t := range turns { // one that another judge than the gold decided is named
		if by == judge.ByGold {
			by = t.Verdict.By
		}
	}
	return last, judge.Verdict{Verdict: judge.Correct, By: by, Reason: fmt.Sprintf("all turns (%d) are right", len(turns))}
}

// addTimes adds the time of verifier, extractor and judges in a turn, and the calls that were sent for them.
func addTimes(t, of store.Timing) store.Timing {
	t.CallsSent += of.CallsSent
	t.VerifierS += of.VerifierS
	t.UnreadS += of.UnreadS
	t.ExtractorS += of.ExtractorS
	t.JudgeS += of.JudgeS
	t.JudgeUnreadS += of.JudgeUnreadS
	return t
}

// sumExtractions returns the sum of two extractions.
func sumExtractions(a, b *store.Extraction) *store.Extraction {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	out := *a
	out.Messages += b.Messages
	out.Read += b.Read
	out.Refused += b.Refused
	out.Effort = out.Effort.Add(b.Effort)
	out.Canaries = cmp.Or(out.Canaries, b.Canaries)
	return &out
}
