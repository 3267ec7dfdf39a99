package react_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

func TestFinalMessages(t *testing.T) {
	for _, c := range []struct {
		name, message string
		typ           answer.Type
		outcome       trace.Outcome
		reason        trace.StopReason
		answer        string
		extract       answer.Extraction
	}{
		{"answer", "It is so.\nAnswer: Paris", answer.Text, trace.Answered, trace.Final, "Paris", answer.FromLine},
		{"abstain", "I do not know.\nAnswer: [ABSTAIN]", answer.Text, trace.Abstained, trace.Final, "", answer.FromLine},
		{"refuse", "I will not.\nAnswer: [REFUSE]", answer.Text, trace.Refused, trace.Final, "", answer.FromLine},
		{"no line", "Adding them gives 42.", answer.Integer, trace.Answered, trace.Final, "42", answer.FromFallback},
		{"nothing to extract", "There is much to be said about it.", answer.Integer, trace.NoAnswer, trace.EmptyAnswer, "", answer.FromNowhere},
		{"empty", "", answer.Text, trace.NoAnswer, trace.EmptyAnswer, "", answer.FromNowhere},
		{"blank", " \n\t", answer.Text, trace.NoAnswer, trace.EmptyAnswer, "", answer.FromNowhere},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := question("?")
			q.Gold = datasets.Gold{Type: c.typ}
			replies := []reply{say(c.message)}
			if c.extract != answer.FromLine {
				replies = append(replies, say(" ")) // the reply to the request for the answer line
			}
			p := play(t, t.Context(), newAgent(t), q, replies...)
			p.ended(t, c.outcome, c.reason, c.answer)
			if p.Extract != string(c.extract) || strings.TrimSpace(p.Message) != strings.TrimSpace(c.message) || p.Steps != len(replies) {
				t.Errorf("extract %s, message %q, %d steps; want %s, %q", p.Extract, p.Message, p.Steps, c.extract, c.message)
			}
			if (p.Cause != "") != (c.outcome == trace.NoAnswer) {
				t.Errorf("cause %q", p.Cause)
			}
		})
	}
}

func TestAnswerAfterTools(t *testing.T) {
	p := play(t, t.Context(), newAgent(t, library(), echo()), question("Where?"),
		use("Look it up.", call("c1", "library", `{"text":"rivers"}`)),
		use("", call("c2", "echo", `{"text":"42"}`)),
		say("It is 42 [corpus_1].\nAnswer: 42"),
	)
	p.ended(t, trace.Answered, trace.Final, "42")
	want := []string{
		`0 thought Look it up.`,
		`0 action c1 library {"text":"rivers"}`,
		`0 observation c1 {"results":[{"id":"corpus_1","title":"On rivers","snippet":"","source":"","score":0}]}`,
		`1 action c2 echo {"text":"42"}`, // a turn without a thought has no thought event
		`1 observation c2 {"text":"42"}`,
		`2 final final`,
	}
	if diff := cmp.Diff(want, p.story()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if p.Steps != 3 || p.ModelCalls != 3 || p.ToolCalls != 2 {
		t.Errorf("%d steps, %d model calls, %d tool calls; want 3, 3, 2", p.Steps, p.ModelCalls, p.ToolCalls)
	}
	if want := (model.Usage{InputTokens: 30, OutputTokens: 12, CachedTokens: 2}); p.Usage != want {
		t.Errorf("usage %+v, want %+v", p.Usage, want)
	}
}

// TestRequests checks the request to the model in every turn.
func TestRequests(t *testing.T) {
	a := newAgent(t, library(), echo())
	a.Config.Temperature = 0.3
	p := play(t, t.Context(), a, question("Where?"), use("Hm.", call("c1", "echo", `{}`)), say("Answer: x"))
	for i, r := range p.requests {
		if want := (model.Identity{Agent: "a1", Query: "q1", Trace: 2, Step: i, Purpose: model.Agent}); r.Identity != want {
			t.Errorf("request %d is %+v, want %+v", i, r.Identity, want)
		}
		if r.Temperature != 0.3 || r.Seed != 7 || !slices.Equal(toolNames(r), []string{"library", "echo"}) {
			t.Errorf("request %d: temperature %v, seed %d, tools %v", i, r.Temperature, r.Seed, toolNames(r))
		}
		checkPairs(t, r.Messages)
	}
	first, second := p.requests[0].Messages, p.requests[1].Messages
	if len(first) != 2 || first[0].Role != model.System || first[1].Role != model.User || first[1].Content != "Where?" {
		t.Errorf("the first request is %+v", first)
	}
	if diff := cmp.Diff(first, second[:2]); diff != "" {
		t.Errorf("the second request does not go on from the first:\n%s", diff)
	}
	if len(second) != 4 || second[2].Role != model.Assistant || second[3].Content != `{"text":""}` {
		t.Errorf("the second request is %+v", second)
	}
}

func toolNames(r model.Request) []string {
	var out []string
	for _, t := range r.Tools {
		out = append(out, t.Name)
	}
	return out
}

// TestLimitsForceOneTurnWithoutTools checks both limits with every possible end of the forced turn.
func TestLimitsForceOneTurnWithoutTools(t *testing.T) {
	over := map[trace.StopReason]func(*config.Agent){
		trace.MaxSteps:     func(c *config.Agent) { c.MaxSteps = 2 },
		trace.MaxToolCalls: func(c *config.Agent) { c.MaxToolCalls = 1 },
	}
	ends := []struct {
		name    string
		last    reply
		outcome trace.Outcome
		answer  string
	}{
		{"answered", say("Answer: 5"), trace.Answered, "5"},
		{"abstained", say("Answer: [ABSTAIN]"), trace.Abstained, ""},
		{"refused", say("Answer: [REFUSE]"), trace.Refused, ""},
		{"empty", say(""), trace.NoAnswer, ""},
		{"no line", say("There is much to be said about it."), trace.NoAnswer, ""},
		{"one more call", use("", call("z", "echo", `{}`)), trace.NoAnswer, ""},
		{"answer and a call", use("Answer: 5", call("z", "echo", `{}`)), trace.Answered, "5"},
	}
	q := question("?")
	q.Gold.Type = answer.Integer
	for reason, change := range over {
		for _, end := range ends {
			t.Run(string(reason)+" "+end.name, func(t *testing.T) {
				a := newAgent(t, echo())
				change(&a.Config)
				var again []reply
				if end.outcome == trace.NoAnswer {
					again = []reply{end.last} // the reply to the request for the answer line
				}
				p := play(t, t.Context(), a, q,
					append([]reply{use("", call("c1", "echo", `{"text":"1"}`)), use("", call("c2", "echo", `{"text":"2"}`)), end.last}, again...)...)
				p.ended(t, end.outcome, reason, end.answer)
				last := p.requests[2]
				if last.Choice != model.ChooseNone || !slices.Equal(toolNames(last), toolNames(p.requests[1])) {
					t.Errorf("the forced turn has the tools %v, choice %q: it breaks what caches keep", toolNames(last), last.Choice)
				}
				if n := len(p.requests); n > 3 && end.name == "one more call" && p.requests[3].Tools != nil {
					t.Errorf("a model that called a tool all the same has the tools %v again", toolNames(p.requests[3]))
				}
				if m := last.Messages[len(last.Messages)-1]; m.Role != model.User || m.Content == "" {
					t.Errorf("the forced turn ends with %+v, want a user's message that asks for the answer", m)
				}
				checkPairs(t, last.Messages)
				if before := p.requests[1]; len(before.Tools) != 1 || before.Choice != model.ChooseFreely {
					t.Error("the turn before has no tools")
				}
				if want := 3 + len(again); p.Steps != want {
					t.Errorf("%d steps, want %d", p.Steps, want)
				}
			})
		}
	}
}

func TestMaxSteps(t *testing.T) {
	for _, c := range []struct {
		name               string
		conf, query, turns int
		fixed              bool
	}{
		{"configuration", 3, 0, 3, false},
		{"query above", 2, 4, 4, false},
		{"query below", 4, 1, 1, false},
		{"fixed", 2, 4, 2, true},
		{"fixed without query", 2, 0, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newAgent(t, echo())
			a.Config.MaxSteps, a.Config.FixedSteps, a.Config.Guards = c.conf, c.fixed, nil // the step limit is always on
			q := question("?")
			q.MaxSteps = c.query
			replies := slices.Repeat([]reply{use("", call("", "echo", `{}`))}, c.turns)
			p := play(t, t.Context(), a, q, append(replies, say("Answer: x"))...)
			p.ended(t, trace.Answered, trace.MaxSteps, "x")
			if got := p.story(); got[len(got)-2] == "" || got[len(got)-2][2:] != "guard steps limit all allowed turns are used up" {
				t.Errorf("before the end stands %q, want the step guard", got[len(got)-2])
			}
		})
	}
}

func TestContentFilter(t *testing.T) {
	filtered := func(context.Context) (model.Response, error) {
		return model.Response{Message: model.Message{Content: "Answer: 42"}, Finish: model.FinishContentFilter}, nil
	}
	p := play(t, t.Context(), newAgent(t), question("?"), filtered)
	p.ended(t, trace.Refused, trace.ContentFilter, "")
	if p.Cause == "" {
		t.Error("no cause")
	}
}

// TestThoughts checks that a model's thoughts are recorded, and are neither part of the answer nor sent back.
func TestThoughts(t *testing.T) {
	apart := func(text, thought string) reply {
		return func(context.Context) (model.Response, error) {
			opaque := json.RawMessage(`{"openai": {"message": {"reasoning_content": "hm"}}}`)
			return model.Response{Message: model.Message{Role: model.Assistant, Content: text, Thought: thought, Opaque: opaque}, Finish: model.FinishStop}, nil
		}
	}
	for _, protocol := range []string{config.ProtocolNative, config.ProtocolText} {
		for name, last := range map[string]reply{
			"a block":              say("<think>Is it 4? [corpus_9]\n<tool_call>{\"name\": \"echo\", \"arguments\": {}}</tool_call></think>\nIt says so.\nAnswer: 5"),
			"opened in the prompt": say("Is it 4? [corpus_9]\n<tool_call>{\"name\": \"echo\", \"arguments\": {}}</tool_call>\n</think>\nIt says so.\nAnswer: 5"),
			"apart":                apart("It says so.\nAnswer: 5", "Is it 4? [corpus_9]\n<tool_call>{\"name\": \"echo\", \"arguments\": {}}</tool_call>"),
		} {
			a := newAgent(t, echo())
			a.Config.Protocol = protocol
			p := play(t, t.Context(), a, question("?"), last)
			p.ended(t, trace.Answered, trace.Final, "5")
			want := []string{"0 thought Is it 4? [corpus_9]\n<tool_call>{\"name\": \"echo\", \"arguments\": {}}</tool_call>", "0 final final"}
			again := play(t, t.Context(), a, question("?"), apart("Well.", "hm"), last)
			if sent := again.requests[1].Messages[2]; (sent.Opaque != nil) != (protocol == config.ProtocolNative) {
				t.Errorf("%s: %s goes back", protocol, sent.Opaque)
			}
			if diff := cmp.Diff(want, p.story()); diff != "" || p.Message != "It says so.\nAnswer: 5" {
				t.Errorf("%s, %s: message %q, events %s", protocol, name, p.Message, diff)
			}
		}
	}
}
