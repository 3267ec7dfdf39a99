package react_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	explainer "github.com/seed-5817661a/concur/runner/agent/explain"
	"github.com/seed-5817661a/concur/runner/agent/react"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

func explain(id, next string) model.ToolCall {
	return call(id, "explain", `{"plan":"first look, then answer","tool":"`+next+`","reason":"it knows"}`)
}

func explaining(t *testing.T, mode config.Explain) *react.Agent {
	a := newAgent(t, library(), echo())
	a.Config.Explain = mode
	a.Features = featuresOf(t, a.Config)
	return a
}

// featuresOf returns the features of a configuration with the tool explain, as assemble does.
func featuresOf(t *testing.T, of config.Agent) []session.Feature {
	t.Helper()
	c := config.New()
	c.Agent = of
	f := explainer.New(c)
	if f == nil {
		return nil
	}
	return []session.Feature{f}
}

// TestExplain checks that an explanation is forced on the first turn, or also after each observation. It is
// recorded as a thought of its own kind, and is not a tool call.
func TestExplain(t *testing.T) {
	for _, c := range []struct {
		mode    config.Explain
		replies []reply
		choices []model.ToolChoice
		want    explainer.Counts
		calls   int
	}{
		{config.ExplainFirst,
			[]reply{use("", explain("e1", "library")), use("", call("c1", "library", `{"text":"x"}`)), use("", call("c2", "echo", `{"text":"x"}`)), say("Answer: x")},
			[]model.ToolChoice{"explain", "", "", ""},
			explainer.Counts{Due: 1, Given: 1, Followed: 1, Kept: 1, Tokens: 15}, 2},
		{config.ExplainEvery,
			[]reply{use("", explain("e1", "echo")), use("", call("c1", "library", `{"text":"x"}`)), use("", explain("e2", "none")), say("Answer: x")},
			[]model.ToolChoice{"explain", "", "explain", ""},
			explainer.Counts{Due: 2, Given: 2, Followed: 2, Kept: 1, Tokens: 30}, 1},
		{config.ExplainEvery, // in the same turn as the call
			[]reply{use("", explain("e1", "echo"), call("c1", "echo", `{"text":"x"}`)), say("Answer: x")},
			[]model.ToolChoice{"explain", "explain"},
			explainer.Counts{Due: 2, Given: 1, Followed: 1, Kept: 1}, 1},
		{config.ExplainFirst, // it cannot be forced, and is missing
			[]reply{use("", call("c1", "echo", `{"text":"x"}`)), say("Answer: x")},
			[]model.ToolChoice{"explain", ""},
			explainer.Counts{Due: 1}, 1},
	} {
		p := play(t, t.Context(), explaining(t, c.mode), question("?"), c.replies...)
		p.ended(t, trace.Answered, trace.Final, "x")
		got, err := trace.Extra[explainer.Counts](p.Extras, explainer.Name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&c.want, got); diff != "" {
			t.Errorf("%s: counts (-want +got):\n%s", c.mode, diff)
		}
		var choices []model.ToolChoice
		for _, r := range p.requests {
			choices = append(choices, r.Choice)
			if r.Tools[0].Name != "explain" || len(r.Tools) != 3 || !strings.Contains(string(r.Tools[0].Parameters), `"enum":["library","echo","none"]`) {
				t.Errorf("%s: tools %+v", c.mode, r.Tools)
			}
		}
		if !slices.Equal(choices, c.choices) || p.ToolCalls != c.calls {
			t.Errorf("%s: choices %q, %d tool calls; want %q, %d", c.mode, choices, p.ToolCalls, c.choices, c.calls)
		}
		thoughts, answered := 0, map[string]bool{}
		for _, e := range p.events {
			switch b := e.Body.(type) {
			case trace.Thought:
				if b.Kind == trace.Explanation && strings.HasPrefix(b.Content, "Plan: first look, then answer\nTool: "+b.Tool) {
					thoughts++
				}
			case trace.Action:
				if b.Name == "explain" {
					t.Errorf("%s: an explanation is recorded as an action", c.mode)
				}
			}
		}
		for _, m := range p.requests[len(p.requests)-1].Messages {
			answered[m.ToolCallID] = true
		}
		if thoughts != c.want.Given || thoughts > 0 && !answered["e1"] {
			t.Errorf("%s: %d explanations in the events, answered %v", c.mode, thoughts, answered)
		}
	}
}

// TestExplainDoesNotHideRepeats checks that explanations between blocked calls do not allow more of them.
func TestExplainDoesNotHideRepeats(t *testing.T) {
	same := func(n string) []reply {
		return []reply{use("", explain("e"+n, "echo")), use("", call("c"+n, "echo", `{"text":"x"}`))}
	}
	replies := append(slices.Concat(same("1"), same("2"), same("3"), same("4")), say("Answer: x"))
	p := play(t, t.Context(), explaining(t, config.ExplainEvery), question("?"), replies...)
	p.ended(t, trace.Answered, trace.MaxToolCalls, "x")
}

// TestExplainAgain checks that an explanation directly after another one is blocked, and that two such
// explanations end the loop.
func TestExplainAgain(t *testing.T) {
	p := play(t, t.Context(), explaining(t, config.ExplainFirst), question("?"),
		use("", explain("e1", "echo")), use("", explain("e2", "echo")), use("", explain("e3", "echo")), say("Answer: x"))
	p.ended(t, trace.Answered, trace.MaxToolCalls, "x")
	last := p.requests[3].Messages
	if noted, blocked := last[3].Content, last[5].Content; noted != "Noted. Go on." || !strings.HasPrefix(blocked, "ERROR: explained_already") {
		t.Errorf("answers %q, %q", noted, blocked)
	}
}

// TestExplainHasNoEffect checks that explain has no effect in the text protocol, and without tools.
func TestExplainHasNoEffect(t *testing.T) {
	text := explaining(t, config.ExplainEvery)
	text.Config.Protocol = config.ProtocolText
	text.Features = featuresOf(t, text.Config)
	none := newAgent(t)
	none.Config.Explain = config.ExplainFirst
	none.Features = []session.Feature{explainer.Feature{}}
	for _, a := range []*react.Agent{text, none} {
		p := play(t, t.Context(), a, question("?"), say("Answer: x"))
		if p.Extras.Explain != nil || len(p.requests[0].Tools) > 0 || strings.Contains(p.requests[0].Messages[0].Content, "explain and no other") {
			t.Errorf("%+v, %+v", p.Extras, p.requests[0])
		}
		if a.Config.Protocol == config.ProtocolText {
			c := config.New()
			c.Agent = a.Config
			if !c.Effective().Agent.Explain.IsZero() {
				t.Error("Effective says that it has an effect as text")
			}
		}
	}
}
