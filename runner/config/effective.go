package config

import (
	"maps"
	"slices"
)

// Effective sets settings without effect to one fixed value, so that configurations with the
// same effect are equal. It is for comparing and showing, not for running or validating.
// Without effect are:
//
//   - under cot and direct, which have one turn without tools: tools, limits of turns and
//     calls, and all guards except injection, which checks the query;
//   - for an external agent, all of the agent's settings that its request does not carry;
//   - the parts of the strategy plan under another, and explain and confidence_check under plan;
//   - prompts of parts that are off;
//   - sub-agents that cannot be reached from the agent's tools;
//   - search, without tools, and the MCP servers of which no tool is named;
//   - the limit of a guard that is off, the order of guards, and under the protocol text
//     single_tool, since it always has one call a turn, and explain, since nothing is forced;
//   - the memory that is off, and under cot and direct its summaries;
//   - at k=1 all consensus stages but the first, and the quorum;
//   - the verifier without a stage that asks it, and the judges' threshold without a judge.
//
// "same" becomes the agent's model, and "none" becomes "". The order of tools is kept, because
// the model sees it.
func (c Configuration) Effective() Configuration {
	c = c.clone()
	c.Memory = c.Memory.effective(c.Agent)
	c.Agent = c.Agent.effective()
	c.Agents = c.reachable()
	if len(c.Agent.Tools) == 0 {
		c.Search = Search{}
	}
	tools := slices.Clone(c.Agent.Tools)
	for _, sub := range c.Agents {
		tools = append(tools, sub.Tools...)
	}
	maps.DeleteFunc(c.MCP, func(name string, _ MCPServer) bool {
		return !slices.ContainsFunc(tools, func(tool string) bool { server, _ := ServerOf(tool); return server == name })
	})
	if c.K == 1 {
		c.Consensus.Stages, c.Consensus.Quorum = []string{StageExact}, QuorumMajority
	}
	if c.Consensus.Quorum.IsZero() {
		c.Consensus.Quorum = QuorumMajority
	}
	if !slices.Contains(c.Consensus.Stages, StageVerifier) && !slices.Contains(c.Consensus.Stages, StagePick) {
		c.Verifier = Verifier{}
	}
	c.Judge.Correctness, c.Judge.Quality = modelOrEmpty(c.Judge.Correctness), modelOrEmpty(c.Judge.Quality)
	if c.Judge.Correctness == "" && c.Judge.Quality == "" {
		c.Judge.Threshold, c.Judge.MaxTokens, c.Judge.Repeats, c.Judge.Calibration = 0, 0, 0, ""
	}
	if c.Judge.Repeats == 1 {
		c.Judge.Repeats = 0
	}
	for i, spec := range c.Judge.Panel.Members {
		if spec == SameModel {
			c.Judge.Panel.Members[i] = c.Model
		}
	}
	for _, spec := range []*string{&c.Verifier.Model, &c.Judge.Correctness, &c.Judge.Quality} {
		if *spec == SameModel {
			*spec = c.Model
		}
	}
	return c
}

func (a Agent) effective() Agent {
	a.Prompts = a.Prompts.effective(a)
	a.Playbook = a.Playbook.Effective()
	if a.Turns.Condense.IsZero() {
		a.Turns.Condense = ""
	}
	if a.External.Used() {
		return Agent{
			External: a.External, Strategy: StrategyExternal, Tools: []string{}, Guards: []string{},
			Temperature: a.Temperature, MaxSteps: a.MaxSteps, FixedSteps: a.FixedSteps, MaxToolCalls: a.MaxToolCalls,
		}
	}
	guards := []string{}
	for _, g := range Guards() {
		if a.HasGuard(g) && (a.loops() || g == GuardInjection) {
			guards = append(guards, g)
		}
	}
	if !a.loops() {
		return Agent{Strategy: a.Strategy, Protocol: a.Protocol, Temperature: a.Temperature, Tools: []string{}, Guards: guards, Turns: a.Turns, Playbook: a.Playbook, Prompts: a.Prompts}
	}
	a.Guards = guards
	if !a.HasGuard(GuardRepeat) {
		a.MaxRepeats = 0
	}
	if !a.HasGuard(GuardCalls) {
		a.MaxToolCalls = 0
	}
	if !a.HasGuard(GuardFailures) {
		a.MaxToolFailures = 0
	}
	if !a.HasGuard(GuardSpotlight) {
		a.Spotlight = ""
	}
	if a.Protocol == ProtocolText {
		a.SingleTool, a.Explain = false, ExplainOff
	}
	if a.Explain.IsZero() || len(a.Tools) == 0 {
		a.Explain = ExplainOff
	}
	a.effectivePlan()
	return a
}

// Loops reports whether the agent has turns with tools.
func (c Configuration) Loops() bool { return c.Agent.loops() }

// loops reports whether the strategy has turns with tools.
func (a Agent) loops() bool { return a.Strategy != StrategyCoT && a.Strategy != StrategyDirect }
