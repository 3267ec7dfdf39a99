package score

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// nullKey is the class of null answers, if they vote. No other key begins with a space.
const nullKey = " null"

type outcome struct {
	line
	class   []int          // index of each answer's class; -1 if the answer has no vote
	classes []judge.Ruling // ruling of each class: the ruling of most of its answers
	shares  []float64      // share of right answers in each class
	right   []bool         // whether each answer is right
	scored  bool           // whether its answers have verdicts
	verdict judge.Verdict  // verdict on the vote over all answers
	decided string         // the answer of the vote, or its outcome in brackets
	unread  int            // judgements without a verdict

	unreadable Unread
	extraction asking.Effort

	verifierCalls, verifierErrors, judgeCalls int

	record *store.Record // nil unless Options.Records is set
}

// decide counts the votes of a line's answers, as a run does (docs/method.md §3.2).
func (o Options) decide(ctx context.Context, l line, m *typed) (outcome, error) {
	spent, err := o.readMessages(ctx, &l)
	if err != nil {
		return outcome{}, err
	}
	out := outcome{line: l, extraction: spent, scored: l.correct != nil ||
		len(l.golds) > 0, class: make([]int, len(l.answers)), right: make([]bool, len(l.answers))}
	ballots := make([]consensus.Ballot, len(l.answers))
	golds := make([]string, len(l.golds))
	for i, gold := range l.golds {
		golds[i] = o.plainKey(gold)
	}
	for i, a := range l.answers {
		out.class[i] = -1
		ballots[i] = o.ballot(i, a, m)
		switch {
		case l.correct != nil:
			out.right[i] = l.correct[i]
		case a.null || len(golds) == 0 || a.outcome != "" && a.outcome != trace.Answered:
		case o.Norm == NormTyped:
			out.right[i] = m.match(ballots[i], a.text, l.golds, o.Type)
		default:
			out.right[i] = slices.Contains(golds, ballots[i].Key)
		}
	}
	out.unreadable = o.unread(l, ballots)
	stages := []consensus.Stage{consensus.StageExact, consensus.StageMajority}
	if o.Verifier != nil {
		stages = slices.Insert(stages, 1, consensus.StageVerifier)
	}
	d, err := consensus.Decider{Stages: stages, Quorum: o.Quorum, Verifier: o.Verifier}.Decide(ctx,
		consensus.Question{ID: l.id, Text: l.query}, ballots)
	if err != nil {
		return out, err
	}
	out.verifierCalls, out.verifierErrors = d.Effort.Calls, d.Effort.Errors
	out.classes, out.shares = make([]judge.Ruling, len(d.Votes)), make([]float64, len(d.Votes))
	for c, v := range d.Votes {
		for _, t := range v.Traces {
			out.class[t] = c
		}
		if err := o.rule(ctx, &out, c, ballots[representative(v, ballots)], v); err != nil {
			return out, err
		}
	}
	out.conclude(d)
	if o.Records {
		out.record = recordOf(out, ballots, d)
	}
	return out, nil
}

func (o Options) ballot(i int, a given, m *typed) consensus.Ballot {
	switch {
	case a.null && o.Nulls == NullsAbstain:
		return consensus.Ballot{Trace: i, Outcome: trace.NoAnswer}
	case a.null:
		return consensus.Ballot{Trace: i, Outcome: trace.Abstained, Key: nullKey}
	case a.outcome == trace.Refused || a.outcome == trace.Abstained:
		return consensus.Ballot{Trace: i, Outcome: a.outcome, Key: string(a.outcome)}
	case o.Norm == NormTyped:
		b := m.ballot(a.text, o.Type)
		b.Trace = i
		return b
	}
	return consensus.Ballot{Trace: i, Outcome: trace.Answered, Answer: a.text, Key: o.plainKey(a.text)}
}

// plainKey returns the key of an answer under a norm without a type.
func (o Options) plainKey(text string) string {
	if o.Norm == NormSQuAD {
		return squad(text)
	}
	return text
}

// representative returns the first answer of a class that has the class's key.
func representative(v consensus.Class, ballots []consensus.Ballot) int {
	for _, t := range v.Traces {
		if ballots[t].Key == v.Key {
			return t
		}
	}
	return v.Traces[0]
}

// rule sets the ruling of a class: the verdict of most of its answers, or a judge's verdict on the answer that
// represents it. The class is unscored if exactly half of its answers are right, which is possible with given
// verdicts, or after the verifier merged answers.
func (o Options) rule(ctx context.Context, out *outcome, c int, b consensus.Ballot, v consensus.Class) error {
	count := func() (right int) {
		for _, t := range v.Traces {
			if out.right[t] {
				right++
			}
		}
		return right
	}
	all := len(v.Traces)
	judged := judge.Incorrect // for a class without a right answer
	if o.Judge != nil && len(out.golds) > 0 && b.Outcome == trace.Answered && count() < all {
		judged = judge.Correct
		if !out.right[b.Trace] {
			var err error
			if judged, err = o.ask(ctx, out, b); err != nil {
				return err
			}
		}
		if judged == judge.Correct {
			for _, t := range v.Traces {
				out.right[t] = true
			}
		}
	}
	right := count()
	ruling := judge.Incorrect
	switch {
	case right == 0:
		ruling = judged
	case 2*right > all:
		ruling = judge.Correct
	case 2*right == all:
		ruling = judge.Unscored
	}
	out.classes[c], out.shares[c] = ruling, float64(right)/float64(all)
	return nil
}

// ask asks the judge about an answer that is not equal to the gold.
func (o Options) ask(ctx context.Context, out *outcome, b consensus.Ballot) (judge.Ruling, error) {
	gold := datasets.Gold{Type: cmp.Or(o.Type, answer.Text), Answer: out.golds[0], Aliases: out.golds[1:]}
	q := datasets.Query{ID: out.id, Text: out.query, Gold: gold}
	j, err := o.Judge.Judge(ctx, q, judge.Subject{Outcome: trace.Answered, Answer: b.Answer, Message: b.Answer})
	if err != nil {
		return "", err
	}
	out.judgeCalls += j.Calls
	if j.Verdict.Verdict == judge.Unscored {
		out.unread++
	}
	return j.Verdict.Verdict, nil
}

func (out *outcome) conclude(d consensus.Decision) {
	out.decided = "[" + string(d.Outcome) + "]"
	if d.Answer != nil {
		out.decided = *d.Answer
	}
	ruling, reason := judge.Unscored, "the line has no gold"
	switch {
	case !out.scored:
	case d.Unscored:
		reason = "the verifier's model failed"
	case d.Representative == nil:
		ruling, reason = judge.Incorrect, "fewer votes than the quorum"
	default: // the decided class comes first
		ruling = out.classes[0]
		switch ruling {
		case judge.Correct:
			reason = "right"
		case judge.Incorrect:
			reason = "not equal to the gold"
		default:
			reason = "the judge gave no verdict"
		}
		if share := out.shares[0]; share > 0 && share < 1 {
			reason = fmt.Sprintf("%.0f %% of the answers counted as equal to this one are right", 100*share)
		}
	}
	out.verdict = judge.Verdict{Verdict: ruling, By: judge.ByGold, Reason: reason}
}
