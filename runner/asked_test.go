package runner_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

const (
	same    = `{"equivalent":true,"difference":""}`
	right   = `{"extracted_answer":"yes","criteria":{"correct":true,"complete":true,"contradicts_reference":false,"grounded":null},"score":5,"confidence":90}`
	wrong   = `{"extracted_answer":"no","criteria":{"correct":false,"complete":false,"contradicts_reference":true,"grounded":null},"score":1,"confidence":90}`
	good    = `{"reasoning":5,"tool_choice":5,"helpfulness":5,"relevance":5,"score":5}`
	poor    = `{"reasoning":2,"tool_choice":2,"helpfulness":2,"relevance":2,"score":2}`
	garbage = `I would rather not say.`
)

// oracle is a model that replies by the name of the schema. The reply "!" fails, and "panic" panics.
type oracle map[string]string

func (o oracle) Complete(_ context.Context, req model.Request) (model.Response, error) {
	text, known := o[req.Schema.Name]
	switch {
	case !known || text == "!":
		return model.Response{}, errors.New("the model is down")
	case text == "panic":
		panic("a bug")
	}
	return model.Response{Message: model.Message{Role: model.Assistant, Content: text}, Usage: model.Usage{InputTokens: 1}}, nil
}

// saying is an agent whose traces give these answers by index.
func saying(answers ...string) agentFunc {
	return func(_ context.Context, task agent.Task) trace.Trace {
		return answered(task, answers[task.ID.Trace%len(answers)])
	}
}

// askedPlan returns a plan with a verifier and all judges, all of which are one oracle.
func askedPlan(o oracle, pass judge.Mode, answers ...string) runner.Plan {
	p := newPlan(1, 3, 4, saying(answers...))
	p.Arms[0].Configuration.Consensus.Stages = []consensus.Stage{consensus.StageExact, consensus.StageVerifier, consensus.StageMajority}
	p.Arms[0].Configuration.Judge = config.Judge{Correctness: config.SameModel, Quality: config.SameModel, Threshold: 4}
	p.Arms[0].Configuration.Pass = pass
	s := judge.Settings{Model: o, Name: "test:oracle", Threshold: 4, Cache: &judge.Cache{}}
	p.Arms[0].Verifier = &consensus.Verifier{Model: o, Name: "test:oracle", Cache: &consensus.Cache{}}
	p.Arms[0].Correctness = &judge.Correctness{Settings: s}
	p.Arms[0].Quality = &judge.Quality{Settings: s}
	return p
}

func TestVerifierAndJudgesDecide(t *testing.T) {
	all := func(correctness, quality string) oracle {
		return oracle{consensus.EquivalenceSchema: same, judge.CorrectnessSchema: correctness, judge.QualitySchema: quality}
	}
	for _, c := range []struct {
		name    string
		oracle  oracle
		pass    judge.Mode
		answers []string
		method  consensus.Method
		verdict judge.Ruling
		by      string
	}{
		{"gold decides", all(wrong, poor), judge.PassGold, []string{"yes"}, consensus.Exact, judge.Correct, judge.ByGold},
		{"correctness decides", all(right, poor), judge.PassCorrectness, []string{"of course"}, consensus.Exact, judge.Correct, judge.ByCorrectness},
		{"correctness says no", all(wrong, good), judge.PassCorrectness, []string{"of course"}, consensus.Exact, judge.Incorrect, judge.ByCorrectness},
		{"quality decides", all(wrong, good), judge.PassQuality, []string{"of course"}, consensus.Exact, judge.Correct, judge.ByQuality},
		{"both, one fails", all(right, poor), judge.PassBoth, []string{"of course"}, consensus.Exact, judge.Incorrect, judge.ByQuality},
		{"both pass", all(right, good), judge.PassBoth, []string{"of course"}, consensus.Exact, judge.Correct, judge.ByQuality},
		{"a judge that answers prose", all(garbage, good), judge.PassCorrectness, []string{"of course"}, consensus.Exact, judge.Unscored, judge.ByJudge},
		{"a judge that is down", all("!", good), judge.PassCorrectness, []string{"of course"}, consensus.Exact, judge.Unscored, judge.ByInfra},
		{"a judge that panics", all("panic", good), judge.PassCorrectness, []string{"of course"}, consensus.Exact, judge.Unscored, judge.ByInfra},
		{"a judge that is down and does not count", all("!", "!"), judge.PassGold, []string{"yes"}, consensus.Exact, judge.Correct, judge.ByGold},
		{"the verifier merges", all(right, good), judge.PassGold, []string{"yes", "yes indeed", "surely yes"}, consensus.Semantic, judge.Correct, judge.ByGold},
		{"a verifier that is down merges nothing", oracle{judge.CorrectnessSchema: right, judge.QualitySchema: good}, judge.PassGold, []string{"yes", "yes", "surely"}, consensus.Majority, judge.Correct, judge.ByGold},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := execute(t, t.Context(), askedPlan(c.oracle, c.pass, c.answers...), runner.Control{})
			if r.err != nil || r.finishErr != nil || len(r.records) != 1 {
				t.Fatal(r.err, r.finishErr, len(r.records))
			}
			rec := r.records[0]
			if rec.Consensus.Method != c.method || rec.Verdict.Verdict != c.verdict || rec.Verdict.By != c.by {
				t.Errorf("%s, %+v; want %s, %s by %s", rec.Consensus.Method, rec.Verdict, c.method, c.verdict, c.by)
			}
			if rec.Judgements == nil || rec.Judgements.Correctness == nil || len(rec.Judgements.Quality) != 1 {
				t.Errorf("judgements are missing: %+v", rec.Judgements)
			}
		})
	}
}

// TestAskedCallsAreRecordedAndCounted checks that the requests to verifier and judges are in chat.jsonl, each
// with its purpose.
func TestAskedCallsAreRecordedAndCounted(t *testing.T) {
	o := oracle{consensus.EquivalenceSchema: same, judge.CorrectnessSchema: right, judge.QualitySchema: good}
	r := execute(t, t.Context(), askedPlan(o, judge.PassGold, "yes", "yes", "surely"), runner.Control{})
	purposes := map[model.Purpose]int{}
	for _, exchanges := range r.exchanges {
		for _, x := range exchanges {
			purposes[x.Purpose]++
			if x.RequestSettings != nil && x.RequestSettings.Schema == nil {
				t.Errorf("%s: the schema is not recorded", x.Agent)
			}
		}
	}
	if purposes[model.Verifier] != 2 || purposes[model.Judge] != 1 {
		// The gold decides for the correctness judge without a call.
		t.Errorf("recorded %v, want 2 of the verifier and 1 of judges", purposes)
	}
	rec := r.records[0]
	if rec.Consensus.Effort.Calls != 2 || rec.Timing.CallsSent != 3 || rec.Usage.ModelCalls != 3 || rec.Usage.InputTokens != 3 {
		t.Errorf("%d verifier calls, %d sent, usage %+v", rec.Consensus.Effort.Calls, rec.Timing.CallsSent, rec.Usage)
	}
}

func TestConditionNeedsBothGoldAndJudge(t *testing.T) {
	for reply, want := range map[string]judge.Ruling{right: judge.Correct, wrong: judge.Incorrect, garbage: judge.Unscored} {
		p := askedPlan(oracle{judge.CorrectnessSchema: reply, judge.QualitySchema: good}, judge.PassGold, "fine")
		change(&p, 0, func(q *datasets.Query) {
			q.Gold.Answer, q.Gold.Type, q.Gold.Condition = "", answer.Text, "the answer is polite"
		})
		r := execute(t, t.Context(), p, runner.Control{})
		if r.err != nil || len(r.records) != 1 || r.records[0].Verdict.Verdict != want {
			t.Errorf("%v, %+v; want %s", r.err, r.records, want)
		}
	}
}

func TestNothingDecidedIsNotJudged(t *testing.T) {
	p := askedPlan(oracle{}, judge.PassQuality, "yes")
	p.Arms[0].Agent = agentFunc(func(_ context.Context, task agent.Task) trace.Trace {
		tr := trace.Trace{ID: task.ID, Outcome: trace.NoAnswer, StopReason: trace.EmptyAnswer, Extract: "none"}
		task.Emit(0, tr.Conclusion())
		return tr
	})
	r := execute(t, t.Context(), p, runner.Control{})
	if r.err != nil || r.records[0].Judgements != nil || r.records[0].Verdict.Verdict != judge.Incorrect {
		t.Errorf("%v, %+v", r.err, r.records)
	}
}

func TestMissingModelsAreRefused(t *testing.T) {
	p := askedPlan(oracle{}, judge.PassGold, "yes")
	p.Arms[0].Verifier = nil
	r := execute(t, t.Context(), p, runner.Control{})
	if r.err == nil || !strings.Contains(r.err.Error(), "stage verifier needs a model") {
		t.Errorf("the run went on with %v", r.err)
	}
}

// Verifier and judges get a question with its rewriting or, without one, with the conversation before it.
func TestRewrittenQuestions(t *testing.T) {
	for want, rewritten := range map[string][]string{
		"The same question, rewritten to stand alone: How long is the Volga?": {"", "How long is the Volga?", "How long is the river Volga?"},
		"The conversation before it:\n| user: How long is the Danube?":        {"", "", ""},
	} {
		o := oracle{consensus.EquivalenceSchema: same, judge.CorrectnessSchema: right, judge.QualitySchema: good}
		p := askedPlan(o, judge.PassGold)
		change(&p, 0, func(q *datasets.Query) {
			q.History = []datasets.Turn{{Role: "user", Content: "How long is the Danube?"}}
		})
		p.Arms[0].Agent = agentFunc(func(_ context.Context, task agent.Task) trace.Trace {
			tr := answered(task, []string{"surely", "yes", "yes"}[task.ID.Trace])
			tr.Question = rewritten[task.ID.Trace]
			return tr
		})
		r := execute(t, t.Context(), p, runner.Control{})
		seen := map[model.Purpose]int{}
		for _, exchanges := range r.exchanges {
			for _, x := range exchanges {
				text := ""
				for _, m := range x.Messages {
					text += m.Content + "\n"
				}
				if seen[x.Purpose]++; !strings.Contains(text, "| Question 0?\n| \n| "+want) {
					t.Errorf("%s was not shown %q, but\n%s", x.Purpose, want, text)
				}
			}
		}
		if len(seen) < 2 || r.err != nil {
			t.Errorf("requests by purpose: %v, %v", seen, r.err)
		}
	}
}
