package react_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/react"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

func newTextAgent(t testing.TB, tools ...tool.Tool) *react.Agent {
	a := newAgent(t, tools...)
	a.Config.Protocol = config.ProtocolText
	return a
}

func TestTextProtocolRoundTrip(t *testing.T) {
	p := play(t, context.Background(), newTextAgent(t, echo(), library()), question("What does it say?"),
		say("Thought: I need it back.\nAction: echo\nAction Input: {\"text\": \"five\"}"),
		say("Thought: settled.\nFinal: It says five.\n\nAnswer: five"))
	p.ended(t, trace.Answered, trace.Final, "five")
	want := []string{
		"0 thought I need it back.",
		`0 action call_0_0 echo {"text": "five"}`,
		`0 observation call_0_0 {"text":"five"}`,
		"1 thought settled.",
		"1 final final",
	}
	if diff := cmp.Diff(want, p.story()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if p.Message != "It says five.\n\nAnswer: five" {
		t.Errorf("final message %q", p.Message)
	}
	first, second := p.requests[0], p.requests[1]
	if first.Tools != nil || len(first.Stop) != 1 || first.Stop[0] != "\nObservation:" {
		t.Errorf("the request offers %v natively and stops at %q", first.Tools, first.Stop)
	}
	for _, name := range []string{`"name":"echo"`, `"name":"library"`, "Action Input:"} {
		if !strings.Contains(first.Messages[0].Content, name) {
			t.Errorf("the system prompt does not hold %s", name)
		}
	}
	last := second.Messages[len(second.Messages)-1]
	if last.Role != model.User || last.Content != `Observation: {"text":"five"}` {
		t.Errorf("the observation is %+v", last)
	}
}

// TestTextTurns compares every form of a reply with the calls that are run and the faults that are counted. A
// final message follows each reply.
func TestTextTurns(t *testing.T) {
	const unmarked = `0 guard format reject the reply has neither a tool call nor a line that begins with "Answer:"`
	const echoFive = `0 action call_0_0 echo {"text":"five"}`
	for _, c := range []struct {
		name, reply string
		event       string // one of the events
		format      trace.Format
	}{
		{"plain", "Thought: go\nAction: echo\nAction Input: {\"text\":\"five\"}", echoFive, trace.Format{}},
		{"no thought", "Action: echo\nAction Input: {\"text\":\"five\"}", echoFive, trace.Format{}},
		{"no labels before the thought", "I will look.\nAction: echo\nAction Input: {\"text\":\"five\"}", "0 thought I will look.", trace.Format{}},
		{"bold and lower case", "**thought:** go\n**Action:** `echo`\n**Action Input:** {\"text\":\"five\"}", echoFive, trace.Format{}},
		{"fenced", "Action: echo\nAction Input:\n```json\n{\"text\":\"five\"}\n```", echoFive, trace.Format{}},
		{"over several lines", "Action: echo\nAction Input: {\n  \"text\":\n  \"five\"\n}", "0 action call_0_0 echo {\n  \"text\":\n  \"five\"\n}", trace.Format{}},
		{"two actions, the first wins", "Action: echo\nAction Input: {\"text\":\"five\"}\nAction: echo\nAction Input: {\"text\":\"six\"}", "0 guard format drop 1 actions are not read: the first of a turn wins", trace.Format{Dropped: 1}},
		{"alias", "Action 1: Echo[five]", `0 guard format alias "Echo" is taken for echo`, trace.Format{}},
		{"no input", "Action: echo", `0 action call_0_0 echo {}`, trace.Format{}},
		{"invented observation", "Action: echo\nAction Input: {\"text\":\"five\"}\nObservation: six\nFinal: Answer: six", echoFive, trace.Format{Invented: 1}},
		{"invented observation, answer within", "Thought: x\nObservation: Final: no\nFinal: Answer: six", "0 guard format cut the model wrote an observation itself", trace.Format{Invented: 1, Errors: 1, Reminders: 1}},
		{"single quotes", "Action: echo\nAction Input: {'text': 'five'}", `0 action call_0_0 echo {"text": "five"}`, trace.Format{Repaired: 1}},
		{"trailing comma and prose", "Action: echo\nAction Input: here it is: {\"text\":\"five\",} ok?", echoFive, trace.Format{Repaired: 1}},
		{"no object", "Action: echo\nAction Input: five", `0 action call_0_0 echo {"text": "five"}`, trace.Format{Repaired: 1}},
		{"a list", "Action: echo\nAction Input: [1]", "0 guard format reject the Action Input is not a JSON object", trace.Format{Errors: 1}},
		{"too long to mend", "Action: echo\nAction Input: {'text': " + strings.Repeat("[", 1<<20), "0 guard format reject the Action Input is not a JSON object, and at 1048585 bytes too long to mend", trace.Format{Errors: 1}},
		{"no tool", "Action:\nAction Input: {}", "0 guard format reject the Action line names no tool", trace.Format{Errors: 1}},
		{"prose", "The weather is fine.", unmarked, trace.Format{Errors: 1, Reminders: 1}},
		{"as a call", "Thought: go\nAction: echo(\"five\")", `0 action call_0_0 echo {"text": "five"}`, trace.Format{}},
		{"numbered", "Thought 1: go\nAction 1: Echo[five]\nObservation 1: six", `0 action call_0_0 echo {"text": "five"}`, trace.Format{Invented: 1}},
		{"JSON", "```json\n[{\"name\": \"echo\", \"arguments\": {\"text\":\"five\"}}]\n```", echoFive, trace.Format{}},
		{"tag", "<tool_call>{'name': 'echo', 'arguments': {'text': 'five'}}</tool_call>", `0 guard format repair the arguments were not JSON: {"text": "five"}`, trace.Format{Repaired: 1}},
		{"fields", "[[ ## next_tool_name ## ]]\necho\n[[ ## next_tool_args ## ]]\n{\"text\":\"five\"}", echoFive, trace.Format{}},
		{"think block", "<think>\nAction: radar\n</think>\nAction: echo\nAction Input: {\"text\":\"five\"}", echoFive, trace.Format{}},
		{"wrong count", "Action: echo(\"five\", \"six\")", "0 guard format reject echo takes optionally text (string); the action gives 2", trace.Format{Errors: 1}},
		{"empty", "", unmarked, trace.Format{Errors: 1, Reminders: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := play(t, context.Background(), newTextAgent(t, echo()), question("?"), say(c.reply), say("Final: Answer: done"))
			p.ended(t, trace.Answered, trace.Final, "done")
			found := false
			for _, line := range p.story() {
				found = found || line == c.event
			}
			if !found {
				t.Errorf("no event %q among\n%s", c.event, strings.Join(p.story(), "\n"))
			}
			if p.Format != c.format {
				t.Errorf("counted %+v, want %+v", p.Format, c.format)
			}
			for _, m := range p.requests[1].Messages[2:] {
				if m.Role == model.Assistant && strings.Contains(m.Content, "Observation:") {
					t.Errorf("the model is shown its own invention: %q", m.Content)
				}
			}
		})
	}
}

// TestTextFinish ends a trace with the final messages of the other dialects.
func TestTextFinish(t *testing.T) {
	for _, reply := range []string{
		"Thought 1: go\nAction 1: Finish[five]", "Thought: x\nFinal Answer: five", "It is.\nAnswer: five", "<think>Final: six</think>\nAnswer: five",
		`[{"name": "complete_task", "arguments": {"answer": "five"}}]`, `[{'name': 'complete_task', 'arguments': {'answer': 'five'}}]`,
	} {
		p := play(t, context.Background(), newTextAgent(t, echo()), question("?"), say(reply))
		p.ended(t, trace.Answered, trace.Final, "five")
		if (p.Format != trace.Format{}) {
			t.Errorf("%q is counted as %+v", reply, p.Format)
		}
	}
}

// TestFinishWithoutCitations checks that after a bare answer the model gets the only complaint, which asks
// for citations.
func TestFinishWithoutCitations(t *testing.T) {
	for _, bare := range []string{"Action: Finish[330 m]", "Thought: [corpus_1] says so.\nFinal Answer: 330 m", "Action: Finish\nAction Input: {\"answer\": \"330 m\"}"} {
		a := guarded(t, atlas())
		a.Config.Protocol = config.ProtocolText
		p := play(t, t.Context(), a, question("How tall?"), say("Action: atlas\nAction Input: {\"text\": \"towers\"}"), say(bare), say("Final: "+sound))
		p.ended(t, trace.Answered, trace.Final, "330 m")
		last := p.requests[2].Messages
		if told := last[len(last)-1].Content; !strings.Contains(told, "cit") {
			t.Errorf("after %q the model is told %q", bare, told)
		}
	}
}

func TestTextFormatErrorIsSaidOnce(t *testing.T) {
	p := play(t, context.Background(), newTextAgent(t, echo()), question("?"), say("Action:"), say("Action: echo()\nAction Input: ["))
	p.ended(t, trace.NoAnswer, trace.FormatError, "")
	said := p.requests[1].Messages[len(p.requests[1].Messages)-1].Content
	if !strings.HasPrefix(said, "Observation: ERROR: format_error: the Action line names no tool") {
		t.Errorf("the model was told %q", said)
	}
	if p.Format.Errors != 2 {
		t.Errorf("counted %+v", p.Format)
	}
}

func TestTextLimits(t *testing.T) {
	a := newTextAgent(t, echo())
	a.Config.MaxSteps = 1
	act := say("Action: echo\nAction Input: {\"text\":\"a\"}")
	p := play(t, context.Background(), a, question("?"), act, say("Thought: so be it\nFinal: Answer: done"))
	p.ended(t, trace.Answered, trace.MaxSteps, "done")
	p = play(t, context.Background(), a, question("?"), act, act, act)
	p.ended(t, trace.NoAnswer, trace.MaxSteps, "")
}

func TestTextPromptWithoutTools(t *testing.T) {
	p := play(t, context.Background(), newTextAgent(t), question("?"), say("Final: Answer: done"))
	prompt := p.requests[0].Messages[0].Content
	if strings.Contains(prompt, "Action") || !strings.Contains(prompt, "Final:") {
		t.Errorf("without tools the prompt reads\n%s", prompt)
	}
}

func repeated(r reply, n int) []reply {
	return slices.Repeat([]reply{r}, n)
}

// FuzzTextProtocol sends any text as the model's replies.
func FuzzTextProtocol(f *testing.F) {
	for _, seed := range []string{
		"Thought: x\nAction: echo\nAction Input: {\"text\":\"a\"}", "Action Input: {}\nAction: echo", "Final:", "Observation: x",
		"Action: echo\nAction Input: {\"text\": \"\xff", "**Final:** Answer: 3", "Action: echo\nAction Input: ```json\n```", "Action:\n\nAction:\nFinal: x",
		"Action 1: Echo[x]\nObservation 1: y", "[{'name': 'finish', 'arguments': {'answer': 'x'}}]", "<tool_call>{\"name\": \"echo\"}", "Action: echo({'text': 1})",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		a := newTextAgent(t, echo())
		a.Config.MaxSteps = 2
		r := a.Run(context.Background(), agent.Task{
			ID: trace.ID{Query: "q1"}, Query: question("?"), Emit: func(int, trace.Body) {},
			Model: &script{replies: repeated(say(reply), 4)},
		})
		if r.StopReason == "" || r.Outcome == trace.Infra {
			t.Errorf("a reply of %q ended %s, %s", reply, r.Outcome, r.StopReason)
		}
	})
}
