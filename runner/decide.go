package runner

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/extract"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/talk"
	"github.com/seed-5817661a/concur/trace"
)

type clock = func() time.Time

// decide turns the K traces of a query into its record: answers, consensus, verdict, usage. Except for the
// timing, the record depends only on the traces and the models' replies. decide returns only the error of ctx;
// a cancelled query gets no record.
func (s *schedule) decide(ctx context.Context, arm *Arm, q datasets.Query,
	traces []store.FinishedTrace) (store.Record, error) {
	r := store.Record{
		Configuration: arm.Configuration.Name, Query: q.ID, Category: q.Category, Question: q.Text, Cluster: q.Cluster,
		QueryHash: q.Hash(), Expected: q.Expected(), Agent: arm.AgentHash,
		Answers: make([]store.Answer, len(traces)),
	}
	for _, t := range traces {
		r.Timing.CallsSent += t.Timing.CallsSent
		r.Timing.ToolsS = addSeconds(r.Timing.ToolsS, t.Timing.ToolsS)
		if arm.Recording == nil || t.Timing.WallS > 0 {
			r.Timing.TracesS = append(r.Timing.TracesS, t.Timing.WallS)
		}
	}
	if len(q.Turns) == 0 {
		return s.decideOne(ctx, arm, q, traces, r)
	}
	turns := make([]store.Record, len(q.Turns))
	for n := range q.Turns {
		turn, of := talk.Of(q, traces, n)
		var err error
		if turns[n], err = s.decideOne(ctx, arm, turn, of, store.Record{
			Question: turn.Text, Expected: turn.Expected(), Answers: make([]store.Answer, len(of)),
		}); err != nil {
			return r, err
		}
	}
	return r, talk.Join(ctx, &r, traces, turns, arm.Configuration.Consensus.Quorum)
}

// decideOne adds the results of a query, or of one turn of a conversation, to its record.
func (s *schedule) decideOne(ctx context.Context, arm *Arm, q datasets.Query, traces []store.FinishedTrace,
	r store.Record) (store.Record, error) {
	c, ballots, models := arm.Configuration, make([]consensus.Ballot, len(traces)), s.questioners(arm)
	traces, err := s.extract(ctx, models, q, traces, &r)
	if err != nil {
		return r, err
	}
	if q, traces, err = s.execute(ctx, models, q, traces, &r); err != nil {
		return r, err
	}
	usd := make([]*float64, len(traces)) // of each trace
	for i, t := range traces {
		ballots[i] = consensus.NewBallot(t.Trace, q.Gold.Type, q.Gold.Options)
		if c.ReadsTraces() {
			ballots[i].Steps = judge.Steps(t.Events, consensus.MaxSteps)
		}
		r.Answers[i] = answerOf(heard(q, t), t.Trace, ballots[i])
		if q.Expects != nil && t.Outcome != trace.Infra {
			calls := judge.CompareCalls(*q.Expects, actionsOf(t.Events))
			if r.Answers[i].Calls = &calls; c.Pass == judge.PassGoldTools && !calls.Right {
				r.Answers[i].Verdict = judge.Incorrect
			}
		}
		if v := arm.recording(t.ID).Verdict; v != nil {
			r.Answers[i].Verdict = v.Verdict
		}
		r.Usage.ToolCalls += t.ToolCalls
		for j, part := range t.ByPath() {
			cost := s.charge(arm, &r.Usage, store.AgentRole, c.ModelAt(part.Path), part.ModelCalls, part.Usage)
			if usd[i] = store.SumUSD(usd[i], cost, j == 0); len(t.Children) > 0 {
				r.Answers[i].Agents = append(r.Answers[i].Agents,
					store.AgentUsage{Path: part.Path, Task: part.Task, AgentCost: store.AgentCost{
						Steps: part.Steps, ToolCalls: part.ToolCalls,
						RoleUsage: store.RoleUsage{ModelCalls: part.ModelCalls, Usage: part.Usage, USD: cost},
					}})
			}
		}
	}
	if err := s.check(ctx, models, q, traces, usd, ballots, &r); err != nil {
		return r, err
	}
	if r.Consensus, err = models.decider().Decide(ctx,
		consensus.Question{ID: q.ID, Text: withRewriting(q, traces, 0).Text}, ballots); err != nil {
		return r, err
	}
	s.charge(arm, &r.Usage, store.VerifierRole, c.Verifier.Model, r.Consensus.Effort.Calls, r.Consensus.Usage)
	r.Timing.VerifierS, r.Timing.UnreadS = r.Consensus.Time.Seconds(), r.Consensus.UnreadTime.Seconds()
	if err := s.judge(ctx, models, q, traces, &r); err != nil {
		return r, err
	}
	ruleTraces(models, q, traces, &r)
	if d := r.Consensus; d.Representative != nil && !d.Unscored {
		r.Verdict = withChecks(q, r.Verdict, r.Answers[*d.Representative-traces[0].Trace.Trace])
	}
	for i, t := range traces {
		if r.Answers[i].Verdict == judge.Incorrect && q.Gold.SQL == "" {
			r.Answers[i].RightAs = rightAs(heard(q, t), t.Trace)
		}
	}
	shorten(q, &r)
	r.Timing.CallsSent += models.sent
	return r, nil
}

// judge returns the verdict on a query. The configuration's pass mode combines the part of the gold that needs
// no model and the verdicts of the judges. Judges see the trace that represents the decision.
func (s *schedule) judge(ctx context.Context, a *questioners, q datasets.Query, traces []store.FinishedTrace,
	r *store.Record) error {
	conf, d := a.Configuration, r.Consensus
	subject := judge.Subject{Outcome: d.Outcome, Unscored: d.Unscored}
	var shown store.FinishedTrace
	var known *judge.Verdict // replaces the gold's verdict
	var calls *judge.Calls
	if d.Representative != nil {
		i := *d.Representative - traces[0].Trace.Trace
		shown, q = traces[i], withRewriting(heard(q, traces[i]), traces, i)
		r.Rewritten = rewriting(traces, i)
		subject.Answer, subject.Message = shown.Answer, shown.Message
		known, calls = a.recording(shown.ID).Verdict, r.Answers[i].Calls
	}
	gold := goldOf(q, subject)
	if known != nil {
		gold = *known
	}
	if calls != nil && conf.Pass == judge.PassGoldTools {
		gold = judge.Both(gold, calls.Verdict())
	}
	r.Verdict = gold
	if d.Unscored {
		r.Verdict = unscored(d, gold, r.Answers)
		return nil
	}
	if d.Representative == nil || a.Correctness == nil && a.Quality == nil && a.Rubric == nil {
		return nil // there is no decision to judge, or no judge
	}
	var err error
	j := &store.Judgements{Quality: []judge.QualityJudgement{}}
	var correct, quality *judge.Verdict
	if a.Correctness != nil && q.HasGold() {
		c, err := a.Correctness.Judge(ctx, q, subject)
		if err != nil {
			return err
		}
		j.Correctness, correct = &c, &c.Verdict
		spent := c.Spent()
		for _, name := range slices.Sorted(maps.Keys(spent)) {
			s.chargeJudge(&a.Arm, r, name, spent[name])
		}
		if q.Gold.Condition != "" {
			gold = judge.Both(gold, c.Verdict)
		}
	}
	if a.Quality != nil {
		g, err := a.Quality.Judge(ctx, q, shown.Events)
		if err != nil {
			return err
		}
		j.Quality, quality = append(j.Quality, g), &g.Verdict
		s.chargeJudge(&a.Arm, r, conf.Judge.Quality, g.Effort)
	}
	if a.Rubric != nil {
		if j.Rubric, err = a.Rubric.Judge(ctx, q, shown.Events); err != nil {
			return err
		}
		for _, item := range j.Rubric {
			s.chargeJudge(&a.Arm, r, item.Judge, item.Effort)
		}
	}
	r.Judgements = j
	r.Verdict = judge.Pass(passOf(conf.Pass, q), gold, correct, quality)
	return nil
}

// heard returns the query with the conversation that a trace had before it. In a conversation with a scripted
// person, each trace has its own conversation; for other queries, all traces have the same.
func heard(q datasets.Query, t store.FinishedTrace) datasets.Query {
	if t.Earlier != nil {
		q.History = t.Earlier
	}
	return q
}

// withRewriting returns the query for the verifier and the judges. Its question is the one that the i-th trace
// wrote. If that trace wrote none, it is the first question that any trace wrote. If no trace wrote one, it is
// the original question with the earlier conversation.
func withRewriting(q datasets.Query, traces []store.FinishedTrace, i int) datasets.Query {
	q.Text = q.Wordings(rewriting(traces, i))
	return q
}

// rewriting returns the question that the i-th trace wrote. If that trace wrote none, it returns the first
// question that any trace wrote; "" if no trace wrote one.
func rewriting(traces []store.FinishedTrace, i int) (rewritten string) {
	for _, t := range slices.Concat(traces[i:], traces[:i]) {
		rewritten = cmp.Or(rewritten, t.Question)
	}
	return rewritten
}

// actionsOf returns the tool calls of the trace's own agent.
func actionsOf(events []trace.Event) []trace.Action {
	var out []trace.Action
	for _, e := range events {
		if a, ok := e.Body.(trace.Action); ok && e.Path == "" {
			out = append(out, a)
		}
	}
	return out
}

// chargeJudge adds the usage and time of a judge to a record.
func (s *schedule) chargeJudge(arm *Arm, r *store.Record, spec string, e judge.Effort) {
	s.charge(arm, &r.Usage, store.JudgeRole, spec, e.Calls, e.Usage)
	r.Timing.JudgeS += e.Time.Seconds()
	r.Timing.JudgeUnreadS += e.UnreadTime.Seconds()
}

// charge adds the calls of a role to a record, and returns their cost; nil if the price is unknown.
func (s *schedule) charge(arm *Arm, to *store.Usage, role store.Role, spec string, calls int,
	took model.Usage) *float64 {
	if spec == config.SameModel {
		spec = arm.Configuration.Model
	}
	var usd *float64
	if s.plan.Price != nil {
		if cost, known := s.plan.Price(spec, took); known {
			usd = &cost
		}
	}
	to.Call(role, calls, took, usd)
	return usd
}

// answerOf returns the record's entry for one trace.
func answerOf(q datasets.Query, t trace.Trace, b consensus.Ballot) store.Answer {
	a := store.Answer{
		Trace: t.Trace, Outcome: t.Outcome, StopReason: t.StopReason,
		Steps: t.Steps, ToolCalls: t.ToolCalls, Actions: t.Actions, Repeated: t.Repeated, FailedCalls: t.FailedCalls,
		Sureness: t.Sureness, Extract: t.Extract,
		Format: t.Format, Grounded: t.Grounded, Grounding: t.Grounding, Extras: t.Extras,
		Verdict: goldOf(q, judge.Subject{
			Outcome: t.Outcome, Answer: t.Answer, Message: t.Message, Unscored: t.Outcome == trace.Infra,
		}).Verdict,
	}
	if t.Outcome == trace.Answered {
		a.Answer = &t.Answer
	}
	if b.Key != "" {
		a.Key = &b.Key
	}
	if q.Gold.SQL != "" { // the message is not the answer
		return withCause(a, t)
	}
	a.Unread = extract.Unread(t, q.Gold.Type, q.Gold.Options)
	if t.Rejected != "" {
		final := q.Gold.ReadMessage(answer.Message{Text: t.Rejected, Question: q.Wordings(t.Question)})
		rejected := judge.Gold(q.Gold, judge.Subject{Outcome: trace.Answered, Answer: final.Short,
			Message: t.Rejected}).Verdict
		a.Rejected = &rejected
	}
	return withCause(a, t)
}

// withCause adds the first line of the cause of a trace to its entry.
func withCause(a store.Answer, t trace.Trace) store.Answer {
	if cause, _, _ := strings.Cut(t.Cause, "\n"); cause != "" {
		a.Cause = &cause
	}
	return a
}
