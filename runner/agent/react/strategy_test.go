package react_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// TestSingleTurnStrategies checks that there is one model call, and one more if the answer line is missing.
// In both protocols, the configured tools are neither offered nor mentioned.
func TestSingleTurnStrategies(t *testing.T) {
	for _, strategy := range []string{config.StrategyCoT, config.StrategyDirect} {
		for _, c := range []struct {
			protocol, name string
			reply          reply
			outcome        trace.Outcome
			reason         trace.StopReason
			answer         string
		}{
			{config.ProtocolNative, "answer", say("Answer: x"), trace.Answered, trace.Final, "x"},
			{config.ProtocolNative, "reasoned", say("1 and 1 is 2.\nAnswer: 2"), trace.Answered, trace.Final, "2"},
			{config.ProtocolNative, "abstained", say("Answer: [ABSTAIN]"), trace.Abstained, trace.Final, ""},
			{config.ProtocolNative, "call", use("", call("a", "echo", `{}`)), trace.NoAnswer, trace.FormatError, ""},
			{config.ProtocolNative, "empty", say(""), trace.NoAnswer, trace.EmptyAnswer, ""},
			{config.ProtocolText, "answer", say("Answer: x"), trace.Answered, trace.Final, "x"},
			{config.ProtocolText, "in form", say("Thought: 1 and 1.\nFinal: It is 2.\nAnswer: 2"), trace.Answered, trace.Final, "2"},
			{config.ProtocolText, "refused", say("Final: Answer: [REFUSE]"), trace.Refused, trace.Final, ""},
			{config.ProtocolText, "call", say("Action: echo\nAction Input: {}"), trace.NoAnswer, trace.FormatError, ""},
			{config.ProtocolText, "no form", say("Thought: hm,\nand so on,\nand on"), trace.NoAnswer, trace.EmptyAnswer, ""},
		} {
			t.Run(strings.Join([]string{strategy, c.protocol, c.name}, " "), func(t *testing.T) {
				a := guarded(t, library(), echo())
				a.Config.Strategy, a.Config.Protocol = strategy, c.protocol
				replies := []reply{c.reply}
				if c.outcome == trace.NoAnswer {
					replies = append(replies, c.reply) // the reply to the request for the answer line
				}
				p := play(t, t.Context(), a, question("?"), replies...)
				p.ended(t, c.outcome, c.reason, c.answer)
				if n := len(replies); p.Steps != n || p.ModelCalls != n || p.ToolCalls != 0 {
					t.Errorf("%d steps, %d model calls, %d tool calls; want %d, %[4]d, 0", p.Steps, p.ModelCalls, p.ToolCalls, n)
				}
				for _, request := range p.requests {
					if request.Tools != nil {
						t.Errorf("the tools %v are offered", toolNames(request))
					}
				}
			})
		}
	}
}

func TestPromptsOfTheStrategies(t *testing.T) {
	prompts := map[string]bool{}
	for _, strategy := range []string{config.StrategyReact, config.StrategyCoT, config.StrategyDirect} {
		for _, protocol := range []string{config.ProtocolNative, config.ProtocolText} {
			a := guarded(t, library(), echo())
			a.Config.Strategy, a.Config.Protocol = strategy, protocol
			p := play(t, t.Context(), a, question("?"), say("Final: Answer: x"))
			prompt := p.requests[0].Messages[0].Content
			prompts[prompt] = true
			for _, w := range []string{"tool", "library", "echo", "corpus_", "cit", "document", "<<data"} {
				if has, want := strings.Contains(prompt, w), strategy == config.StrategyReact; has && !want {
					t.Errorf("%s, %s: the prompt speaks of %q", strategy, protocol, w)
				}
			}
			for _, w := range []string{"Answer:", "[ABSTAIN]", "[REFUSE]"} {
				if !strings.Contains(prompt, w) {
					t.Errorf("%s, %s: the prompt has no %s", strategy, protocol, w)
				}
			}
			if has, want := strings.Contains(prompt, "step by step"), strategy == config.StrategyCoT; has != want {
				t.Errorf("%s, %s: the prompt asks for steps: %t", strategy, protocol, has)
			}
			for _, w := range []string{"Thought", "short explanation", "reasoning"} {
				if strategy == config.StrategyDirect && strings.Contains(prompt, w) {
					t.Errorf("direct, %s: the prompt asks for more than the answer: %q", protocol, w)
				}
			}
		}
	}
	if len(prompts) != 5 { // direct has the same prompt for both protocols
		t.Errorf("%d different prompts, want 5", len(prompts))
	}
}

// TestSingleTurnStrategiesAreGuarded checks that an attack is refused before any strategy begins.
func TestSingleTurnStrategiesAreGuarded(t *testing.T) {
	for _, strategy := range []string{config.StrategyReact, config.StrategyCoT, config.StrategyDirect} {
		a := guarded(t, echo())
		a.Config.Strategy = strategy
		p := play(t, t.Context(), a, question(attack))
		p.ended(t, trace.Refused, trace.RefusedByGuard, "")
	}
}
