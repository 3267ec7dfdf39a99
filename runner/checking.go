package runner

import (
	"cmp"
	"context"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/checking"
	"github.com/seed-5817661a/concur/judge/program"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// check decides the checks of a query for each of its traces, adds the results to the record, and combines them
// with the verdicts of the traces. If the votes are by checks, it sets the classes of the ballots. usd has the
// cost of each trace; nil if the cost is unknown. check returns only the error of ctx.
func (s *schedule) check(ctx context.Context, a *questioners, q datasets.Query, traces []store.FinishedTrace,
	usd []*float64, ballots []consensus.Ballot, r *store.Record) error {
	if len(q.Checks) == 0 {
		return nil
	}
	list, err := checking.Prepare(q.Checks)
	for i, t := range traces {
		of := &r.Answers[i]
		if !t.Outcome.Votes() || a.recording(t.ID).Verdict != nil {
			continue
		}
		if err != nil { // a dataset that was not read from a file
			of.Checks = []checking.Result{checking.Undecided("%v", err)}
		} else if of.Checks, err = list.Check(ctx, s.subjectOf(a, q, t, usd[i], r)); err != nil {
			return err
		}
		v := checking.Verdict(of.Checks)
		of.Verdict = judge.Both(judge.Verdict{Verdict: of.Verdict}, v).Verdict
		if !q.VotesByChecks() {
			continue
		}
		if of.Verdict == judge.Unscored { // nothing is known of the trace by which it could vote
			ballots[i].Outcome, of.Key = trace.Infra, nil
			continue
		}
		ballots[i] = ballots[i].ByChecks(checking.Key(of.Verdict, of.Checks), of.Verdict == judge.Correct)
		of.Key = &ballots[i].Key
	}
	return nil
}

// subjectOf returns the data of one trace that the checks of a query need. It adds the usage of a model for
// embeddings to the record.
func (s *schedule) subjectOf(a *questioners, q datasets.Query, t store.FinishedTrace, usd *float64,
	r *store.Record) checking.Subject {
	subject := checking.Subject{Message: cmp.Or(t.Message, t.Answer)} // some agents give only an answer
	subject.Outside = func(ctx context.Context, c checks.Check, text string) checking.Result {
		switch {
		case c.Kind == checks.Similar && a.Similarity == nil:
			return checking.Undecided("no model for embeddings is open here")
		case c.Kind == checks.Similar:
			result, effort := a.Similarity.Decide(ctx, c, q.ID, text)
			s.chargeJudge(&a.Arm, r, a.Similarity.Name, effort)
			return result
		case c.Kind == checks.Exec && s.plan.Programs == nil, c.Kind == checks.Tests && s.plan.Tests == nil:
			return checking.Undecided("no program can be run here")
		}
		asked := program.Question{ID: q.ID, Query: q.Text, Meta: q.Meta, Message: subject.Message, Answer: subject.Answer}
		asked.Tell(t.Events)
		if c.Kind == checks.Tests {
			return s.plan.Tests.Decide(ctx, c, asked)
		}
		return s.plan.Programs.Decide(ctx, c, asked)
	}
	if t.Outcome == trace.Answered {
		subject.Answer = &t.Answer
	}
	seconds, known := t.Timing.WallS, t.Timing.WallS > 0
	if s.plan.Seconds != nil && checks.Uses(q.Checks, checks.MaxSeconds) {
		seconds, known = s.plan.Seconds(t.ID)
	}
	if known {
		subject.Seconds = &seconds
	}
	// If an external agent reports no tool call, it may still have made calls that concur does not see.
	if t.ModelCalls > 0 || !a.Configuration.Agent.External.Used() {
		tokens := t.Usage.InputTokens + t.Usage.OutputTokens
		subject.Tokens, subject.USD = &tokens, usd
	}
	return subject
}

// goldOf returns the verdict of a query's gold on a subject. If the query has no gold, the verdict is correct
// for any subject with a message; the checks decide the rest.
func goldOf(q datasets.Query, subject judge.Subject) judge.Verdict {
	switch {
	case q.HasGold() || subject.Unscored:
		return judge.Gold(q.Gold, subject)
	case !subject.Outcome.Votes():
		return judge.Verdict{Verdict: judge.Incorrect, By: judge.ByChecks, Reason: "there is no message to check"}
	}
	return judge.Verdict{Verdict: judge.Correct, By: judge.ByChecks, Reason: string(subject.Outcome)}
}

// withChecks combines a verdict with the result of the checks on a trace.
func withChecks(q datasets.Query, v judge.Verdict, of store.Answer) judge.Verdict {
	switch checked := checking.Verdict(of.Checks); {
	case len(of.Checks) == 0:
		return v
	case !q.HasGold() && v.By == judge.ByChecks && v.Verdict == judge.Correct:
		return checked
	default:
		return judge.Both(v, checked)
	}
}

// undecidedCheck returns the reason why a check of a trace could not be decided. It returns "" if all checks
// were decided.
func undecidedCheck(answers []store.Answer) string {
	for _, a := range answers {
		if v := checking.Verdict(a.Checks); len(a.Checks) > 0 && v.Verdict == judge.Unscored {
			return v.Reason
		}
	}
	return ""
}
