package react_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// cut returns a reply that ended at the token limit.
func cut(text string) reply {
	return func(context.Context) (model.Response, error) {
		return model.Response{Message: model.Message{Role: model.Assistant, Content: text}, Finish: model.FinishLength}, nil
	}
}

func cutCall(calls ...model.ToolCall) reply {
	return func(ctx context.Context) (model.Response, error) {
		r, err := use("", calls...)(ctx)
		r.Finish = model.FinishLength
		return r, err
	}
}

const leak = "I look.\n<tool_call>\n{\"name\": \"echo\", \"arguments\": {}}\n</tool_call>"

const twoLeaks = leak + "\n<tool_call>\n{\"name\": \"echo\", \"arguments\": {\"text\": \"x\"}}\n</tool_call>"

// TestNativeForm counts faults in replies that need no parser.
func TestNativeForm(t *testing.T) {
	const unmarked = `0 guard format reject the reply has neither a tool call nor a line that begins with "Answer:"`
	answered := say("Answer: 5")
	for _, c := range []struct {
		name   string
		turns  []reply
		reason trace.StopReason // Final means the answer 5
		format trace.Format
		event  string // one of the events; "" for none
		told   string // the last message to the model
	}{
		{"fine", []reply{answered}, trace.Final, trace.Format{}, "", ""},
		{"no answer line", []reply{say("There is much to say."), answered}, trace.Final, trace.Format{Errors: 1, Reminders: 1}, unmarked, "neither a tool call nor a line"},
		{"nor when asked for", []reply{say("There is much to say."), say("And more.")}, trace.EmptyAnswer, trace.Format{Errors: 2, Reminders: 1}, "", "neither a tool call nor a line"},
		{"guessed when asked for", []reply{say("There is much to say."), say("It is 5.")}, trace.Final, trace.Format{Errors: 2, Reminders: 1, Guessed: 1}, "", ""},
		{"guessed from what came before", []reply{say("It is 5."), say("As I said.")}, trace.Final, trace.Format{Errors: 2, Reminders: 1, Guessed: 1}, "", ""},
		{"announced", []reply{say("So the answer is 5.")}, trace.Final, trace.Format{}, "", ""},
		{"abstains in words of its own", []reply{say("Answer: I don't know.")}, trace.Final, trace.Format{}, "", ""},
		{"two leaked calls", []reply{say(twoLeaks), answered}, trace.Final, trace.Format{Errors: 1}, "0 action call_0_1 echo {\"text\": \"x\"}", ""},
		{"a leaked list", []reply{say("[echo(text='x'), echo(text='y')]"), answered}, trace.Final, trace.Format{Errors: 1}, "0 action call_0_1 echo {\"text\": \"y\"}", ""},
		{"two leaked calls, one of them broken", []reply{say(leak + "<tool_call>[1</tool_call>"), answered}, trace.Final, trace.Format{Errors: 1}, "", "the tool_call is not a JSON object"},
		{"boxed", []reply{say("So \\(\\boxed{5}\\).")}, trace.Final, trace.Format{}, "", ""},
		{"empty", []reply{say(""), answered}, trace.Final, trace.Format{Errors: 1, Reminders: 1}, unmarked, ""},
		{"empty twice", []reply{say(""), say("\n")}, trace.EmptyAnswer, trace.Format{Errors: 2, Reminders: 1}, "", ""},
		{"leaked call", []reply{say(leak), answered}, trace.Final, trace.Format{Errors: 1}, "0 guard format take a tool call stood in the text of the reply", ""},
		{"leaked beside an answer", []reply{say(leak + "\nAnswer: 6"), answered}, trace.Final, trace.Format{Errors: 1}, "0 action call_0_0 echo {}", ""},
		{"leaked twice", []reply{say(leak), say(leak), answered}, trace.Final, trace.Format{Errors: 2}, "", ""},
		{"broken leak", []reply{say("<tool_call>```json\n{}"), answered}, trace.Final, trace.Format{Errors: 1}, "", "the tool_call is not a JSON object"},
		{"as XML", []reply{say("<tool_call>\n<function=echo>"), answered}, trace.Final, trace.Format{Errors: 1}, "0 action call_0_0 echo {}", ""},
		{"Mistral's", []reply{say(`[TOOL_CALLS] [{"name": "echo"}]`), answered}, trace.Final, trace.Format{Errors: 1}, "0 action call_0_0 echo {}", ""},
		{"labelled", []reply{say("Thought: go\nAction: echo\nAction Input: {}"), answered}, trace.Final, trace.Format{Errors: 1}, "0 action call_0_0 echo {}", ""},
		{"labels of something else", []reply{say("Action: The board met.\nAnswer: 5")}, trace.Final, trace.Format{}, "", ""},
		{"spoken of", []reply{say("Qwen writes <tool_call> and `<tool_call>{}`.\nAnswer: 5")}, trace.Final, trace.Format{}, "", ""},
		{"beside a call", []reply{use(leak, call("a", "echo", `{}`)), answered}, trace.Final, trace.Format{}, "", ""},
		{"mended", []reply{use("", call("a", "functions.echo", "```json\n{'text': 'x'}\n```")), answered}, trace.Final, trace.Format{Repaired: 1}, `0 guard format repair the arguments were not JSON: {"text": "x"}`, ""},
		{"beyond mending", []reply{use("", call("a", "echo", `[1]`)), answered}, trace.Final, trace.Format{Errors: 1}, "0 guard format reject the value of arguments of echo is not a JSON object", "not a JSON object"},
		{"beyond mending, twice", []reply{use("", call("a", "echo", `[1]`)), use("", call("b", "echo", `[2]`))}, trace.FormatError, trace.Format{Errors: 2}, "", ""},
		{"an answer as a call", []reply{use("", call("a", "final_answer", `{"answer": "5"}`))}, trace.Final, trace.Format{}, "", ""},
		{"cut off", []reply{cut("Answer: 5"), answered}, trace.Final, trace.Format{CutOff: 1, Reminders: 1}, "0 guard format flag the final message was cut off at the token limit", "cut off at the token limit"},
		{"cut off behind the answer", []reply{cut("Answer: 5\n\nReferences:\n[corp")}, trace.Final, trace.Format{CutOff: 1}, "", ""},
		{"cut off before the answer, then guessed", []reply{cut("It was in the year 464 - 1"), say("It is 5")}, trace.Final, trace.Format{CutOff: 1, Errors: 1, Reminders: 1, Guessed: 1}, "", ""},
		{"cut off before the answer, then nothing", []reply{cut("It was in the year 464 - 1"), say("Hm.")}, trace.CutOff, trace.Format{CutOff: 1, Errors: 1, Reminders: 1}, "", ""},
		{"cut off twice", []reply{cut("It was in the year 464 - 1"), cut("It was 464 - 1")}, trace.CutOff, trace.Format{CutOff: 2, Reminders: 1}, "", ""},
		{"a call that was cut off", []reply{cutCall(call("a", "echo", `{"text": "fi`)), answered}, trace.Final, trace.Format{Errors: 1}, "", "the tool call was cut off"},
		{"not the final message", []reply{use("", call("a", "echo", `{}`)), answered}, trace.Final, trace.Format{}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := question("?")
			q.Gold.Type = answer.Integer
			p := play(t, t.Context(), newAgent(t, echo()), q, c.turns...)
			outcome, short := trace.Answered, "5"
			switch {
			case c.reason != trace.Final:
				outcome, short = trace.NoAnswer, ""
			case strings.HasPrefix(c.name, "abstains"):
				outcome, short = trace.Abstained, ""
			}
			p.ended(t, outcome, c.reason, short)
			if p.Format != c.format {
				t.Errorf("counted %+v, want %+v", p.Format, c.format)
			}
			if c.event != "" && !slices.Contains(p.story(), c.event) {
				t.Errorf("no event %q in %q", c.event, p.story())
			}
			if n := len(guards(p, "format")); n < p.Format.Errors+p.Format.CutOff || n > 0 && p.Format == (trace.Format{}) {
				t.Errorf("%d events of form: %q", n, p.story())
			}
			for _, request := range p.requests {
				checkPairs(t, request.Messages)
			}
			last := p.requests[len(p.requests)-1].Messages
			if !strings.Contains(last[len(last)-1].Content, c.told) {
				t.Errorf("the model is told %q", last[len(last)-1].Content)
			}
		})
	}
}

// TestCallsWhereThereAreNoTools checks that a reply that calls a tool in the last turn is a fault of form,
// about which the model gets a message. Next to an answer line, the call is ignored.
func TestCallsWhereThereAreNoTools(t *testing.T) {
	const cause = `the reply is a tool call of "echo", and no tool can be used`
	asked := trace.Format{Errors: 2, Reminders: 1}
	for _, c := range []struct {
		name, protocol string
		last           reply
		cause          string // "" means the answer 5
		format         trace.Format
		event          string
	}{
		{"native", config.ProtocolNative, use("", call("z", "echo", `{}`)), cause, asked, "guard format reject " + cause},
		{"native with a thought", config.ProtocolNative, use("I look it up in 3 books.", call("z", "echo", `{}`)), cause, asked, "guard format reject " + cause},
		{"native leak", config.ProtocolNative, say(leak), cause, asked, "guard format reject " + cause},
		{"native beside an answer", config.ProtocolNative, use("Answer: 5", call("z", "echo", `{}`)), "", trace.Format{Dropped: 1}, "guard format drop 1 actions are not read: no tool can be used"},
		{"text", config.ProtocolText, say("Thought: hm\nAction: echo\nAction Input: {}"), cause, asked, "guard format reject " + cause},
		{"text without form", config.ProtocolText, say("Hm."), "no answer could be read in the message", asked, `guard format reject the reply has neither a tool call nor a line that begins with "Answer:"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := question("?")
			q.Gold.Type = answer.Integer
			for _, strategy := range []string{config.StrategyReact, config.StrategyCoT, config.StrategyDirect} {
				a := newAgent(t, echo())
				a.Config.Protocol, a.Config.Strategy, a.Config.MaxSteps = c.protocol, strategy, 1
				turns, reason := []reply{c.last}, trace.FormatError
				if c.name == "text without form" { // a message that has no answer
					reason = trace.EmptyAnswer
				}
				if c.cause != "" {
					turns = append(turns, c.last) // the reply to the request for the answer line
				}
				if strategy == config.StrategyReact {
					act := use("", call("a", "echo", `{}`))
					if c.protocol == config.ProtocolText {
						act = say("Action: echo")
					}
					turns, reason = append([]reply{act}, turns...), trace.MaxSteps
				} else if c.cause == "" {
					reason = trace.Final
				}
				p := play(t, t.Context(), a, q, turns...)
				if c.cause == "" {
					p.ended(t, trace.Answered, reason, "5")
				} else {
					p.ended(t, trace.NoAnswer, reason, "")
				}
				if !strings.Contains(p.Cause, c.cause) || p.Format != c.format {
					t.Errorf("%s: cause %q, counted %+v", strategy, p.Cause, p.Format)
				}
				if !slices.ContainsFunc(p.story(), func(line string) bool { return strings.HasSuffix(line, c.event) }) {
					t.Errorf("%s: no event %q in %q", strategy, c.event, p.story())
				}
			}
		})
	}
}

// TestWhatAFilterStoppedHasNoForm checks that the trace ends with content_filter, and not with a complaint
// about the form.
func TestWhatAFilterStoppedHasNoForm(t *testing.T) {
	filtered := func(context.Context) (model.Response, error) {
		return model.Response{Message: model.Message{Role: model.Assistant}, Finish: model.FinishContentFilter}, nil
	}
	p := play(t, t.Context(), newTextAgent(t, echo()), question("?"), filtered)
	p.ended(t, trace.Refused, trace.ContentFilter, "")
	if p.Format != (trace.Format{}) {
		t.Errorf("counted %+v", p.Format)
	}
}

// TestTenBrokenCalls checks that a model whose calls are all broken gets one message. Then the trace ends
// with the true reason, and most of its turns are not used.
func TestTenBrokenCalls(t *testing.T) {
	for protocol, broken := range map[string]reply{
		config.ProtocolNative: use("", call("a", "echo", `[1`)),
		config.ProtocolText:   say("Thought: go\nAction: echo\nAction Input: [1"),
	} {
		a := newAgent(t, echo())
		a.Config.Protocol = protocol
		m := &script{replies: slices.Repeat([]reply{broken}, 10)}
		id := trace.ID{Agent: "a1", Query: "q1"}
		got := a.Run(t.Context(), agent.Task{ID: id, Query: question("?"), Model: m, Emit: func(int, trace.Body) {}})
		if got.Outcome != trace.NoAnswer || got.StopReason != trace.FormatError || got.Steps != 2 || len(m.requests) != 2 {
			t.Errorf("%s: %s, %s after %d turns", protocol, got.Outcome, got.StopReason, got.Steps)
		}
		if !strings.Contains(got.Cause, "is not a JSON object") || got.Format != (trace.Format{Errors: 2}) {
			t.Errorf("%s: %q, %+v", protocol, got.Cause, got.Format)
		}
	}
}
