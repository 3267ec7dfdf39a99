package result_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// judged is a record of which both judges said the same, the quality judge with a score.
func judged(query string, gold, said judge.Ruling, score int) store.Record {
	r := record("default", query, "lookup", gold, trace.Answered)
	quality := judge.QualityJudgement{Verdict: judge.Verdict{Verdict: said}}
	if score > 0 {
		quality.Score = &score
	}
	r.Judgements = &store.Judgements{
		Correctness: &judge.CorrectnessJudgement{Verdict: judge.Verdict{Verdict: said}},
		Quality:     []judge.QualityJudgement{quality},
	}
	return r
}

func TestJudges(t *testing.T) {
	r := summarize(t, manifest(4, 1, "default"),
		judged("a", judge.Correct, judge.Correct, 5), judged("b", judge.Correct, judge.Incorrect, 2),
		judged("c", judge.Incorrect, judge.Unscored, 0), record("default", "d", "lookup", judge.Incorrect, trace.NoAnswer))
	j := r.Configurations[0].Judge
	if *j.CorrectnessPassRate != 0.25 || *j.QualityPassRate != 0.25 || *j.QualityMean != 3.5 || j.Unscored != 2 || j.Disagree != 1 {
		t.Errorf("%v, %v, %v, %+v", *j.CorrectnessPassRate, *j.QualityPassRate, *j.QualityMean, j)
	}
	if warnings := strings.Join(r.Warnings, "\n"); !strings.Contains(warnings, "without a usable verdict: 2") {
		t.Errorf("warnings %q", warnings)
	}
}

// The judges of a configuration are named by what they come to.
func TestJudgesAreNamed(t *testing.T) {
	for _, c := range []struct {
		correctness, quality         string
		wantCorrectness, wantQuality string
		threshold                    string
	}{
		{"", "", "", "", "undefined"},
		{config.NoModel, config.NoModel, "", "", "undefined"},
		{config.SameModel, "openai:a", "offline:reader", "openai:a", "4"},
		{"", config.SameModel, "", "offline:reader", "4"},
	} {
		m := manifest(1, 1, "default")
		m.Configurations[0].Judge.Correctness, m.Configurations[0].Judge.Quality = c.correctness, c.quality
		got := summarize(t, m, record("default", "a", "lookup", judge.Correct, trace.Answered)).Configurations[0].Judge
		threshold := "undefined"
		if got.Threshold != nil {
			threshold = fmt.Sprint(*got.Threshold)
		}
		if got.CorrectnessModel != c.wantCorrectness || got.QualityModel != c.wantQuality || threshold != c.threshold {
			t.Errorf("%q, %q: %+v, threshold %s", c.correctness, c.quality, got, threshold)
		}
	}
}

// A judge that was down all the time has no rate: 0 % would read as a verdict.
func TestJudgesThatNeverScored(t *testing.T) {
	r := summarize(t, manifest(1, 1, "default"), judged("a", judge.Correct, judge.Unscored, 0))
	if j := r.Configurations[0].Judge; j.CorrectnessPassRate != nil || j.QualityPassRate != nil || j.QualityMean != nil || j.Unscored != 2 {
		t.Errorf("%+v", j)
	}
}

func TestVerifierErrorsAreWarnedOf(t *testing.T) {
	rec := record("default", "a", "lookup", judge.Correct, trace.Answered)
	rec.Consensus.Effort.Errors = 3
	r := summarize(t, manifest(1, 1, "default"), rec)
	if n := r.Configurations[0].Consensus.VerifierErrors; n != 3 || !strings.Contains(strings.Join(r.Warnings, "\n"), "failed on 3 questions") {
		t.Errorf("%d, %q", n, r.Warnings)
	}
}

// A verifier that cannot keep to the form costs time and merges nothing: the summary says
// how much, and from more than half on the warning names the ways out.
func TestUnreadableVerifier(t *testing.T) {
	for _, c := range []struct {
		calls, errors, unread int
		warned                bool
	}{{0, 0, 0, false}, {8, 0, 0, false}, {8, 0, 4, false}, {8, 0, 5, true}, {8, 2, 4, true}} {
		rec := record("default", "a", "lookup", judge.Correct, trace.Answered)
		rec.Consensus.Effort.Calls, rec.Consensus.Effort.Errors = c.calls, c.errors
		rec.Consensus.Effort.Unread, rec.Consensus.Effort.UnreadTokens = c.unread, 25*c.unread
		rec.Usage = store.Usage{}
		rec.Usage.Call(store.AgentRole, 1, model.Usage{InputTokens: 900, OutputTokens: 100}, nil)
		rec.Timing = store.Timing{TracesS: []float64{6}, VerifierS: 2, UnreadS: float64(c.unread) / 4}
		r := summarize(t, manifest(1, 1, "default"), rec)
		row := r.Configurations[0]
		if u := row.Consensus.VerifierUnread; u.Replies != c.unread || u.Of != c.calls-c.errors ||
			*u.Tokens != float64(c.unread)/40 || *row.Timing.VerifierUnread != float64(c.unread)/32 {
			t.Errorf("%+v: %+v, %v of the time", c, u, *row.Timing.VerifierUnread)
		}
		if got := strings.Contains(strings.Join(r.Warnings, "\n"), "replies of the verifier could not be read"); got != c.warned {
			t.Errorf("%+v: warned %t, %q", c, got, r.Warnings)
		}
	}
}

// What judges could not be read of is counted in the same way, a call without a reply aside.
func TestUnreadableJudges(t *testing.T) {
	for _, c := range []struct {
		failed      string // who said the verdict
		calls, lost int
		of          int
		warned      bool
	}{{"", 2, 0, 2, false}, {judge.ByCorrectness, 2, 1, 2, false}, {judge.ByJudge, 2, 2, 2, true}, {judge.ByInfra, 2, 1, 1, true}} {
		rec := record("default", "a", "lookup", judge.Correct, trace.Answered)
		effort := judge.Effort{Calls: c.calls, Unread: c.lost, UnreadTokens: 25 * c.lost}
		rec.Judgements = &store.Judgements{Correctness: &judge.CorrectnessJudgement{Verdict: judge.Verdict{Verdict: judge.Correct, By: c.failed}, Effort: effort}}
		rec.Usage = store.Usage{}
		rec.Usage.Call(store.AgentRole, 1, model.Usage{InputTokens: 900, OutputTokens: 100}, nil)
		rec.Timing = store.Timing{TracesS: []float64{5}, VerifierS: 1, JudgeS: 2, JudgeUnreadS: float64(c.lost) / 4}
		r := summarize(t, manifest(1, 1, "default"), rec)
		row := r.Configurations[0]
		if u := row.Judge.Unread; u.Replies != c.lost || u.Of != c.of || *u.Tokens != float64(c.lost)/40 || *row.Timing.JudgesUnread != float64(c.lost)/32 {
			t.Errorf("%+v: %+v, %v of the time", c, u, *row.Timing.JudgesUnread)
		}
		if got := strings.Contains(strings.Join(r.Warnings, "\n"), "replies of the judges could not be read"); got != c.warned {
			t.Errorf("%+v: warned %t, %q", c, got, r.Warnings)
		}
	}
}

// Being grounded and being right are counted apart, a rejected answer by the verdict that
// it would have had.
func TestCitations(t *testing.T) {
	grounded, not := true, false
	would := judge.Correct
	rec := record("default", "a", "lookup", judge.Correct, trace.Answered, trace.Answered, trace.Abstained, trace.Answered)
	rec.Answers[0].Grounded, rec.Answers[0].Grounding = &grounded, trace.Grounding{Claims: 2, Supported: 2, Citations: 3, Valid: 3}
	rec.Answers[1].Grounded, rec.Answers[1].Verdict = &grounded, judge.Incorrect
	rec.Answers[2].Grounded, rec.Answers[2].Verdict, rec.Answers[2].Rejected = &not, judge.Incorrect, &would
	rec.Answers[2].Grounding = trace.Grounding{Claims: 2, Supported: 1, Citations: 1}
	c := summarize(t, manifest(1, 4, "default"), rec).Configurations[0].Citations
	if c.Audited != 3 || c.Grounded != 2 || c.CorrectGrounded != 1 || c.IncorrectGrounded != 1 || c.CorrectUngrounded != 1 || c.IncorrectUngrounded != 0 {
		t.Errorf("%+v", c)
	}
	if *c.Precision != 0.75 || *c.Recall != 0.75 {
		t.Errorf("precision %v, recall %v, want 3 of 4 each", *c.Precision, *c.Recall)
	}
	if c := summarize(t, manifest(0, 1, "default")).Configurations[0].Citations; c.Share != nil || c.Precision != nil || c.Recall != nil {
		t.Errorf("figures of nothing: %+v", c)
	}
}

// Canaries that a picker or the model of a rubric missed, and a token that either leaves out, are named below the table.
func TestCanariesOfPickerAndRubric(t *testing.T) {
	for _, c := range []struct {
		pick, rubric *judge.CanaryResult
		want         []string
	}{
		{&judge.CanaryResult{Count: 5}, &judge.CanaryResult{Count: 5}, nil},
		{&judge.CanaryResult{Count: 5, Missed: []string{"choice in the message"}}, nil, []string{"the picker is invalid: messages can steer its choice (canaries: choice in the message), so it was not asked"}},
		{&judge.CanaryResult{Count: 5, Missed: []string{"arithmetic that holds"}}, nil, []string{"the picker got built-in canaries wrong (arithmetic that holds), so do not rely"}},
		{&judge.CanaryResult{Count: 5, Tokenless: true}, &judge.CanaryResult{Count: 5, Tokenless: true}, []string{"the picker does not repeat the token", "the judge does not repeat the token"}},
		{nil, &judge.CanaryResult{Count: 5, Missed: []string{"no source"}}, []string{"the judge is invalid: it got built-in canaries wrong (no source)"}},
	} {
		r := record("default", "q1", "a", judge.Correct, trace.Answered)
		r.Consensus.PickCanaries = c.pick
		if c.rubric != nil {
			r.Judgements = &store.Judgements{Rubric: []judge.RubricJudgement{{Item: "cites", Canaries: c.rubric}}}
		}
		text := strings.Join(summarize(t, manifest(1, 1, "default"), r).Warnings, "\n")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%+v, %+v: no %q in %s", c.pick, c.rubric, want, text)
			}
		}
		for _, about := range []string{"the picker ", "the judge "} {
			if strings.Contains(text, about) != strings.Contains(strings.Join(c.want, "\n"), about) {
				t.Errorf("%+v, %+v: %s", c.pick, c.rubric, text)
			}
		}
	}
}
