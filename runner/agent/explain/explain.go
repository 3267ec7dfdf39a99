// Package explain adds a tool with which the model announces its next step (agent.explain). It compares the
// calls of the model with its announcements.
package explain

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Version changes with the tool explain and its prompts.
const Version = "explain/v1"

// announceNone announces the answer instead of a tool.
const announceNone = "none"

const errExplained = tool.PlainErrorPrefix + "explained_already: call the tool that you announced, or answer"

//go:embed prompts.yaml
var promptFile []byte

var prompt = session.Prompts(promptFile)

// Feature is the tool explain. It is a session.Feature.
type Feature struct {
	Every bool // an explanation is due after each observation too, not only on the first turn
}

// New returns the feature for agent.explain. It returns nil if the setting is off or has no effect
// (config.Configuration.Effective).
func New(c config.Configuration) session.Feature {
	mode := c.Effective().Agent.Explain
	if mode.IsZero() {
		return nil
	}
	return Feature{Every: mode == config.ExplainEvery}
}

// Versions returns the version of the tool.
func (Feature) Versions() map[string]string { return map[string]string{Name: Version} }

// Begin adds the tool, unless the agent has no other tool.
func (f Feature) Begin(_ context.Context, s *session.Session) (session.Part, error) {
	tools := s.Tools()
	if len(tools) == 0 {
		return session.Part{Name: Name}, nil
	}
	e := &explainer{session: s, every: f.Every, due: true, spec: announcingTool(tools)}
	request := "first"
	if f.Every {
		request = "every"
	}
	return session.Part{Name: Name, Prompt: prompt(request), Turns: e, End: func() any { return e.counts }}, nil
}

// explainer implements the tool in one trace.
type explainer struct {
	session   *session.Session
	spec      model.ToolSpec
	every     bool
	due       bool   // the next turn with tools must be an explanation
	demanded  bool   // the last request forced one
	pending   bool   // the last explanation had no effect yet
	announced string // the tool that it names
	counts    Counts
}

// announcingTool returns the tool explain. Its arguments can name each of the agent's tools.
func announcingTool(tools []model.ToolSpec) model.ToolSpec {
	names := []string{}
	for _, t := range tools {
		names = append(names, t.Name)
	}
	enum, _ := json.Marshal(append(names, announceNone)) // encoding strings never fails
	return model.ToolSpec{
		Name:        config.ExplainTool,
		Description: "Say what you are about to do, before you do it. It does nothing else.",
		Parameters: fmt.Appendf(nil, `{"type":"object","properties":{`+
			`"plan":{"type":"string","description":"How you get from here to the answer."},`+
			`"tool":{"type":"string","enum":%s,`+
			`"description":"The tool that you will call next; none if you will answer."},`+
			`"reason":{"type":"string","description":"Why this one."}},`+
			`"required":["plan","tool","reason"],"additionalProperties":false}`, enum),
	}
}

// Offer puts the tool explain before the others.
func (e *explainer) Offer(tools []model.ToolSpec) []model.ToolSpec {
	if len(tools) == 0 {
		return tools
	}
	return append([]model.ToolSpec{e.spec}, tools...)
}

// Request forces an explanation if one is due.
func (e *explainer) Request(req *model.Request) {
	if e.demanded = e.due && len(req.Tools) > 0; e.demanded {
		req.Choice = model.ToolChoice(config.ExplainTool)
		e.counts.Due++
	}
}

func isExplanation(c model.ToolCall) bool { return c.Name == config.ExplainTool }

// Reply counts a reply, and compares it with the last announcement.
func (e *explainer) Reply(t session.Turn, u model.Usage) {
	demanded := e.demanded
	e.due, e.demanded = false, false
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

// Answer records the explanations of a turn and answers them. An explanation does not count as a tool call.
// again reports that there are no other calls and that the guard repeat blocks the explanation, because no call
// followed the previous explanation.
func (e *explainer) Answer(calls []model.ToolCall) (others []model.ToolCall, again bool) {
	conf := e.session.Config()
	repeats := e.pending && conf.HasGuard(config.GuardRepeat) && conf.MaxRepeats > 0
	for _, c := range calls {
		if !isExplanation(c) {
			others = append(others, c)
			continue
		}
		var in struct{ Plan, Tool, Reason string }
		if err := json.Unmarshal([]byte(c.Arguments), &in); err != nil {
			in.Plan = c.Arguments
		}
		e.pending, e.announced = true, in.Tool
		e.session.Emit(trace.Thought{
			Kind: trace.Explanation, Tool: in.Tool,
			Content: fmt.Sprintf("Plan: %s\nTool: %s\nReason: %s", in.Plan, in.Tool, in.Reason),
		})
		answer := prompt("answer")
		if repeats {
			e.session.Guard(config.GuardRepeat, "block", c.Name)
			answer = errExplained
		}
		e.session.Reply(c, answer)
	}
	if len(others) > 0 {
		if len(others) < len(calls) {
			e.follow(others)
		}
		e.due = e.every
	}
	return others, repeats && len(others) == 0
}
