package runner_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/delegate"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// talkPlan returns a plan with one conversation of three turns; the right answers are one, two and three.
func talkPlan(k int, a agent.Agent) runner.Plan {
	p := newPlan(1, k, 2, a)
	change(&p, 0, func(q *datasets.Query) {
		*q = datasets.Query{ID: "q0", Category: "c", Text: "1. A?\n2. B?\n3. C?",
			Gold:    datasets.Gold{Type: answer.Text, Outcome: trace.Answered},
			Context: datasets.Context{History: []datasets.Turn{{Role: "user", Content: "Hello."}, {Role: "assistant", Content: "Hello!"}}}}
		for i, word := range []string{"one", "two", "three"} {
			q.Turns = append(q.Turns, datasets.ScriptedTurn{Text: string(rune('A'+i)) + "?",
				Gold: datasets.Gold{Type: answer.Text, Answer: word, Outcome: trace.Answered}})
		}
	})
	return p
}

// by returns an agent that replies by trace and question, and notes what it heard before.
func by(replies map[string]string) (agentFunc, map[string][]string) {
	var mu sync.Mutex
	heard := map[string][]string{}
	return func(_ context.Context, task agent.Task) trace.Trace {
		key := fmt.Sprint(task.ID.Trace, task.Query.Text)
		mu.Lock()
		for _, turn := range task.Query.History {
			heard[key] = append(heard[key], turn.Content)
		}
		mu.Unlock()
		switch reply := replies[key]; reply {
		case "lost":
			return trace.Trace{Outcome: trace.Infra, StopReason: trace.Timeout, Extract: "none", Cause: "too slow"}
		case "":
			return trace.Trace{Outcome: trace.NoAnswer, StopReason: trace.EmptyAnswer, Extract: "none"}
		case "attack":
			return trace.Trace{Outcome: trace.Refused, StopReason: trace.RefusedByGuard, Extract: "none", Message: "No."}
		default:
			return answered(task, reply)
		}
	}, heard
}

// TestScriptedTurns checks that each trace goes on with its own replies, that each turn has its own vote and verdict,
// and that a wrong reply does not end the conversation.
func TestScriptedTurns(t *testing.T) {
	a, heard := by(map[string]string{
		"0A?": "one", "0B?": "two", "0C?": "three", "1A?": "one", "1B?": "wrong", "1C?": "three", "2A?": "wrong", "2B?": "two", "2C?": "three",
	})
	r := execute(t, t.Context(), talkPlan(3, a), runner.Control{})
	if r.err != nil || len(r.records) != 1 {
		t.Fatalf("%d records, %v", len(r.records), r.err)
	}
	if diff := cmp.Diff([]string{"Hello.", "Hello!", "A?", "Answer: wrong", "B?", "Answer: two"}, heard["2C?"]); diff != "" {
		t.Errorf("trace 2 heard before turn 3 (-want +got):\n%s", diff)
	}
	rec := r.records[0]
	if v := rec.Verdict; v.Verdict != judge.Correct || v.Reason != "all turns (3) are right" {
		t.Errorf("verdict %+v", v)
	}
	// No two traces agree in every turn, but two of three do in each.
	if d := rec.Consensus; d.Method != "tie" || *d.Agreement != 1.0/3 || d.KCurve || d.Unscored {
		t.Errorf("consensus %+v", d)
	}
	var verdicts []judge.Ruling
	for _, one := range rec.Answers {
		verdicts = append(verdicts, one.Verdict)
	}
	if diff := cmp.Diff([]judge.Ruling{judge.Correct, judge.Incorrect, judge.Incorrect}, verdicts); diff != "" {
		t.Errorf("verdicts on traces (-want +got):\n%s", diff)
	}
	if *rec.Answers[1].Answer != "one / wrong / three" || rec.Answers[1].Steps != 3 || rec.Expected != "1. one 2. two 3. three" {
		t.Errorf("answer %q, %d steps, expected %q", *rec.Answers[1].Answer, rec.Answers[1].Steps, rec.Expected)
	}
	if len(rec.Turns) != 3 || len(rec.Timing.TracesS) != 3 {
		t.Fatalf("%d turns, %d durations", len(rec.Turns), len(rec.Timing.TracesS))
	}
	for i, turn := range rec.Turns {
		if want := []string{"exact", "majority"}[min(1, (2-i)%3)]; string(turn.Consensus.Method) != want || turn.Verdict.Verdict != judge.Correct || len(turn.Answers) != 3 {
			t.Errorf("turn %d: %+v by %s with %d answers, want %s", i+1, turn.Verdict, turn.Consensus.Method, len(turn.Answers), want)
		}
	}
	var ends []string
	for _, e := range r.events[trace.ID{Agent: "a1", Query: "q0", Trace: 0}] {
		ends = append(ends, e.Name()+" "+e.Path)
	}
	if diff := cmp.Diff([]string{"final turn#1", "final turn#2", "final turn#3", "final "}, ends); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestScriptedTurnsThatFail checks verdict, outcome and history when turns go wrong.
func TestScriptedTurnsThatFail(t *testing.T) {
	right := map[string]string{"0A?": "one", "0B?": "two", "0C?": "three"}
	with := func(key, reply string) map[string]string {
		out := map[string]string{}
		for k, v := range right {
			out[k] = v
		}
		out[key] = reply
		return out
	}
	for _, c := range []struct {
		name    string
		replies map[string]string
		verdict judge.Ruling
		reason  string
		outcome trace.Outcome
		asked   string // the turns that the agent was asked
		heard   string // before the last turn
	}{
		{"right", right, judge.Correct, "all turns (3) are right", trace.Answered, "0A? 0B? 0C?", "A? Answer: one B? Answer: two"},
		{"wrong at first", with("0A?", "four"), judge.Incorrect, "turn 1 of 3: ", trace.Answered, "0A? 0B? 0C?", "A? Answer: four B? Answer: two"},
		{"lost in the middle", with("0B?", "lost"), judge.Unscored, "turn 2 of 3: too slow", trace.Infra, "0A? 0B?", ""},
		{"no answer", with("0B?", ""), judge.Incorrect, "turn 2 of 3: no answer", trace.NoAnswer, "0A? 0B? 0C?", "A? Answer: one"},
		{"refused by the guard", with("0B?", "attack"), judge.Incorrect, "turn 2 of 3: refused", trace.Answered, "0A? 0B? 0C?", "A? Answer: one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, heard := by(c.replies)
			r := execute(t, t.Context(), talkPlan(1, a), runner.Control{})
			if r.err != nil || len(r.records) != 1 {
				t.Fatalf("%d records, %v", len(r.records), r.err)
			}
			rec := r.records[0]
			if v := rec.Verdict; v.Verdict != c.verdict || !strings.HasPrefix(v.Reason, c.reason) || rec.Answers[0].Verdict != c.verdict {
				t.Errorf("verdict %+v, on the trace %s; want %s: %s…", v, rec.Answers[0].Verdict, c.verdict, c.reason)
			}
			if rec.Answers[0].Outcome != c.outcome {
				t.Errorf("outcome %s, want %s", rec.Answers[0].Outcome, c.outcome)
			}
			var asked []string
			for key := range heard {
				asked = append(asked, key)
			}
			if slices.Sort(asked); strings.Join(asked, " ") != c.asked {
				t.Errorf("asked %v, want %s", asked, c.asked)
			}
			if before := heard["0C?"]; len(before) > 0 && strings.Join(before[2:], " ") != c.heard {
				t.Errorf("heard before turn 3 %v, want %s", before[2:], c.heard)
			}
		})
	}
}

// TestScriptedTurnsAreResumed checks that a finished conversation is not asked again, and that its record is the same.
func TestScriptedTurnsAreResumed(t *testing.T) {
	a, heard := by(map[string]string{"0A?": "one", "0B?": "lost", "1A?": "one", "1B?": "two", "1C?": "three"})
	p := talkPlan(2, a)
	out, err := store.Create(t.TempDir(), store.Manifest{Run: "r1", Configurations: []store.Configuration{{Name: "default", Configuration: p.Arms[0].Configuration, Agent: "a1"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(t.Context(), out, runner.Control{}); err != nil {
		t.Fatal(err)
	}
	if err := out.Finish(store.Complete, time.Now()); err != nil {
		t.Fatal(err)
	}
	run, err := store.Open(out.Dir())
	if err != nil {
		t.Fatal(err)
	}
	first := read(t, run.Records())
	prior, err := run.Prior(store.Scope{RetryFailed: true})
	if err != nil {
		t.Fatal(err)
	}
	done, ok := prior.Trace(trace.ID{Agent: "a1", Query: "q0", Trace: 1})
	if !ok || len(done.Turns) != 3 || done.Turns[1].Answer != "two" || first[0].Verdict.Verdict != judge.Unscored {
		t.Fatalf("finished %t: %+v; verdict %+v", ok, done.Trace, first[0].Verdict)
	}
	if _, again := prior.Trace(trace.ID{Agent: "a1", Query: "q0", Trace: 0}); again {
		t.Error("the lost trace counts as finished")
	}
	clear(heard)
	other, heardAgain := by(map[string]string{"0A?": "one", "0B?": "two", "0C?": "three"})
	p.Arms[0].Agent = other
	r := execute(t, t.Context(), p, runner.Control{Prior: prior})
	if r.err != nil || len(heardAgain) != 3 || len(heard) != 0 {
		t.Errorf("asked %v and %v, %v", heardAgain, heard, r.err)
	}
	if v := r.records[0].Verdict; v.Verdict != judge.Correct {
		t.Errorf("verdict %+v", v)
	}
}

// TestTurnsHaveTheirOwnIdentity checks seeds, paths, calls and expected calls of turns.
func TestTurnsHaveTheirOwnIdentity(t *testing.T) {
	var mu sync.Mutex
	seeds := map[string]int64{}
	a := agentFunc(func(ctx context.Context, task agent.Task) trace.Trace {
		mu.Lock()
		seeds[task.Child.Path] = task.Seed
		mu.Unlock()
		task.Emit(0, trace.Action{Name: "calc", CallID: "c1", Input: []byte(`{"expression":"1"}`)})
		task.Emit(0, trace.Observation{CallID: "c1", Output: []byte(`{"value":"1"}`)})
		if _, err := task.Model.Complete(ctx, model.Request{Identity: model.Identity{Agent: task.ID.Agent, Query: task.ID.Query, Trace: task.ID.Trace, Purpose: model.Agent, Path: task.Child.Path}, Messages: []model.Message{{Role: model.User, Content: task.Query.Text}}}); err != nil {
			t.Error(err)
		}
		reply := answered(task, map[string]string{"A?": "one", "B?": "two", "C?": "three"}[task.Query.Text])
		reply.ModelCalls, reply.ToolCalls = 1, 1
		return reply
	})
	p := talkPlan(1, a)
	p.Arms[0].Model = modelFunc(func(context.Context, model.Request) (model.Response, error) {
		return model.Response{Message: model.Message{Role: model.Assistant, Content: "ok"}, Usage: model.Usage{InputTokens: 2}}, nil
	})
	p.Arms[0].Configuration.Pass = judge.PassGoldTools
	change(&p, 0, func(q *datasets.Query) {
		q.Turns[0].Expects = &datasets.Expects{Tools: []datasets.ExpectedCall{{Name: "calc"}}}
		q.Turns[2].Expects = &datasets.Expects{None: true}
	})
	r := execute(t, t.Context(), p, runner.Control{})
	if r.err != nil || len(r.records) != 1 {
		t.Fatalf("%d records, %v", len(r.records), r.err)
	}
	rec := r.records[0]
	whole := runner.TraceSeed(1, "q0", 0)
	for n := range 3 {
		path := model.TurnPath(n)
		if seeds[path] != delegate.Seed(whole, path) {
			t.Errorf("seed of %s is %d, want %d", path, seeds[path], delegate.Seed(whole, path))
		}
	}
	var paths []string
	for _, x := range r.exchanges[trace.ID{Agent: "a1", Query: "q0", Trace: 0}] {
		paths = append(paths, x.Path)
	}
	if diff := cmp.Diff([]string{"turn#1", "turn#2", "turn#3"}, paths); diff != "" {
		t.Errorf("exchanges (-want +got):\n%s", diff)
	}
	one := rec.Answers[0]
	if one.Actions != 3 || one.Repeated != 0 || one.ToolCalls != 3 || rec.Usage.ModelCalls != 3 || rec.Usage.ToolCalls != 3 || rec.Timing.CallsSent != 3 {
		t.Errorf("%d actions, %d repeated, %d calls; usage %+v, %d sent", one.Actions, one.Repeated, one.ToolCalls, rec.Usage, rec.Timing.CallsSent)
	}
	if !rec.Turns[0].Answers[0].Calls.Right || rec.Turns[1].Answers[0].Calls != nil || rec.Turns[2].Answers[0].Calls.Right {
		t.Errorf("expected calls: %+v, %+v, %+v", rec.Turns[0].Answers[0].Calls, rec.Turns[1].Answers[0].Calls, rec.Turns[2].Answers[0].Calls)
	}
	if v := rec.Verdict; v.Verdict != judge.Incorrect || v.By != judge.ByTools || !strings.HasPrefix(v.Reason, "turn 3 of 3: ") {
		t.Errorf("verdict %+v", v)
	}
}
