package config

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/consensus"
	"gopkg.in/yaml.v3"
)

// Effective sets each setting that has no effect to a fixed value. So two configurations with the same effect
// have equal results. Use the result to compare and to show configurations. Do not use it to run or validate
// them. Examples of settings without effect:
//
//   - tools and limits under cot and direct, and settings of another strategy
//   - settings that the request to an external agent does not contain
//   - sub-agents that cannot be reached, and limits of guards that are off
//   - stages at k=1, and settings of judges that are not configured
//
// "same" becomes the agent's model, and "none" becomes "". The order of tools does not change, because the
// model sees the tools in this order.
func (c Configuration) Effective() Configuration {
	c = c.clone()
	c.Memory = c.Memory.effective(c.Agent)
	c.Agent = c.Agent.effective()
	c.Agents = c.reachable()
	c.Faults = c.Faults.effective(c.Agent)
	if len(c.Agent.Tools) == 0 {
		c.Search = Search{}
	}
	tools := slices.Clone(c.Agent.Tools)
	for _, sub := range c.Agents {
		tools = append(tools, sub.Tools...)
	}
	c.Tools = c.declared(slices.Concat(tools, c.Search.Cascade))
	maps.DeleteFunc(c.MCP, func(name string, _ MCPServer) bool {
		return !slices.ContainsFunc(tools, func(tool string) bool {
			server, _ := ServerOf(tool)
			return server == name
		})
	})
	if c.K == 1 {
		c.Consensus.Stages, c.Consensus.Quorum = []consensus.Stage{consensus.StageExact}, consensus.QuorumMajority
	}
	if c.Consensus.Quorum.IsZero() {
		c.Consensus.Quorum = consensus.QuorumMajority
	}
	if !slices.ContainsFunc(c.Consensus.Stages, consensus.Stage.AsksModel) {
		c.Verifier = Verifier{}
	}
	if c.Verifier.Reads.IsZero() {
		c.Verifier.Reads = ""
	}
	if c.Extract.IsZero() {
		c.Extract, c.Extractor = ExtractRules, Extractor{}
	}
	c.Extractor.Model = c.ExtractorModel()
	c.Judge.Correctness, c.Judge.Quality = modelOrEmpty(c.Judge.Correctness), modelOrEmpty(c.Judge.Quality)
	if c.Judge.Correctness == "" && c.Judge.Quality == "" {
		c.Judge.Threshold, c.Judge.MaxTokens, c.Judge.Repeats, c.Judge.Calibration = 0, 0, 0, ""
	}
	if c.Judge.Repeats == 1 {
		c.Judge.Repeats = 0
	}
	for i, spec := range c.Judge.Panel.Members {
		c.Judge.Panel.Members[i] = c.ModelOf(spec)
	}
	for _, spec := range []*string{&c.Verifier.Model, &c.Judge.Correctness, &c.Judge.Quality} {
		*spec = c.ModelOf(*spec)
	}
	return c
}

// ReadsTraces reports whether a stage of the consensus reads the steps of traces.
func (c Configuration) ReadsTraces() bool {
	return c.K > 1 && !c.Verifier.Reads.IsZero() && slices.ContainsFunc(c.Consensus.Stages, consensus.Stage.AsksModel)
}

func (a Agent) effective() Agent {
	a.Prompts = a.Prompts.effective(a)
	a.Playbook = a.Playbook.Effective()
	a.Citations = a.Citations.effective(a)
	a.Offer = a.Offer.effective(a)
	if a.Condense.IsZero() {
		a.Condense = ""
	}
	if a.External.Used() {
		return Agent{
			External: a.External, Strategy: StrategyExternal, Tools: []string{}, Guards: []string{},
			Temperature: a.Temperature, MaxSteps: a.MaxSteps, FixedSteps: a.FixedSteps, MaxToolCalls: a.MaxToolCalls,
		}
	}
	guards := []string{}
	for _, g := range Guards() {
		if a.HasGuard(g) && (a.Loops() || g == GuardInjection) {
			guards = append(guards, g)
		}
	}
	if !a.Loops() {
		return Agent{Strategy: a.Strategy, Protocol: a.Protocol, Temperature: a.Temperature, Tools: []string{},
			Guards: guards, Condense: a.Condense, Playbook: a.Playbook, Prompts: a.Prompts}
	}
	a.Guards = guards
	limits := map[string]*int{GuardRepeat: &a.MaxRepeats, GuardCalls: &a.MaxToolCalls,
		GuardFailures: &a.MaxToolFailures}
	for guard, limit := range limits {
		if !a.HasGuard(guard) {
			*limit = 0
		}
	}
	if !a.HasGuard(GuardSpotlight) {
		a.Spotlight = ""
	}
	a.SingleTool = a.SingleTool && !a.WritesCalls()
	if a.Explain.IsZero() || len(a.Tools) == 0 || a.WritesCalls() {
		a.Explain = ExplainOff
	}
	if a.Protocol == ProtocolInline {
		a.InlineCalls, a.ConfidenceCheck = a.MostInlineCalls(), 0
	} else {
		a.InlineCalls = 0
	}
	a.effectivePlan()
	return a
}

// Loops reports whether the strategy can call tools in several turns.
func (a Agent) Loops() bool { return a.Strategy != StrategyCoT && a.Strategy != StrategyDirect }

// AgentHash identifies the agent. It is the first 16 hexadecimal digits of the SHA-256 of the YAML of all
// settings that affect the agent (Effective). So configurations that differ only in name, K or judging have the
// same hash, and use the same traces. parts has the versions and the digests of the contents to which the
// configuration refers; for an agent without tools, the parts tools, corpus and backends are ignored.
func (c Configuration) AgentHash(parts map[string]string) (string, error) {
	c = c.Effective()
	if len(c.Agent.Tools) == 0 {
		parts = maps.Clone(parts)
		for _, name := range []string{"tools", "corpus", "backends"} {
			delete(parts, name)
		}
	}
	search, memory := c.Search, c.Memory
	search.Corpus, memory.File, c.Agent.Playbook.File = "", "", "" // parts has the contents of these files
	c.Agent.DatasetTools = nil                                     // agent.tools has the names
	raw, err := yaml.Marshal(struct {
		Model  string              `yaml:"model"`
		Agent  Agent               `yaml:"agent"`
		Agents map[string]SubAgent `yaml:"agents,omitempty"`
		Search Search              `yaml:"search"`
		Memory Memory              `yaml:"memory,omitempty"`
		Faults Faults              `yaml:"faults,omitempty"`
		Parts  map[string]string   `yaml:"parts"`
	}{c.Model, c.Agent, c.Agents, search, memory, c.Faults, parts})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8]), nil
}

// BeyondRequests returns AgentHash without the settings that affect only the requests to the model. If two
// agents differ only in these settings, their requests show the difference. It returns "" if these settings
// affect more than requests. This is so for an external agent, which itself gets the temperature, and for an
// agent with sub-agents, whose models may use it.
func (c Configuration) BeyondRequests(parts map[string]string) (string, error) {
	if c = c.Effective(); c.Agent.External.Used() || len(c.Agents) > 0 {
		return "", nil
	}
	c.Agent.Temperature = 0
	return c.AgentHash(parts)
}

// Without returns the configuration without the named parts: tools by their names, guards as guard.injection,
// stages of the consensus as stage.verifier, judges as judge.quality, confidence_check, and the parts of the
// strategy plan. If a part has no effect (see Effective), removing it is an error, because nothing would
// change.
func (c Configuration) Without(names ...string) (Configuration, error) {
	parts := c.parts()
	c = c.clone()
	for _, name := range names {
		i := slices.IndexFunc(parts, func(p part) bool { return p.name == name })
		if i < 0 {
			var known []string
			for _, p := range parts {
				known = append(known, p.name)
			}
			return c, fmt.Errorf("remove %q: the configuration has no such part%s; it has %s",
				name, c.Agent.noToolsHint(), cmp.Or(strings.Join(known, ", "), "nothing to remove"))
		}
		parts[i].remove(&c)
		parts = slices.Delete(parts, i, i+1)
	}
	return c, nil
}

// part is a part of a configuration that can be turned off.
type part struct {
	name   string
	remove func(*Configuration)
}

// parts lists the parts that have an effect.
func (c Configuration) parts() (out []part) {
	c = c.Effective()
	add := func(name string, remove func(*Configuration)) { out = append(out, part{name, remove}) }
	for _, tool := range c.Agent.Tools {
		add(tool, func(c *Configuration) { c.Agent.Tools = remove(c.Agent.Tools, tool) })
	}
	for _, own := range c.Agent.External.on() {
		add(own, func(c *Configuration) { c.Agent.External.Off = append(c.Agent.External.Off, own) })
	}
	if c.Agent.Strategy == StrategyPlan {
		for name, s := range sorted(c.Agent.Plan.parts()) {
			if *s != Off {
				add(name, func(c *Configuration) { *c.Agent.Plan.parts()[name] = Off })
			}
		}
	}
	for _, guard := range c.Agent.Guards {
		add("guard."+guard, func(c *Configuration) { c.Agent.Guards = remove(c.Agent.Guards, guard) })
	}
	for _, stage := range c.Consensus.Stages {
		if stage != consensus.StageExact {
			add("stage."+string(stage), func(c *Configuration) { c.Consensus.Stages = remove(c.Consensus.Stages, stage) })
		}
	}
	if c.Judge.Correctness != "" {
		add("judge.correctness", func(c *Configuration) { c.Judge.Correctness = NoModel })
	}
	if c.Judge.Quality != "" {
		add("judge.quality", func(c *Configuration) { c.Judge.Quality = NoModel })
	}
	if c.Agent.ConfidenceCheck > 0 {
		add("confidence_check", func(c *Configuration) { c.Agent.ConfidenceCheck = 0 })
	}
	return out
}

func remove[T comparable](list []T, item T) []T {
	return slices.DeleteFunc(list, func(s T) bool { return s == item })
}
