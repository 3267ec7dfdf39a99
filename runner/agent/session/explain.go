package session

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// ExplainVersion changes with the tool explain; it is part of agent hashes with agent.explain.
const ExplainVersion = "explain/v1"

// announceNone announces the answer instead of a tool.
const announceNone = "none"

const errExplained = tool.PlainErrorPrefix + "explained_already: call the tool that you announced, or answer"

// explainer implements the tool explain in one trace, with which the model announces its next step. The zero
// value is off.
type explainer struct {
	spec      *model.ToolSpec
	prompt    string // requests an explanation, because a provider may not be able to force a call
	every     bool   // also after each observation
	due       bool   // the next turn with tools must be an explanation
	pending   bool   // the last explanation had no effect yet
	announced string // the tool that it names
	counts    *trace.Explanations
}

// newExplainer returns the explainer for agent.explain, which has no effect in the text protocol or without
// tools.
func newExplainer(c config.Agent, tools []model.ToolSpec) explainer {
	if c.Explain.IsZero() || c.Protocol == config.ProtocolText || len(tools) == 0 {
		return explainer{}
	}
	names := []string{}
	for _, t := range tools {
		names = append(names, t.Name)
	}
	enum, _ := json.Marshal(append(names, announceNone)) // encoding strings never fails
	every, request := c.Explain == config.ExplainEvery, "explain"
	if every {
		request = "explain_every"
	}
	return explainer{
		prompt: prompt(request), every: every, due: true, counts: &trace.Explanations{},
		spec: &model.ToolSpec{
			Name:        config.ExplainTool,
			Description: "Say what you are about to do, before you do it. It does nothing else.",
			Parameters: fmt.Appendf(nil, `{"type":"object","properties":{`+
				`"plan":{"type":"string","description":"How you get from here to the answer."},`+
				`"tool":{"type":"string","enum":%s,`+
				`"description":"The tool that you will call next; none if you will answer."},`+
				`"reason":{"type":"string","description":"Why this one."}},`+
				`"required":["plan","tool","reason"],"additionalProperties":false}`, enum),
		},
	}
}

// offer puts the tool explain before the others.
func (e *explainer) offer(tools []model.ToolSpec) []model.ToolSpec {
	if e.spec == nil || len(tools) == 0 {
		return tools
	}
	return append([]model.ToolSpec{*e.spec}, tools...)
}

// demand forces an explanation if one is due, and reports whether it did.
func (e *explainer) demand(req *model.Request) bool {
	if !e.due || len(req.Tools) == 0 {
		return false
	}
	req.Choice = model.ToolChoice(config.ExplainTool)
	e.counts.Due++
	return true
}

func isExplanation(c model.ToolCall) bool { return c.Name == config.ExplainTool }

// read counts the reply to a request, and compares it with the last announcement.
func (e *explainer) read(t Turn, demanded bool, u model.Usage) {
	if e.spec == nil {
		return
	}
	e.due = false
	explains := slices.ContainsFunc(t.Calls, isExplanation)
	if demanded && explains {
		e.counts.Given++
	}
	others := slices.DeleteFunc(slices.Clone(t.Calls), isExplanation)
	switch {
	case explains && len(others) == 0:
		e.counts.Tokens += u.InputTokens + u.OutputTokens
	case !explains && t.Problem == nil:
		e.follow(others)
	}
}

// follow compares the model's calls, or its answer, with the announcement.
func (e *explainer) follow(calls []model.ToolCall) {
	if !e.pending {
		return
	}
	e.counts.Followed++
	if slices.ContainsFunc(calls, func(c model.ToolCall) bool { return c.Name == e.announced }) || len(calls) == 0 &&
		e.announced == announceNone {
		e.counts.Kept++
	}
	e.pending = false
}

// explain records the explanations of a turn and answers them. It returns the turn's other calls. An
// explanation does not count as a tool call. again reports that there are no others, and that the guard repeat
// blocks the explanation because the previous one had no effect.
func (s *Session) explain(calls []model.ToolCall) (others []model.ToolCall, again bool) {
	repeats := s.explainer.pending && s.calls.Repeats > 0
	for _, c := range calls {
		if s.explainer.spec == nil || !isExplanation(c) {
			others = append(others, c)
			continue
		}
		var in struct{ Plan, Tool, Reason string }
		if err := json.Unmarshal([]byte(c.Arguments), &in); err != nil {
			in.Plan = c.Arguments
		}
		s.explainer.pending, s.explainer.announced = true, in.Tool
		s.Emit(trace.Thought{
			Kind: trace.Explanation, Tool: in.Tool,
			Content: fmt.Sprintf("Plan: %s\nTool: %s\nReason: %s", in.Plan, in.Tool, in.Reason),
		})
		answer := prompt("explained")
		if repeats {
			s.Guard(config.GuardRepeat, "block", c.Name)
			answer = errExplained
		}
		s.messages = append(s.messages, s.protocol.observation(c.ID, answer))
	}
	if s.explainer.spec != nil && len(others) > 0 {
		if len(others) < len(calls) {
			s.explainer.follow(others)
		}
		s.explainer.due = s.explainer.every
	}
	return others, repeats && len(others) == 0
}

// specs returns the tools as shown to the model.
func (s *Session) specs() []model.ToolSpec {
	return s.explainer.offer(append(s.tools.ModelSpecs(), s.own...))
}
