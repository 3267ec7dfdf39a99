package runner

import (
	"fmt"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// judgeDecides reports whether a judge, and not the gold alone, decides the verdict on a query.
func judgeDecides(a *questioners, q datasets.Query) bool {
	switch pass := passOf(a.Configuration.Pass, q); {
	case !q.HasGold():
		return pass == judge.PassQuality && a.Quality != nil
	case pass.Judges() == nil:
		return q.Gold.Condition != "" && a.Correctness != nil
	}
	return a.Correctness != nil || a.Quality != nil
}

// passOf returns the pass mode for a query. If a query has no gold, the correctness judge has no answer to
// compare with, so the checks decide.
func passOf(mode judge.Mode, q datasets.Query) judge.Mode {
	switch {
	case q.HasGold():
		return mode
	case mode == judge.PassCorrectness:
		return judge.PassGold
	case mode == judge.PassBoth:
		return judge.PassQuality
	}
	return mode
}

// ruleTraces sets the verdict of each trace of a query that a judge decides. The gold alone cannot decide: if
// the gold is only a condition, it accepts every answer. If a trace's answer equals the judged answer (by key),
// the trace gets the judge's verdict. Any other trace gets a verdict only if a rule can decide without a model;
// otherwise it is unscored.
func ruleTraces(a *questioners, q datasets.Query, traces []store.FinishedTrace, r *store.Record) {
	if !judgeDecides(a, q) {
		return
	}
	for i, t := range traces {
		of := &r.Answers[i]
		if a.recording(t.ID).Verdict == nil && of.Outcome != trace.Infra {
			of.Verdict = withChecks(q, judge.Verdict{Verdict: rulingOf(a, q, t, *of, *r)}, *of).Verdict
		}
	}
}

// rulingOf returns the verdict on one trace. of.Verdict is the verdict of the part of the gold that needs no
// model. It includes the tool calls if they count.
func rulingOf(a *questioners, q datasets.Query, t store.FinishedTrace, of store.Answer, r store.Record) judge.Ruling {
	d, mode := r.Consensus, passOf(a.Configuration.Pass, q)
	byGold := mode.Judges() == nil
	judged := d.Representative != nil && d.Key != nil && of.Key != nil && *of.Key == *d.Key
	switch {
	case byGold && of.Verdict == judge.Incorrect, of.Outcome == trace.NoAnswer:
		return judge.Incorrect
	case byGold && judged && r.Judgements != nil && r.Judgements.Correctness != nil:
		return r.Judgements.Correctness.Verdict.Verdict
	case judged:
		return r.Verdict.Verdict
	case mode == judge.PassQuality: // quality is judged for a single trace
		return judge.Unscored
	}
	subject := judge.Subject{Outcome: t.Outcome, Answer: t.Answer, Message: t.Message}
	v, ruled := judge.CorrectnessByRule(q, subject)
	if !ruled || v.Verdict == judge.Correct && mode == judge.PassBoth {
		return judge.Unscored
	}
	return v.Verdict
}

// unscored explains which failures left a query without a verdict.
func unscored(d consensus.Decision, v judge.Verdict, answers []store.Answer) judge.Verdict {
	if d.Representative != nil {
		v.Reason = fmt.Sprintf("the verifier failed on %s, and answers that it would have merged could "+
			"change the %s", text.Counted(d.Effort.Errors, "question"), d.Method)
		return v
	}
	if reason := undecidedCheck(answers); reason != "" {
		v.By, v.Reason = judge.ByChecks, reason
		return v
	}
	for _, a := range answers {
		if a.Outcome == trace.Infra && a.Cause != nil {
			v.Reason = *a.Cause + "; " + v.Reason
			return v
		}
	}
	return v
}
