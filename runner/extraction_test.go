package runner_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/extract"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// handbook is a message in which the rules find no date.
const handbook = "Sure! I would go for the one in the handbook, which is 2024-03-05 and no other day."

// ending is an agent whose traces end with these messages, by index, and without an answer.
func ending(messages ...string) agentFunc {
	return func(_ context.Context, task agent.Task) trace.Trace {
		t := trace.Trace{
			ID: task.ID, Outcome: trace.NoAnswer, StopReason: trace.EmptyAnswer, Extract: "none",
			Message: messages[task.ID.Trace%len(messages)], Cause: trace.CouldNotRead, Steps: 1,
		}
		task.Emit(0, t.Conclusion())
		return t
	}
}

// readPlan returns a plan of one query for a date, with an extractor that is an oracle.
func readPlan(reply string, k int, a agent.Agent) runner.Plan {
	p := newPlan(1, k, 4, a)
	change(&p, 0, func(q *datasets.Query) { q.Gold.Type, q.Gold.Answer = answer.Date, "2024-03-05" })
	p.Arms[0].Configuration.Extract = config.ExtractModel
	p.Arms[0].Extractor = &extract.Reader{Model: oracle{extract.Schema: reply}, Name: "test:oracle", Cache: &extract.Cache{}}
	return p
}

// TestExtractorReadsWhatRulesDoNot checks that the extractor's words are the trace's answer in the record,
// and an event after the trace's end.
func TestExtractorReadsWhatRulesDoNot(t *testing.T) {
	const read = `{"words": "2024-03-05"}`
	for _, c := range []struct {
		name     string
		reply    string
		messages []string
		method   consensus.Method
		verdict  judge.Ruling
		outcomes []trace.Outcome
		sum      store.Extraction
	}{
		{"it reads", read, []string{handbook}, consensus.Exact, judge.Correct, []trace.Outcome{trace.Answered, trace.Answered, trace.Answered},
			store.Extraction{Messages: 3, Read: 3, Effort: asking.Effort{Calls: 3}}},
		{"of one message", read, []string{handbook, "I do not say.", ""}, consensus.None, judge.Incorrect, []trace.Outcome{trace.Answered, trace.NoAnswer, trace.NoAnswer},
			store.Extraction{Messages: 2, Read: 1, Refused: 1, Effort: asking.Effort{Calls: 2}}},
		{"nothing", `{"words": null}`, []string{handbook}, consensus.None, judge.Incorrect, []trace.Outcome{trace.NoAnswer, trace.NoAnswer, trace.NoAnswer},
			store.Extraction{Messages: 3, Effort: asking.Effort{Calls: 3}}},
		{"prose", garbage, []string{handbook}, consensus.None, judge.Incorrect, []trace.Outcome{trace.NoAnswer, trace.NoAnswer, trace.NoAnswer},
			store.Extraction{Messages: 3, Effort: asking.Effort{Calls: 6, Unread: 6, UnreadTokens: 6, Unparseable: 3}}},
		{"it is down", "!", []string{handbook}, consensus.None, judge.Unscored, []trace.Outcome{trace.Infra, trace.Infra, trace.Infra},
			store.Extraction{Messages: 3, Effort: asking.Effort{Calls: 3, Errors: 3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := execute(t, t.Context(), readPlan(c.reply, 3, ending(c.messages...)), runner.Control{})
			if r.err != nil || r.finishErr != nil || len(r.records) != 1 {
				t.Fatal(r.err, r.finishErr, len(r.records))
			}
			rec := r.records[0]
			if rec.Consensus.Method != c.method || rec.Verdict.Verdict != c.verdict {
				t.Errorf("%s, %+v; want %s, %s", rec.Consensus.Method, rec.Verdict, c.method, c.verdict)
			}
			for i, a := range rec.Answers {
				read := a.Outcome == trace.Answered
				if a.Outcome != c.outcomes[i] || (a.Extract == extract.FromModel) != read || (a.Verdict == judge.Correct) != read || read && a.StopReason != trace.Final {
					t.Errorf("trace %d: %+v", i, a)
				}
				if unread := a.Outcome == trace.NoAnswer && c.messages[i%len(c.messages)] != ""; a.Unread != unread {
					t.Errorf("trace %d: unread is %t", i, a.Unread)
				}
			}
			c.sum.Model = rec.Extraction.Model
			if *rec.Extraction != c.sum {
				t.Errorf("summed up as %+v, want %+v", *rec.Extraction, c.sum)
			}
			if got := rec.Usage.Roles[store.ExtractorRole].ModelCalls; got != c.sum.Calls || rec.Usage.ModelCalls != c.sum.Calls {
				t.Errorf("%d calls of the extractor", got)
			}
			if c.reply == "!" && len(rec.Troubles()) != 1 {
				t.Errorf("troubles: %q", rec.Troubles())
			}
		})
	}
}

// TestExtractionEvents checks that the trace keeps its own end, that the extraction follows it, and that its
// exchanges have their own purpose. If another session judges the trace again, the trace keeps its events.
func TestExtractionEvents(t *testing.T) {
	r := execute(t, t.Context(), readPlan(`{"words": "2024-03-05"}`, 1, ending(handbook)), runner.Control{})
	if r.err != nil {
		t.Fatal(r.err)
	}
	for _, events := range r.events {
		end, ok := events[len(events)-2].Body.(trace.Conclusion)
		if !ok || end.Outcome != trace.NoAnswer || end.Extract != "none" {
			t.Errorf("the trace ended as %+v", end)
		}
		x, ok := events[len(events)-1].Body.(trace.Extraction)
		if !ok || x.Answer == nil || *x.Answer != "2024-03-05" || x.Extract != extract.FromModel || x.Configuration != "default" || x.Cause != nil {
			t.Errorf("read as %+v", x)
		}
	}
	asked := 0
	for _, exchanges := range r.exchanges {
		for _, x := range exchanges {
			if x.Purpose == model.Extractor {
				asked++
			}
			for _, m := range x.Messages {
				if strings.Contains(m.Content, "gold") {
					t.Errorf("the extractor is told of the gold: %s", m.Content)
				}
			}
		}
	}
	if asked != 1 {
		t.Errorf("%d exchanges of the extractor are recorded", asked)
	}
}

// TestExtractorLeavesOtherRowsAlone checks that a row without an extractor shares the traces but not the
// extracted answers.
func TestExtractorLeavesOtherRowsAlone(t *testing.T) {
	p := readPlan(`{"words": "2024-03-05"}`, 2, ending(handbook))
	rules := p.Arms[0]
	rules.Configuration.Name, rules.Configuration.Extract, rules.Extractor = "rules", config.ExtractRules, nil
	p.Arms = append(p.Arms, rules)
	r := execute(t, t.Context(), p, runner.Control{})
	for _, rec := range r.records {
		want := judge.Correct
		if rec.Configuration == "rules" {
			want = judge.Incorrect
		}
		if rec.Verdict.Verdict != want || (rec.Extraction != nil) != (want == judge.Correct) {
			t.Errorf("%s: %+v", rec.Configuration, rec.Verdict)
		}
	}
	if len(r.records) != 2 {
		t.Errorf("%d records", len(r.records))
	}
}

// TestRightAs checks that another type is named if answer and gold are equal by it.
func TestRightAs(t *testing.T) {
	for _, c := range []struct {
		as           answer.Type
		gold, answer string
		want         answer.Type
	}{
		{answer.Text, "3.50", "3.5", answer.Decimal},
		{answer.Text, "red, green", "green and red", answer.List},
		{answer.Text, "yes", "yes", ""},
		{answer.Integer, "30", "31", ""},
		{answer.Date, "2024-03-05", "5 May 2024", ""},
	} {
		p := newPlan(1, 1, 1, saying(c.answer))
		change(&p, 0, func(q *datasets.Query) { q.Gold.Type, q.Gold.Answer = c.as, c.gold })
		r := execute(t, t.Context(), p, runner.Control{})
		if a := r.records[0].Answers[0]; a.RightAs != c.want {
			t.Errorf("%s %q against %q: right as %q, verdict %s", c.as, c.gold, c.answer, a.RightAs, a.Verdict)
		}
	}
}
