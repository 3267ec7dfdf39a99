package talk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/talk"
	"github.com/seed-5817661a/concur/trace"
)

func query(texts ...string) datasets.Query {
	q := datasets.Query{ID: "q"}
	for _, text := range texts {
		q.Turns = append(q.Turns, datasets.ScriptedTurn{Text: text})
	}
	return q
}

func Example() {
	q := query("How long is the Danube?", "And the Volga?")
	t := talk.Run(q, func(n int, turn datasets.Query) trace.Trace {
		fmt.Println(turn.Text, "after", len(turn.History), "messages")
		return trace.Trace{Outcome: trace.Answered, Answer: []string{"2850 km", "3530 km"}[n]}
	})
	fmt.Println(t.Answer)
	// Output:
	// How long is the Danube? after 0 messages
	// And the Volga? after 2 messages
	// 2850 km / 3530 km
}

// TestRunSumsUp checks outcome, answer, counts and audit of a whole conversation.
func TestRunSumsUp(t *testing.T) {
	yes, no := true, false
	said := func(answer string, grounded *bool) trace.Trace {
		return trace.Trace{Outcome: trace.Answered, StopReason: trace.Final, Extract: "line", Message: "It is " + answer, Answer: answer, Steps: 2, ModelCalls: 2, ToolCalls: 1,
			Usage: model.Usage{InputTokens: 5}, Grounded: grounded, Grounding: trace.Grounding{Claims: 1, Supported: 1}, Supporting: []string{"corpus:a"}}
	}
	silent := trace.Trace{Outcome: trace.NoAnswer, StopReason: trace.EmptyAnswer, Extract: "none"}
	refused := trace.Trace{Outcome: trace.Refused, StopReason: trace.Final, Extract: "line", Message: "No."}
	rejected := trace.Trace{Outcome: trace.Abstained, StopReason: trace.Ungrounded, Extract: "line", Message: "It is 9", Rejected: "It is 9", Grounded: &no}
	lost := trace.Trace{Outcome: trace.Infra, StopReason: trace.Timeout, Extract: "none", Cause: "too slow"}
	for _, c := range []struct {
		name   string
		turns  []trace.Trace
		want   trace.Trace
		before string // the last turn
	}{
		{"answers", []trace.Trace{said("1", nil), said("2", &yes), said("3", nil)}, trace.Trace{Outcome: trace.Answered, StopReason: trace.Final, Answer: "1 / 2 / 3", Grounded: &yes}, "A|It is 1|B|It is 2"},
		{"one citation fails", []trace.Trace{said("1", &no), said("2", &yes), said("3", nil)}, trace.Trace{Outcome: trace.Answered, StopReason: trace.Final, Answer: "1 / 2 / 3", Grounded: &no}, "A|It is 1|B|It is 2"},
		{"mixed", []trace.Trace{said("1", nil), refused, said("3", nil)}, trace.Trace{Outcome: trace.Answered, StopReason: trace.Final, Answer: "1 / [refused] / 3"}, "A|It is 1|B|No."},
		{"refused", []trace.Trace{refused, refused, refused}, trace.Trace{Outcome: trace.Refused, StopReason: trace.Final}, "A|No.|B|No."},
		{"silent", []trace.Trace{said("1", nil), silent, said("3", nil)}, trace.Trace{Outcome: trace.NoAnswer, StopReason: trace.EmptyAnswer, Cause: "turn 2: empty_answer"}, "A|It is 1"},
		{"rejected", []trace.Trace{rejected, said("2", nil), said("3", nil)}, trace.Trace{Outcome: trace.Answered, StopReason: trace.Final, Answer: "[abstained] / 2 / 3", Grounded: &no, Rejected: "It is 9"}, "A|" + trace.NoSupport + "|B|It is 2"},
		{"lost", []trace.Trace{silent, lost}, trace.Trace{Outcome: trace.Infra, StopReason: trace.Timeout, Cause: "turn 2: too slow"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before []string
			got := talk.Run(query("A", "B", "C"), func(n int, q datasets.Query) trace.Trace {
				before = nil
				for _, turn := range q.History {
					before = append(before, turn.Content)
				}
				return c.turns[n]
			})
			if got.Outcome != c.want.Outcome || got.StopReason != c.want.StopReason || got.Answer != c.want.Answer || got.Cause != c.want.Cause || got.Rejected != c.want.Rejected {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if diff := cmp.Diff(c.want.Grounded, got.Grounded); diff != "" {
				t.Errorf("grounded (-want +got):\n%s", diff)
			}
			steps := 0
			for _, turn := range c.turns {
				steps += turn.Steps
			}
			if got.Steps != steps || got.ModelCalls != steps || got.ToolCalls != steps/2 || got.Usage.InputTokens != steps/2*5 || len(got.Turns) != len(c.turns) || len(got.Supporting) > 1 {
				t.Errorf("steps %d, want %d; %+v", got.Steps, steps, got)
			}
			if text := strings.Join(before, "|"); text != c.before {
				t.Errorf("heard %q before the last turn, want %q", text, c.before)
			}
			if again := got.Conclusion().Trace(got.ID); len(again.Turns) != len(got.Turns) || again.Turns[0].Answer != got.Turns[0].Answer {
				t.Errorf("the recorded trace is %+v", again)
			}
		})
	}
}

// TestOfATurn checks the traces of one turn: their events, agents and earlier messages, and lost ones.
func TestOfATurn(t *testing.T) {
	q := query("A", "B")
	q.History = []datasets.Turn{{Role: datasets.UserRole, Content: "Hello."}}
	whole := store.FinishedTrace{Trace: trace.Trace{ID: trace.ID{Query: "q", Trace: 4}, Outcome: trace.Answered, Turns: []trace.Trace{
		{Outcome: trace.Answered, Message: "one", Answer: "one"},
		{Outcome: trace.Answered, Message: "two", Answer: "two", Children: []trace.Child{{Path: "turn#2", Task: "summary"}, {Path: "turn#2/helper#1"}, {Path: "embeddings x:org/small"}}},
	}}}
	for _, path := range []string{"turn#1", "turn#2", "turn#2/helper#1", "turn#20", ""} {
		whole.Events = append(whole.Events, trace.Event{ID: whole.ID, Path: path, Body: trace.Thought{Content: path}})
	}
	lost := store.FinishedTrace{Trace: trace.Trace{ID: trace.ID{Query: "q", Trace: 5}, Outcome: trace.Infra, StopReason: trace.Timeout, Cause: "turn 1: too slow", Turns: []trace.Trace{{Outcome: trace.Infra, StopReason: trace.Timeout, Cause: "too slow"}}}}
	turn, traces := talk.Of(q, []store.FinishedTrace{whole, lost}, 1)
	if diff := cmp.Diff([]datasets.Turn{{Role: "user", Content: "Hello."}, {Role: "user", Content: "A"}}, turn.History); diff != "" || turn.Text != "B" {
		t.Errorf("query %+v (-want +got):\n%s", turn, diff)
	}
	one := traces[0]
	if one.Answer != "two" || one.Trace.Trace != 4 || one.Path != "turn#2" {
		t.Errorf("trace %+v", one)
	}
	if diff := cmp.Diff([]datasets.Turn{{Role: "user", Content: "Hello."}, {Role: "user", Content: "A"}, {Role: "assistant", Content: "one"}}, one.Earlier); diff != "" {
		t.Errorf("earlier messages (-want +got):\n%s", diff)
	}
	var paths []string
	for _, c := range one.Children {
		paths = append(paths, c.Path)
	}
	for _, e := range one.Events {
		paths = append(paths, e.Path+" "+e.Body.(trace.Thought).Content)
	}
	if diff := cmp.Diff([]string{"", "helper#1", "embeddings x:org/small", " turn#2", "helper#1 turn#2/helper#1"}, paths); diff != "" {
		t.Errorf("paths of agents and events (-want +got):\n%s", diff)
	}
	if whole.Turns[1].Children[0].Path != "turn#2" {
		t.Error("the trace itself was changed")
	}
	if l := traces[1]; l.Outcome != trace.Infra || l.Cause != "turn 1: too slow" || l.Trace.Trace != 5 {
		t.Errorf("lost trace %+v", l)
	}
}

// TestJoinOfVerdicts checks the verdict on a conversation: without a verdict if a turn has none, else the first wrong one.
func TestJoinOfVerdicts(t *testing.T) {
	right := judge.Verdict{Verdict: judge.Correct, By: judge.ByGold, Reason: "equal"}
	judged := judge.Verdict{Verdict: judge.Correct, By: judge.ByCorrectness, Reason: "good"}
	wrong := judge.Verdict{Verdict: judge.Incorrect, By: judge.ByGold, Reason: "other"}
	open := judge.Verdict{Verdict: judge.Unscored, By: judge.ByInfra, Reason: "lost"}
	for _, c := range []struct {
		turns []judge.Verdict
		want  judge.Verdict
	}{
		{[]judge.Verdict{right, right}, judge.Verdict{Verdict: judge.Correct, By: judge.ByGold, Reason: "all turns (2) are right"}},
		{[]judge.Verdict{judged, right}, judge.Verdict{Verdict: judge.Correct, By: judge.ByCorrectness, Reason: "all turns (2) are right"}},
		{[]judge.Verdict{right, wrong, wrong}, judge.Verdict{Verdict: judge.Incorrect, By: judge.ByGold, Reason: "turn 2 of 3: other"}},
		{[]judge.Verdict{wrong, open}, judge.Verdict{Verdict: judge.Unscored, By: judge.ByInfra, Reason: "turn 2 of 2: lost"}},
	} {
		var turns []store.Record
		whole := trace.Trace{Outcome: trace.Answered, Answer: "a"}
		for _, v := range c.turns {
			key := "entity:a"
			turns = append(turns, store.Record{Verdict: v, Answers: []store.Answer{{Key: &key, Verdict: v.Verdict}},
				Consensus: consensus.Decision{Votes: []consensus.Class{{Key: key, Traces: []int{0}}}, Effort: consensus.Effort{Calls: 2}}, Timing: store.Timing{JudgeS: 1}})
			whole.Turns = append(whole.Turns, trace.Trace{Outcome: trace.Answered, Answer: "a"})
		}
		r := store.Record{Query: "q", Answers: make([]store.Answer, 1)}
		if err := talk.Join(t.Context(), &r, []store.FinishedTrace{{Trace: whole}}, turns, consensus.QuorumMajority); err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want || r.Answers[0].Verdict != c.want.Verdict || len(r.Turns) != len(c.turns) || r.Consensus.Calls != 2*len(c.turns) || r.Timing.JudgeS != float64(len(c.turns)) {
			t.Errorf("%v: got %+v, want %+v; record %+v", c.turns, r.Verdict, c.want, r)
		}
	}
}
