package runner_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/trace"
)

// If a judge decides a query, it decides each trace whose answer is equal to the answer that it judged.
func TestTracesOfJudgedQueries(t *testing.T) {
	const c, i, u = judge.Correct, judge.Incorrect, judge.Unscored
	for _, x := range []struct {
		name      string
		reply     string // reply of the correctness judge
		quality   string
		pass      judge.Mode
		condition bool
		answers   []string
		want      []judge.Ruling
	}{
		{"the judge finds it wrong", wrong, good, judge.PassGold, true, []string{"a", "a", "a"}, []judge.Ruling{i, i, i}},
		{"another answer was not judged", right, good, judge.PassGold, true, []string{"a", "a", "b"}, []judge.Ruling{c, c, u}},
		{"a reply that cannot be read", garbage, good, judge.PassGold, true, []string{"a", "a", "a"}, []judge.Ruling{u, u, u}},
		{"correctness decides", wrong, good, judge.PassCorrectness, false, []string{"of course", "of course", "yes"}, []judge.Ruling{i, i, c}},
		{"an empty answer follows without a model", right, good, judge.PassCorrectness, false, []string{"of course", "of course", "…"}, []judge.Ruling{c, c, i}},
		{"quality is of one trace", right, poor, judge.PassQuality, false, []string{"yes", "yes", "no"}, []judge.Ruling{i, i, u}},
		{"both", right, good, judge.PassBoth, false, []string{"of course", "of course", "yes"}, []judge.Ruling{c, c, u}},
		{"the gold alone", wrong, poor, judge.PassGold, false, []string{"yes", "yes", "no"}, []judge.Ruling{c, c, i}},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := askedPlan(oracle{judge.CorrectnessSchema: x.reply, judge.QualitySchema: x.quality}, x.pass, x.answers...)
			p.Arms[0].Configuration.Consensus.Stages = []consensus.Stage{consensus.StageExact, consensus.StageMajority}
			if x.condition {
				change(&p, 0, func(q *datasets.Query) { q.Gold.Answer, q.Gold.Condition = "", "the answer is polite" })
			}
			r := execute(t, t.Context(), p, runner.Control{})
			if r.err != nil || len(r.records) != 1 {
				t.Fatal(r.err)
			}
			var got []judge.Ruling
			for _, a := range r.records[0].Answers {
				got = append(got, a.Verdict)
			}
			if diff := cmp.Diff(x.want, got); diff != "" {
				t.Errorf("rulings (-want +got):\n%s", diff)
			}
		})
	}
}

// With one trace, the verdict of the trace is that of the query, so that pass@1 equals the pass rate.
func TestOneTraceHasTheVerdictOfItsQuery(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		pass := rapid.SampledFrom([]judge.Mode{judge.PassGold, judge.PassCorrectness, judge.PassQuality, judge.PassBoth}).Draw(rt, "pass")
		replies := oracle{
			judge.CorrectnessSchema: rapid.SampledFrom([]string{right, wrong, garbage, "!"}).Draw(rt, "correctness"),
			judge.QualitySchema:     rapid.SampledFrom([]string{good, poor, garbage, "!"}).Draw(rt, "quality"),
		}
		p := askedPlan(replies, pass, rapid.SampledFrom([]string{"yes", "no", "of course", "…", "Question 0?"}).Draw(rt, "answer"))
		p.Arms[0].Configuration.K = 1
		change(&p, 0, func(q *datasets.Query) {
			gold := &q.Gold
			switch rapid.IntRange(0, 3).Draw(rt, "gold") {
			case 0:
				gold.Answer, gold.Condition = "", "the answer is polite"
			case 1:
				gold.Condition = "the answer is polite"
			case 2:
				gold.Answer, gold.AllOf = "", [][]string{{"yes"}}
			}
			if rapid.Bool().Draw(rt, "refusal") {
				gold.Answer, gold.Outcome = "", trace.Refused
			}
		})
		r := execute(t, t.Context(), p, runner.Control{})
		if r.err != nil || len(r.records) != 1 {
			rt.Fatal(r.err)
		}
		if rec := r.records[0]; rec.Answers[0].Verdict != rec.Verdict.Verdict {
			rt.Errorf("the trace is %s, the query %s (%s)", rec.Answers[0].Verdict, rec.Verdict.Verdict, rec.Verdict.Reason)
		}
	})
}
