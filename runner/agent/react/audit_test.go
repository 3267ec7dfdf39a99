package react_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/calc"
	"github.com/seed-5817661a/concur/trace"
)

// atlas is a tool that finds one document about towers, and no document for "nothing".
func atlas() fakeTool {
	return fakeTool{name: "atlas", evidence: true, call: func(_ context.Context, text string) (tool.Output, error) {
		if text == "nothing" {
			return tool.Output{Documents: []trace.Document{}}, nil
		}
		return tool.Output{Documents: []trace.Document{{
			Backend: "corpus", Ref: "eiffel", Title: "Eiffel Tower", Score: 0.9,
			Snippet: "The Eiffel Tower is 330 metres tall and was completed in 1889.",
		}}}, nil
	}}
}

const (
	sound   = "The Eiffel Tower is 330 metres tall [corpus_1].\nAnswer: 330 m"
	unsound = "The Eiffel Tower is 324 metres tall [corpus_1].\nAnswer: 324 m"
)

func lookUp() reply { return use("", call("a", "atlas", `{"text":"towers"}`)) }

func audits(p played) []trace.Audit {
	var out []trace.Audit
	for _, e := range p.events {
		if a, ok := e.Body.(trace.Audit); ok {
			out = append(out, a)
		}
	}
	return out
}

func TestAnswersAreAudited(t *testing.T) {
	yes, no := new(bool), new(bool)
	*yes = true
	broken := func(context.Context) (model.Response, error) {
		return model.Response{}, &model.Error{Kind: model.ErrUnavailable, Err: errors.New("gone")}
	}
	for _, c := range []struct {
		name     string
		turns    []reply
		outcome  trace.Outcome
		reason   trace.StopReason
		answer   string
		grounded *bool
		audits   int
	}{
		{"sound", []reply{lookUp(), say(sound)}, trace.Answered, trace.Final, "330 m", yes, 1},
		{"a thought is no claim", []reply{lookUp(), say("<think>It is 999 metres tall [corpus_7].</think>\n" + sound)}, trace.Answered, trace.Final, "330 m", yes, 1},
		{"nor is one that came apart", []reply{lookUp(), thinks("It is 999 metres tall [corpus_7].", sound, model.FinishStop)}, trace.Answered, trace.Final, "330 m", yes, 1},
		{"corrected", []reply{lookUp(), say(unsound), say(sound)}, trace.Answered, trace.Final, "330 m", yes, 2},
		{"stated elsewhere than audited, corrected", []reply{lookUp(), say("Its height is known [corpus_1].\n\n**Answer:**\n\n9,999 m"), say(sound)}, trace.Answered, trace.Final, "330 m", yes, 2},
		{"no citation, corrected", []reply{lookUp(), say("Answer: 330 m"), say(sound)}, trace.Answered, trace.Final, "330 m", yes, 2},
		{"rejected twice", []reply{lookUp(), say(unsound), say(unsound)}, trace.Abstained, trace.Ungrounded, "", no, 2},
		{"then abstained", []reply{lookUp(), say(unsound), say("Answer: [ABSTAIN]")}, trace.Abstained, trace.Final, "", no, 1},
		{"then refused", []reply{lookUp(), say(unsound), say("Answer: [REFUSE]")}, trace.Refused, trace.Final, "", no, 1},
		{"then empty", []reply{lookUp(), say(unsound), say(""), say("")}, trace.Abstained, trace.Ungrounded, "", no, 1},
		{"then a call", []reply{lookUp(), say(unsound), use("", call("b", "atlas", `{}`)), use("", call("b", "atlas", `{}`))}, trace.Abstained, trace.Ungrounded, "", no, 1},
		{"then an outage", []reply{lookUp(), say(unsound), broken}, trace.Infra, trace.ModelError, "", nil, 1},
		{"no documents", []reply{use("", call("a", "atlas", `{"text":"nothing"}`)), say(unsound)}, trace.Answered, trace.Final, "324 m", nil, 0},
		{"not looked up", []reply{say(unsound)}, trace.Answered, trace.Final, "324 m", nil, 0},
		{"abstained", []reply{lookUp(), say("Answer: [ABSTAIN]")}, trace.Abstained, trace.Final, "", nil, 0},
		{"calculated", []reply{lookUp(), use("", call("b", "calc", `{"expression":"330*2"}`)),
			say("It is 330 metres tall [corpus_1], and twice that is 660 metres [corpus_1].\nAnswer: 660 m")}, trace.Answered, trace.Final, "660 m", yes, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := play(t, t.Context(), guarded(t, atlas(), calc.Tool), question("How tall?"), c.turns...)
			p.ended(t, c.outcome, c.reason, c.answer)
			if diff := cmp.Diff(c.grounded, p.Grounded); diff != "" {
				t.Errorf("grounded (-want +got):\n%s", diff)
			}
			if got := audits(p); len(got) != c.audits {
				t.Errorf("%d audits, want %d: %+v", len(got), c.audits, got)
			}
			if rejected := p.Grounded != nil && !*p.Grounded; rejected != (p.Rejected == unsound) || !rejected && p.Rejected != "" {
				t.Errorf("grounded %v with the rejected answer %q", p.Grounded, p.Rejected)
			}
			if p.Grounded == nil && p.Grounding != (trace.Grounding{}) {
				t.Errorf("not audited, and yet the figures %+v", p.Grounding)
			}
			if (p.Cause != "") != (c.outcome == trace.Infra || c.reason == trace.Ungrounded) {
				t.Errorf("cause %q", p.Cause)
			}
			for _, r := range p.requests {
				checkPairs(t, r.Messages)
			}
		})
	}
}

// TestTheOneRetry checks the message to the model after a rejected answer.
func TestTheOneRetry(t *testing.T) {
	p := play(t, t.Context(), guarded(t, atlas()), question("How tall?"), lookUp(), say(unsound), say(unsound))
	retry := p.requests[2]
	last := retry.Messages[len(retry.Messages)-1]
	if retry.Choice != model.ChooseNone || last.Role != model.User || !strings.Contains(last.Content, "324 metres") || !strings.Contains(last.Content, "[corpus_1]") {
		t.Errorf("choice %q, last message %+v", retry.Choice, last)
	}
	if p.Steps != 3 || p.Message != unsound || !strings.Contains(p.Cause, "324") {
		t.Errorf("%d steps, message %q, cause %q", p.Steps, p.Message, p.Cause)
	}
	if want := (trace.Grounding{Claims: 1, Supported: 0, Citations: 1, Valid: 1}); p.Grounding != want {
		t.Errorf("figures %+v, want %+v", p.Grounding, want)
	}
	if diff := cmp.Diff([]string{"corpus:eiffel"}, p.Supporting); diff != "" {
		t.Errorf("supporting (-want +got):\n%s", diff)
	}
	a := audits(p)[0]
	if a.Version == "" || a.Grounded || a.Claims != 1 || len(a.Problems) == 0 || a.Problems[0].Check != "C4" {
		t.Errorf("the audit is recorded as %+v", a)
	}
}

// TestTheRejectedAnswerIsKept checks that a reply after a rejection hides neither the rejected answer nor the
// results of its audit.
func TestTheRejectedAnswerIsKept(t *testing.T) {
	const second = "It is 325 metres tall [corpus_1].\nAnswer: 325 m"
	for _, c := range []struct {
		name              string
		correction        reply
		rejected, message string
		reason            trace.StopReason
		cause             string
	}{
		{"empty", say(""), unsound, unsound, trace.Ungrounded, "the reply has neither"},
		{"unreadable", say("Hm."), unsound, unsound, trace.Ungrounded, "no answer could be read in the message"},
		{"call", use("", call("b", "atlas", `{}`)), unsound, unsound, trace.Ungrounded, `a tool call of "atlas"`},
		{"leaked call", say(`<tool_call>{"name": "atlas"}</tool_call>`), unsound, unsound, trace.Ungrounded, `a tool call of "atlas"`},
		{"as bad", say(second), second, second, trace.Ungrounded, "325"},
		{"abstained", say("Answer: [ABSTAIN]"), unsound, "Answer: [ABSTAIN]", trace.Final, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := question("How tall?")
			q.Gold.Type = answer.Quantity
			replies := []reply{lookUp(), say(unsound), c.correction}
			if c.reason == trace.Ungrounded && c.rejected == unsound {
				replies = append(replies, c.correction) // the reply to the request for the answer line
			}
			p := play(t, t.Context(), guarded(t, atlas()), q, replies...)
			p.ended(t, trace.Abstained, c.reason, "")
			if p.Rejected != c.rejected || p.Message != c.message || p.Extract != string(answer.FromLine) {
				t.Errorf("rejected %q, message %q, extract %s", p.Rejected, p.Message, p.Extract)
			}
			if want := (trace.Grounding{Claims: 1, Citations: 1, Valid: 1}); p.Grounding != want || p.Grounded == nil || *p.Grounded {
				t.Errorf("grounded %v, figures %+v, want %+v", p.Grounded, p.Grounding, want)
			}
			if (p.Supporting != nil) != (c.message == c.rejected) {
				t.Errorf("supporting %q", p.Supporting)
			}
			if !strings.Contains(p.Cause, c.cause) {
				t.Errorf("cause %q, want %q in it", p.Cause, c.cause)
			}
		})
	}
}

// TestLeastScore checks agent.citations with a document of score 0.9: below the least score, the answer is sent back
// once, or a warning is recorded.
func TestLeastScore(t *testing.T) {
	for _, c := range []struct {
		set    config.Citations
		reason trace.StopReason
		answer string
		audits int
		level  string
	}{
		{config.Citations{}, trace.Final, "330 m", 1, ""},
		{config.Citations{MinScore: 0.9}, trace.Final, "330 m", 1, ""},
		{config.Citations{MinScore: 0.95}, trace.Ungrounded, "", 2, "error"},
		{config.Citations{MinScore: 0.95, Below: config.BelowReject}, trace.Ungrounded, "", 2, "error"},
		{config.Citations{MinScore: 0.95, Below: config.BelowWarn}, trace.Final, "330 m", 1, "warn"},
	} {
		a := guarded(t, atlas())
		a.Config.Citations = c.set
		replies := []reply{lookUp(), say(sound), say(sound)}
		p := play(t, t.Context(), a, question("How tall?"), replies[:1+c.audits]...)
		outcome := trace.Answered
		if c.reason == trace.Ungrounded {
			outcome = trace.Abstained
		}
		p.ended(t, outcome, c.reason, c.answer)
		got := audits(p)
		var level string
		for _, problem := range got[0].Problems {
			level += problem.Level
		}
		if len(got) != c.audits || level != c.level {
			t.Errorf("%+v: %d audits, the first with %+v", c.set, len(got), got[0].Problems)
		}
		if c.level == "error" && !strings.Contains(p.requests[2].Messages[len(p.requests[2].Messages)-1].Content, "below 0.95: [corpus_1]") {
			t.Errorf("%+v: the model is not told which document is below the score", c.set)
		}
	}
}

func TestWithoutTheCitationGuard(t *testing.T) {
	p := play(t, t.Context(), without(guarded(t, atlas()), config.GuardCitation), question("How tall?"), lookUp(), say(unsound))
	p.ended(t, trace.Answered, trace.Final, "324 m")
	if p.Grounded != nil || len(audits(p)) > 0 {
		t.Errorf("grounded %v, audits %+v", p.Grounded, audits(p))
	}
}

// TestTheRetryIsATurn checks that the total number of turns is at most max_steps and one turn without tools.
func TestTheRetryIsATurn(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*config.Agent)
		turns  []reply
		reason trace.StopReason
		answer string
	}{
		{"within the limit", func(c *config.Agent) { c.MaxSteps = 2 }, []reply{lookUp(), say(unsound), say(sound)}, trace.Final, "330 m"},
		{"behind the forced turn", func(c *config.Agent) { c.MaxSteps = 1 }, []reply{lookUp(), say(unsound)}, trace.Ungrounded, ""},
		{"the forced answer is sound", func(c *config.Agent) { c.MaxSteps = 1 }, []reply{lookUp(), say(sound)}, trace.MaxSteps, "330 m"},
		{"forced by the calls", func(c *config.Agent) { c.MaxToolCalls = 1 },
			[]reply{use("", call("a", "atlas", `{}`), call("b", "atlas", `{}`)), use(unsound, call("c", "atlas", `{}`)), say(sound)}, trace.MaxToolCalls, "330 m"},
		{"stop, no turn left", func(c *config.Agent) { c.MaxSteps, c.OnLimit = 2, config.OnLimitStop }, []reply{lookUp(), say(unsound)}, trace.Ungrounded, ""},
		{"stop, a turn left", func(c *config.Agent) { c.MaxSteps, c.OnLimit = 3, config.OnLimitStop }, []reply{lookUp(), say(unsound), say(sound)}, trace.Final, "330 m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := guarded(t, atlas())
			c.change(&a.Config)
			p := play(t, t.Context(), a, question("How tall?"), c.turns...)
			outcome := trace.Answered
			if c.answer == "" {
				outcome = trace.Abstained
			}
			p.ended(t, outcome, c.reason, c.answer)
			if p.Steps != len(c.turns) {
				t.Errorf("%d steps, want %d", p.Steps, len(c.turns))
			}
			for _, r := range p.requests {
				checkPairs(t, r.Messages)
			}
		})
	}
}

func TestTheAuditInTheTextProtocol(t *testing.T) {
	a := guarded(t, atlas())
	a.Config.Protocol = config.ProtocolText
	p := play(t, t.Context(), a, question("How tall?"),
		say("Action: atlas\nAction Input: {}"), say("Final: "+unsound), say("Thought: right.\nFinal: "+sound))
	p.ended(t, trace.Answered, trace.Final, "330 m")
	if p.Message != sound || len(audits(p)) != 2 {
		t.Errorf("message %q, %d audits", p.Message, len(audits(p)))
	}
}

// TestTheAuditReadsWhatWasShown checks that a citation that a page contains is not evidence, and that text
// that was removed from the page cannot be quoted.
func TestTheAuditReadsWhatWasShown(t *testing.T) {
	hidden := fakeTool{name: "atlas", evidence: true, call: func(context.Context, string) (tool.Output, error) {
		return tool.Output{Documents: []trace.Document{{
			Backend: "corpus", Ref: "eiffel", Title: "Eiffel Tower", Score: 0.9,
			Snippet: "The Eiffel Tower is 330 metres tall.<!-- It is 324 metres tall. -->",
		}}}, nil
	}}
	for _, c := range []struct {
		guards  []string // guards that are turned off
		outcome trace.StopReason
	}{{nil, trace.Ungrounded}, {[]string{config.GuardSanitise}, trace.Final}} {
		turns := []reply{lookUp(), say(unsound)}
		if c.outcome == trace.Ungrounded {
			turns = append(turns, say(unsound))
		}
		p := play(t, t.Context(), without(guarded(t, hidden), c.guards...), question("How tall?"), turns...)
		if p.StopReason != c.outcome {
			t.Errorf("without %v the trace ends %s, want %s (%s)", c.guards, p.StopReason, c.outcome, p.Cause)
		}
	}
}

// An answer that denies a false premise needs no citation; what it cites is audited.
func TestDenialOfAPremiseNeedsNoCitation(t *testing.T) {
	q := question("How many lifts does the Tower of Ys have?")
	denial := "There is no Tower of Ys."
	for _, c := range []struct {
		name, premise, message string
		outcome                trace.Outcome
		audits                 int
	}{
		{"denied", q.Text, "Answer: " + denial, trace.Answered, 0},
		{"denied in a sentence", q.Text, "I looked. " + denial + "\nAnswer: none", trace.Answered, 0},
		{"denied with a wrong citation", q.Text, denial + " [corpus_7]\nAnswer: " + denial, trace.Abstained, 2},
		{"accepted without a citation", q.Text, "Answer: 324 lifts", trace.Abstained, 2},
		{"an ordinary question", "", "Answer: " + denial, trace.Abstained, 2},
	} {
		q.Gold.FalsePremise = c.premise
		turns := []reply{lookUp(), say(c.message), say(c.message)}
		p := play(t, t.Context(), guarded(t, atlas()), q, turns[:1+max(1, c.audits)]...)
		if p.Outcome != c.outcome || len(audits(p)) != c.audits {
			t.Errorf("%s: %s after %d audits (%s), want %s after %d", c.name, p.Outcome, len(audits(p)), p.Cause, c.outcome, c.audits)
		}
		if c.outcome == trace.Answered && p.Answer != denial {
			t.Errorf("%s: the answer is %q", c.name, p.Answer)
		}
	}
}
