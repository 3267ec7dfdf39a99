package react_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// flaky is a tool that always fails: for "own" with its own error, for all else because of its backend.
func flaky() fakeTool {
	return fakeTool{name: "flaky", call: func(_ context.Context, text string) (tool.Output, error) {
		if text == "own" {
			return tool.Output{}, errors.New("no such thing")
		}
		return tool.Output{}, &tool.BackendError{Kind: "unavailable", Err: errors.New("gone")}
	}}
}

// fail returns a turn with n different calls of flaky.
func fail(from, n int) reply {
	var calls []model.ToolCall
	for i := range n {
		calls = append(calls, call("", "flaky", fmt.Sprintf(`{"text":"%d"}`, from+i)))
	}
	return use("", calls...)
}

func TestAFailingToolIsTakenOut(t *testing.T) {
	const told = "\nThe tool flaky has failed 4 times and is no longer there: do without it."
	last := call("", "flaky", `{"text":"again"}`)
	for _, c := range []struct {
		name  string
		turns []reply
		out   bool
	}{
		{"one by one", []reply{fail(1, 1), fail(2, 1), fail(3, 1), fail(4, 1)}, true},
		{"in one turn", []reply{fail(1, 4)}, true},
		{"three are borne", []reply{fail(1, 3)}, false},
		{"own errors", []reply{use("", call("", "flaky", `{"text":"own"}`), call("", "flaky", `{ "text":"own"}`)), fail(1, 2)}, true},
		{"bad arguments", []reply{use("", call("", "flaky", `{"x":1}`), call("", "flaky", `{"y":1}`)), fail(1, 2)}, false},
		{"unknown tool", []reply{use("", call("", "flaki", `{}`), call("", "flaki", `{"text":"1"}`)), fail(1, 2)}, false},
		{"blocked calls", []reply{fail(1, 1), fail(1, 1), fail(1, 1)}, false}, // MaxRepeats
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, guard := range []bool{true, false} {
				a := newAgent(t, flaky(), echo())
				if !guard {
					without(a, config.GuardFailures)
				}
				p := play(t, t.Context(), a, question("?"), append(slices.Clone(c.turns), use("", last), say("Answer: x"))...)
				p.ended(t, trace.Answered, trace.Final, "x")
				n, out := len(c.turns), c.out && guard
				want := []string{"flaky", "echo"}
				if out {
					want = []string{"echo"}
				}
				if diff := cmp.Diff(want, toolNames(p.requests[n])); diff != "" {
					t.Errorf("guard %t: tools of the next turn (-want +got):\n%s", guard, diff)
				}
				shown, story := p.shown(), p.story()
				if got := strings.HasSuffix(shown[len(shown)-2], told); got != out {
					t.Errorf("guard %t: the model is told: %t, want %t (%q)", guard, got, out, shown[len(shown)-2])
				}
				if got := strings.HasSuffix(shown[len(shown)-1], "ERROR: tool_unavailable(flaky): it failed 4 times; do without it"); got != out {
					t.Errorf("guard %t: the further call is answered %q", guard, shown[len(shown)-1])
				}
				exclude := fmt.Sprintf("%d guard failures exclude flaky: 4 failures", n-1)
				block := fmt.Sprintf("%d guard failures block flaky", n)
				if slices.Contains(story, exclude) != out || slices.Contains(story, block) != out {
					t.Errorf("guard %t: events %q", guard, story)
				}
				for _, e := range p.events { // the trace keeps the original error
					if o, ok := e.Body.(trace.Observation); ok && o.Error != nil && strings.Contains(*o.Error, "no longer there") {
						t.Errorf("the observation is %q", *o.Error)
					}
				}
			}
		})
	}
}

// TestAnExcludedToolCostsNoCalls checks that calls that are not run are not counted.
func TestAnExcludedToolCostsNoCalls(t *testing.T) {
	a := newAgent(t, flaky(), echo())
	a.Config.MaxToolFailures, a.Config.MaxToolCalls = 1, 3
	p := play(t, t.Context(), a, question("?"), fail(1, 2), fail(3, 2), use("", call("", "echo", `{}`)), say("Answer: x"))
	p.ended(t, trace.Answered, trace.Final, "x")
	if p.ToolCalls != 3 {
		t.Errorf("%d calls ran, want 3", p.ToolCalls)
	}
}

func TestAFailingToolInTheTextProtocol(t *testing.T) {
	a := newAgent(t, flaky(), echo())
	a.Config.Protocol, a.Config.MaxToolFailures = config.ProtocolText, 1
	act := func(text string) reply {
		return say("Action: flaky\nAction Input: {\"text\":\"" + text + "\"}")
	}
	p := play(t, t.Context(), a, question("?"), act("1"), act("2"), act("3"), say("Final: Answer: x"))
	p.ended(t, trace.Answered, trace.Final, "x")
	messages := p.requests[3].Messages
	if got := messages[5].Content; !strings.HasSuffix(got, "\nThe tool flaky has failed 2 times and is no longer there: do without it.") {
		t.Errorf("the model is not told: %q", got)
	}
	if got := messages[7].Content; got != "Observation: ERROR: tool_unavailable(flaky): it failed 2 times; do without it" {
		t.Errorf("the further call is answered %q", got)
	}
}

// TestOnLimitStop checks that there is no last turn, and that the stop reason is the limit.
func TestOnLimitStop(t *testing.T) {
	for reason, change := range map[trace.StopReason]func(*config.Agent){
		trace.MaxSteps:     func(c *config.Agent) { c.MaxSteps = 2 },
		trace.MaxToolCalls: func(c *config.Agent) { c.MaxToolCalls = 1 },
	} {
		t.Run(string(reason), func(t *testing.T) {
			a := newAgent(t, echo())
			change(&a.Config)
			a.Config.OnLimit = config.OnLimitStop
			p := play(t, t.Context(), a, question("?"),
				use("", call("", "echo", `{"text":"1"}`)), use("", call("", "echo", `{"text":"2"}`)))
			p.ended(t, trace.NoAnswer, reason, "")
			if p.Steps != 2 || !strings.Contains(p.Cause, "on_limit") {
				t.Errorf("%d steps, cause %q", p.Steps, p.Cause)
			}
		})
	}
	a := newAgent(t, echo())
	a.Config.OnLimit = config.OnLimitStop
	play(t, t.Context(), a, question("?"), use("", call("", "echo", `{}`)), say("Answer: x")).ended(t, trace.Answered, trace.Final, "x")

	a = newAgent(t, library())
	a.Config.OnLimit, a.Config.MaxSteps = config.OnLimitStop, 1
	play(t, t.Context(), a, question("?"), use("", call("", "library", `{"text":"broken"}`))).ended(t, trace.Infra, trace.ToolBackend, "")
}

func TestConfidenceCheck(t *testing.T) {
	turn := func(n int) reply { return use("", call("", "echo", fmt.Sprintf(`{"text":"%d"}`, n))) }
	none := []string{}
	for _, c := range []struct {
		name  string
		after int
		turns []reply
		want  []string // the events of the check
		asked int      // the first request with the check's question; 0 means none
	}{
		{"off", 0, []reply{turn(1), turn(2), say("Answer: x")}, none, 0},
		{"answers", 2, []reply{turn(1), turn(2), say("Answer: x")},
			[]string{"1 guard confidence_check ask after 2 turns", "2 guard confidence_check answer "}, 2},
		{"continues, and is asked once", 1, []reply{turn(1), turn(2), turn(3), say("Answer: x")},
			[]string{"0 guard confidence_check ask after 1 turns", "1 guard confidence_check continue "}, 1},
		{"done before", 3, []reply{turn(1), say("Answer: x")}, none, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newAgent(t, echo())
			a.Config.ConfidenceCheck = c.after
			p := play(t, t.Context(), a, question("?"), c.turns...)
			p.ended(t, trace.Answered, trace.Final, "x")
			got := []string{}
			for _, line := range p.story() {
				if strings.Contains(line, "confidence_check") {
					got = append(got, line)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			for i, r := range p.requests {
				checkPairs(t, r.Messages)
				asked := 0
				for _, m := range r.Messages[2:] {
					if m.Role == model.User {
						asked++
					}
				}
				if want := c.asked > 0 && i >= c.asked; (asked == 1) != want || asked > 1 {
					t.Errorf("request %d asks %d times, want it asked: %t", i, asked, want)
				}
				if len(r.Tools) != 1 {
					t.Errorf("request %d has %d tools: the check takes none away", i, len(r.Tools))
				}
			}
		})
	}
}

// TestConfidenceCheckTakesNoTurn checks that the limit is the same with the check.
func TestConfidenceCheckTakesNoTurn(t *testing.T) {
	a := newAgent(t, echo())
	a.Config.ConfidenceCheck, a.Config.MaxSteps = 2, 2
	p := play(t, t.Context(), a, question("?"), use("", call("", "echo", `{}`)), use("", call("", "echo", `{}`)), say("Answer: x"))
	p.ended(t, trace.Answered, trace.MaxSteps, "x")
	if slices.ContainsFunc(p.story(), func(s string) bool { return strings.Contains(s, "confidence") }) {
		t.Error("the model was asked though there was no turn left to go on in")
	}
}
