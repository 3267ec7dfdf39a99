package react_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// TestCallsOfATurnOverlap has three calls that wait until all have begun and then end in reverse order. The
// ids of documents and the messages follow the order of the calls.
func TestCallsOfATurnOverlap(t *testing.T) {
	begun, ended := map[string]chan struct{}{}, map[string]chan struct{}{}
	for _, name := range []string{"0", "1", "2", "3"} {
		begun[name], ended[name] = make(chan struct{}), make(chan struct{})
	}
	close(ended["3"])
	after := map[string]string{"0": "1", "1": "2", "2": "3"}
	slow := fakeTool{name: "slow", evidence: true, call: func(ctx context.Context, text string) (tool.Output, error) {
		defer close(ended[text])
		close(begun[text])
		for _, c := range []chan struct{}{begun["0"], begun["1"], begun["2"], ended[after[text]]} {
			select {
			case <-c:
			case <-ctx.Done():
				return tool.Output{}, ctx.Err()
			}
		}
		return tool.Output{Documents: []trace.Document{{Backend: "corpus", Ref: text}, {Backend: "wiki", Ref: text}}}, nil
	}}
	p := play(t, t.Context(), newAgent(t, slow), question("?"),
		use("", call("a", "slow", `{"text":"0"}`), call("b", "slow", `{"text":"1"}`), call("c", "slow", `{"text":"2"}`)),
		say("Answer: x"))
	p.ended(t, trace.Answered, trace.Final, "x")
	var got []string
	for _, e := range p.events {
		if o, ok := e.Body.(trace.Observation); ok {
			for _, d := range o.Documents {
				got = append(got, o.CallID+" "+d.ID+" "+d.Ref)
			}
		}
	}
	want := []string{"a corpus_1 0", "a wiki_1 0", "b corpus_2 1", "b wiki_2 1", "c corpus_3 2", "c wiki_3 2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
}

func TestEveryCallIsAnswered(t *testing.T) {
	const alone = "ERROR: one_tool_call_per_turn: send this call again in a turn of its own"
	for _, c := range []struct {
		name   string
		change func(*config.Agent)
		calls  []model.ToolCall
		want   []string
		ran    int
	}{
		{"ids", nil,
			[]model.ToolCall{call("a", "echo", `{"text":"1"}`), call("b", "echo", `{"text":"2"}`)},
			[]string{`a {"text":"1"}`, `b {"text":"2"}`}, 2},
		{"the same id", nil,
			[]model.ToolCall{call("a", "echo", `{"text":"1"}`), call("a", "echo", `{"text":"2"}`)},
			[]string{`a {"text":"1"}`, `call_0_1 {"text":"2"}`}, 2},
		{"no ids", nil,
			[]model.ToolCall{call("", "echo", `{"text":"1"}`), call("", "echo", `{"text":"2"}`), call("call_0_0", "echo", `{}`)},
			[]string{`call_0_0 {"text":"1"}`, `call_0_1 {"text":"2"}`, `call_0_2 {"text":""}`}, 3},
		{"unknown tool", nil,
			[]model.ToolCall{call("a", "nope", `{}`), call("b", "echo", `{"text":"2"}`)},
			[]string{`a ERROR: unknown_tool(nope)`, `b {"text":"2"}`}, 2},
		{"bad arguments", nil,
			[]model.ToolCall{call("a", "echo", `{"x":1}`), call("b", "echo", `{"text": null`)},
			[]string{`a ERROR: bad_tool_arguments(echo): additional properties 'x' not allowed`, `b ERROR: bad_tool_arguments(echo): text: got null, want string`}, 2},
		{"single tool", func(c *config.Agent) { c.SingleTool = true },
			[]model.ToolCall{call("a", "echo", `{}`), call("b", "echo", `{}`), call("c", "nope", `{}`)},
			[]string{`a {"text":""}`, `b ` + alone, `c ` + alone}, 1},
		{"too many", func(c *config.Agent) { c.MaxToolCalls = 1 },
			[]model.ToolCall{call("a", "echo", `{}`), call("b", "echo", `{"text":"2"}`), call("c", "echo", `{"text":"3"}`)},
			[]string{`a {"text":""}`, `b ERROR: exceeded_max_tool_calls`, `c ERROR: exceeded_max_tool_calls`}, 1},
		{"repeated in a turn", func(c *config.Agent) { c.MaxRepeats = 1 },
			[]model.ToolCall{call("a", "echo", `{"text":"1"}`), call("b", "echo", `{ "text": "1" }`), call("c", "echo", `{"text":"3"}`)},
			[]string{`a {"text":"1"}`, `b ERROR: repeated_same_tool_call_too_many_times`, `c {"text":"3"}`}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newAgent(t, echo())
			if c.change != nil {
				c.change(&a.Config)
			}
			p := play(t, t.Context(), a, question("?"), use("", c.calls...), say("Answer: x"))
			checkPairs(t, p.requests[1].Messages)
			got := p.shown()
			for i := range got { // the rest of the text comes from the parser
				got[i], _, _ = strings.Cut(got[i], ": unexpected")
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("tool messages (-want +got):\n%s", diff)
			}
			if p.ToolCalls != c.ran {
				t.Errorf("%d tool calls, want %d", p.ToolCalls, c.ran)
			}
		})
	}
}

// TestConversationsAreWellFormed sends any replies that a model may write.
func TestConversationsAreWellFormed(t *testing.T) {
	calls := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) model.ToolCall {
		return call(
			rapid.SampledFrom([]string{"", "a", "b", "call_0_0", "call_0_1", "call_1_0"}).Draw(r, "id"),
			rapid.SampledFrom([]string{"echo", "library", "atlas", "flaky", "nope", ""}).Draw(r, "name"),
			rapid.SampledFrom([]string{``, `{}`, `{"text":"1"}`, `{"text":"broken"}`, `{"text":1}`, `[`, `null`}).Draw(r, "arguments"),
		)
	}), 1, 4)
	rapid.Check(t, func(r *rapid.T) {
		a := guarded(t, echo(), library(), atlas(), flaky())
		a.Config.SingleTool = rapid.Bool().Draw(r, "single")
		a.Config.MaxToolCalls = rapid.IntRange(1, 9).Draw(r, "max calls")
		a.Config.MaxSteps = rapid.IntRange(1, 4).Draw(r, "max steps")
		a.Config.MaxToolFailures = rapid.IntRange(1, 3).Draw(r, "max failures")
		a.Config.ConfidenceCheck = rapid.IntRange(0, 4).Draw(r, "confidence check")
		a.Config.OnLimit = rapid.SampledFrom([]string{config.OnLimitAnswer, config.OnLimitStop}).Draw(r, "on limit")
		a.Config.Strategy = rapid.SampledFrom([]string{config.StrategyReact, config.StrategyCoT, config.StrategyDirect}).Draw(r, "strategy")
		a.Config.Guards = rapid.SliceOfDistinct(rapid.SampledFrom(config.Guards()), rapid.ID[string]).Draw(r, "guards")
		p := played{}
		m := &script{}
		for range 6 { // two more than turns: the forced turn, and the turn that asks for the answer line
			text := rapid.SampledFrom([]string{"", "", sound, unsound, "Answer: [ABSTAIN]"}).Draw(r, "text")
			if rapid.Bool().Draw(r, "acts") {
				m.replies = append(m.replies, use(text, calls.Draw(r, "calls")...))
			} else {
				m.replies = append(m.replies, say(text))
			}
		}
		p.Trace = a.Run(t.Context(), task(m, func(step int, b trace.Body) {
			p.events = append(p.events, trace.Event{Step: step, Body: b})
		}))
		for _, req := range m.requests {
			checkPairs(r, req.Messages)
		}
		maxSteps := a.Config.MaxSteps
		if a.Config.OnLimit == config.OnLimitAnswer {
			maxSteps++
		}
		maxSteps += p.Format.Reminders // at most
		if p.Steps > maxSteps || a.Config.HasGuard(config.GuardCalls) && p.ToolCalls > a.Config.MaxToolCalls {
			r.Errorf("%d calls and %d steps, allowed are %d and %d", p.ToolCalls, p.Steps, a.Config.MaxToolCalls, maxSteps)
		}
		if o, alone := p.StopReason.Outcome(); alone && o != p.Outcome || p.Extract == "" || (p.Answer != "") != (p.Outcome == trace.Answered) {
			r.Errorf("the trace ends %s, %s, answer %q, extract %q", p.Outcome, p.StopReason, p.Answer, p.Extract)
		}
		if ungrounded := p.StopReason == trace.Ungrounded; ungrounded && (p.Grounded == nil || *p.Grounded) || p.Outcome == trace.Answered && p.Grounded != nil && !*p.Grounded {
			r.Errorf("the trace ends %s, %s with grounded %v", p.Outcome, p.StopReason, p.Grounded)
		}
		actions, step := 0, 0
		for _, e := range p.events {
			switch e.Body.(type) {
			case trace.Action:
				actions++
			case trace.Observation:
				actions--
			}
			if e.Step < step || actions < 0 {
				r.Errorf("step %d after %d, %d open actions", e.Step, step, actions)
			}
			step = e.Step
		}
		if actions != 0 {
			r.Errorf("%d actions without observation", actions)
		}
	})
}

func TestRepeatsCountOverTheWholeTrace(t *testing.T) {
	same := func() reply { return use("", call("", "echo", `{"text":"1"}`)) }
	other := use("", call("", "echo", `{"text":"2"}`))
	a := newAgent(t, echo())
	p := play(t, t.Context(), a, question("?"), same(), other, same(), same(), say("Answer: x"))
	p.ended(t, trace.Answered, trace.Final, "x")
	got := p.shown()
	if len(got) != 4 || !strings.HasSuffix(got[2], `{"text":"1"}`) || !strings.HasSuffix(got[3], "ERROR: repeated_same_tool_call_too_many_times") {
		t.Errorf("tool messages %q; want the fourth blocked, and no other", got)
	}
	if p.ToolCalls != 3 {
		t.Errorf("%d tool calls, want 3", p.ToolCalls)
	}
	if s := p.story(); !slices.Contains(s, "3 guard repeat block echo") {
		t.Errorf("no guard event in %q", s)
	}
}

func TestGuardsCanBeTakenAway(t *testing.T) {
	a := newAgent(t, echo())
	a.Config.MaxToolCalls, a.Config.MaxRepeats = 1, 1
	a.Config.Guards = nil
	p := play(t, t.Context(), a, question("?"),
		use("", call("a", "echo", `{}`), call("b", "echo", `{}`)), use("", call("c", "echo", `{}`)), say("Answer: x"))
	p.ended(t, trace.Answered, trace.Final, "x")
	if p.ToolCalls != 3 {
		t.Errorf("%d calls ran, want all 3", p.ToolCalls)
	}
}

func TestToolTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		stuck := fakeTool{name: "stuck", call: func(context.Context, string) (tool.Output, error) {
			<-release // ignores its context
			return tool.Output{}, nil
		}}
		p := play(t, t.Context(), newAgent(t, stuck, echo()), question("?"),
			use("", call("a", "stuck", `{}`), call("b", "echo", `{}`)), say("Answer: x"))
		p.ended(t, trace.Answered, trace.Final, "x")
		want := []string{"a ERROR: timeout(stuck)", `b {"text":""}`}
		if diff := cmp.Diff(want, p.shown()); diff != "" {
			t.Errorf("tool messages (-want +got):\n%s", diff)
		}
		for _, e := range p.events {
			if o, ok := e.Body.(trace.Observation); ok && o.CallID == "a" && o.DurationMS != 30_000 {
				t.Errorf("the call took %v ms, want the 30 s of the configuration", o.DurationMS)
			}
		}
	})
}

func TestOutputCap(t *testing.T) {
	a := newAgent(t, echo())
	a.Config.MaxOutput = 20
	long := strings.Repeat("ä", 50)
	p := play(t, t.Context(), a, question("?"), use("", call("a", "echo", fmt.Sprintf(`{"text":%q}`, long))), say("Answer: x"))
	whole := fmt.Sprintf(`{"text":%q}`, long)
	want := `a {"text":"äääää` + fmt.Sprintf("\n[output cut after 20 of %d bytes]", len(whole))
	if got := p.shown()[0]; got != want {
		t.Errorf("the model is shown %q, want %q", got, want)
	}
	s := p.story()
	if !slices.Contains(s, "0 observation a "+whole) || !slices.Contains(s, fmt.Sprintf("0 guard output_cap cut a: %d bytes", len(whole))) {
		t.Errorf("the events hold not the whole output, or no guard: %q", s)
	}
}

// A turn with too many calls runs none of them, and the model gets one message about it.
func TestTooManyCallsInATurn(t *testing.T) {
	many := make([]model.ToolCall, 129)
	for i := range many {
		many[i] = call(fmt.Sprint("c", i), "echo", `{"text":"x"}`)
	}
	p := play(t, context.Background(), newAgent(t, echo()), question("?"), use("all at once", many...), say("Answer: five"))
	p.ended(t, trace.Answered, trace.Final, "five")
	if p.ToolCalls != 0 || p.Format.Errors != 1 || len(p.requests[1].Messages) != 4 {
		t.Errorf("%d calls ran, %+v, %d messages", p.ToolCalls, p.Format, len(p.requests[1].Messages))
	}
}

// A reply that a content filter stopped is not used, even if it contains calls.
func TestFilteredCallsAreNotRun(t *testing.T) {
	filtered := func(context.Context) (model.Response, error) {
		return model.Response{
			Message: model.Message{Role: model.Assistant, ToolCalls: []model.ToolCall{call("c1", "echo", `{"text":"x"}`)}},
			Finish:  model.FinishContentFilter,
		}, nil
	}
	p := play(t, context.Background(), newAgent(t, echo()), question("?"), filtered)
	p.ended(t, trace.Refused, trace.ContentFilter, "")
	if p.ToolCalls != 0 {
		t.Errorf("%d calls ran", p.ToolCalls)
	}
}
