package react_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// cut is a reply that ended at the token limit.
func cut(text string) reply {
	return func(context.Context) (model.Response, error) {
		return model.Response{Message: model.Message{Role: model.Assistant, Content: text}, Finish: model.FinishLength}, nil
	}
}

const leak = "I look.\n<tool_call>\n{\"name\": \"echo\", \"arguments\": {}}\n</tool_call>"

// TestNativeForm counts what is wrong with replies that need no parser.
func TestNativeForm(t *testing.T) {
	answered := say("Answer: 5")
	for _, c := range []struct {
		name   string
		turns  []reply
		reason trace.StopReason // Final is an answer, 5
		format trace.Format
		event  string // among the events; "" is none
		told   string // what the model was told last
	}{
		{"fine", []reply{answered}, trace.Final, trace.Format{}, "", ""},
		{"no answer line", []reply{say("There is much to say.")}, trace.FormatError, trace.Format{Errors: 1}, "0 guard format reject the final message has no answer line, and none could be made out", ""},
		{"leaked call", []reply{say(leak), answered}, trace.Final, trace.Format{Errors: 1}, "0 guard format reject a tool call stands in the text of the reply, where nothing runs it", "a tool call stands in the text"},
		{"leaked beside an answer", []reply{say(leak + "\nAnswer: 6"), answered}, trace.Final, trace.Format{Errors: 1}, "", "a tool call stands in the text"},
		{"leaked twice", []reply{say(leak), say(leak)}, trace.FormatError, trace.Format{Errors: 2}, "", ""},
		{"fenced", []reply{say("<tool_call>```json\n{}"), answered}, trace.Final, trace.Format{Errors: 1}, "", ""},
		{"as XML", []reply{say("<tool_call>\n<function=echo>"), answered}, trace.Final, trace.Format{Errors: 1}, "", ""},
		{"Mistral's", []reply{say(`[TOOL_CALLS] [{"name": "echo"}]`), answered}, trace.Final, trace.Format{Errors: 1}, "", ""},
		{"Mistral's newer", []reply{say(`[TOOL_CALLS]echo[ARGS]{}`), answered}, trace.Final, trace.Format{Errors: 1}, "", ""},
		{"spoken of", []reply{say("Qwen writes <tool_call> and `<tool_call>{}`.\nAnswer: 5")}, trace.Final, trace.Format{}, "", ""},
		{"beside a call", []reply{use(leak, call("a", "echo", `{}`)), answered}, trace.Final, trace.Format{}, "", ""},
		{"cut off", []reply{cut("Answer: 5")}, trace.Final, trace.Format{}, "0 guard format flag the final message was cut off at the token limit", ""},
		{"cut off before the answer", []reply{cut("It was in the year")}, trace.FormatError, trace.Format{Errors: 1}, "0 guard format flag the final message was cut off at the token limit", ""},
		{"not the final message", []reply{use("", call("a", "echo", `{}`)), answered}, trace.Final, trace.Format{}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := question("?")
			q.Gold.Type = answer.Integer
			p := play(t, t.Context(), newAgent(t, echo()), q, c.turns...)
			outcome, short := trace.Answered, "5"
			if c.reason != trace.Final {
				outcome, short = trace.NoAnswer, ""
			}
			p.ended(t, outcome, c.reason, short)
			if p.Format != c.format {
				t.Errorf("counted %+v, want %+v", p.Format, c.format)
			}
			if c.event != "" && !slices.Contains(p.story(), c.event) {
				t.Errorf("no event %q in %q", c.event, p.story())
			}
			if flagged := len(guards(p, "format")); c.event == "" && flagged != p.Format.Errors {
				t.Errorf("%d events of form: %q", flagged, p.story())
			}
			last := p.requests[len(p.requests)-1].Messages
			if !strings.Contains(last[len(last)-1].Content, c.told) {
				t.Errorf("the model is told %q", last[len(last)-1].Content)
			}
		})
	}
}

// TestCallsWhereThereAreNoTools: a reply that calls a tool in the last turn is wrong in
// form, and said to be so; beside an answer line the call is passed over.
func TestCallsWhereThereAreNoTools(t *testing.T) {
	const cause = `the reply is a tool call of "echo", and no tool can be used`
	for _, c := range []struct {
		name, protocol string
		last           reply
		cause          string // "" is an answer, 5
		format         trace.Format
		event          string
	}{
		{"native", config.ProtocolNative, use("", call("z", "echo", `{}`)), cause, trace.Format{Errors: 1}, "guard format reject " + cause},
		{"native with a thought", config.ProtocolNative, use("I look it up in 3 books.", call("z", "echo", `{}`)), cause, trace.Format{Errors: 1}, "guard format reject " + cause},
		{"native leak", config.ProtocolNative, say(leak), "the reply is a tool call, and", trace.Format{Errors: 1}, "guard format reject the reply is a tool call, and no tool can be used"},
		{"native beside an answer", config.ProtocolNative, use("Answer: 5", call("z", "echo", `{}`)), "", trace.Format{Dropped: 1}, "guard format drop 1 actions are not read: no tool can be used"},
		{"text", config.ProtocolText, say("Thought: hm\nAction: echo\nAction Input: {}"), cause, trace.Format{Errors: 1}, "guard format reject " + cause},
		{"text without form", config.ProtocolText, say("Hm."), "the turn has neither", trace.Format{Errors: 1}, "guard format reject the turn has neither an Action line nor a Final line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := question("?")
			q.Gold.Type = answer.Integer
			for _, strategy := range config.Strategies() {
				a := newAgent(t, echo())
				a.Config.Protocol, a.Config.Strategy, a.Config.MaxSteps = c.protocol, strategy, 1
				turns, reason := []reply{c.last}, trace.FormatError
				if strategy == config.StrategyReact {
					act := use("", call("a", "echo", `{}`))
					if c.protocol == config.ProtocolText {
						act = say("Action: echo")
					}
					turns, reason = []reply{act, c.last}, trace.MaxSteps
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

// TestWhatAFilterStoppedHasNoForm: the trace ends as filtered, not with a complaint.
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
