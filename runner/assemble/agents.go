package assemble

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/guard/cite"
	"github.com/seed-5817661a/concur/guard/inject"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/delegate"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
	"github.com/seed-5817661a/concur/runner/agent/plan"
	"github.com/seed-5817661a/concur/runner/agent/react"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/assemble/kinds"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/extract"
	"github.com/seed-5817661a/concur/runner/feature/registry"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/calc"
	"github.com/seed-5817661a/concur/tool/planner"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/tool/search/wikipedia"
)

// openAgent opens a sub-agent as a tool, with its own tools and model, and adds its versions and facts to set.
func (b *toolbox) openAgent(ctx context.Context, c config.Configuration, name string, set *toolset) (tool.Tool, error) {
	sub, child := c.Agents[name], c.Child(name)
	own, err := b.open(ctx, child)
	if err != nil {
		return nil, fmt.Errorf("agents.%s: %w", name, err)
	}
	if b.replay == nil {
		if err := b.a.checkToolLimit(child, "agents."+name+".tools", len(own.registry.Specs())); err != nil {
			return nil, err
		}
	}
	t := delegate.Tool{
		Name: name, Tools: own.registry.Specs(), Prompt: sub.Prompt, ModelName: child.Model, Timeout: sub.Deadline(),
		Agent: loopOf(session.Settings{Config: child.Agent, Tools: own.registry, Prompt: sub.Prompt}),
	}
	if b.replay != nil { // the recording has the results of the time limit
		t.Timeout = 0
	}
	if b.model != nil {
		if t.Model, err = b.model(child.Model); err != nil {
			return nil, fmt.Errorf("agents.%s: %w", name, err)
		}
	}
	parts := maps.Clone(own.parts)
	parts["delegate"], parts["model"] = delegate.Version, b.a.ModelVersion(child.Model, c.Providers)
	if child.Agent.Strategy == config.StrategyPlan && c.Agent.Strategy != config.StrategyPlan {
		parts["plan"] = plan.PromptVersion // under plan, it is a part of the caller's hash
	}
	raw, err := yaml.Marshal(parts) // yaml.Marshal sorts the keys
	if err != nil {
		return nil, fmt.Errorf("encode agents.%s: %w", name, err)
	}
	set.parts["agent "+name] = digest(raw)
	if own.facts.Corpus != "" {
		set.facts.Corpus, set.facts.Documents = own.facts.Corpus, own.facts.Documents
	}
	maps.Copy(set.facts.Servers, own.facts.Servers)
	for used, digest := range own.facts.Tools {
		set.facts.Tools[name+"/"+used] = digest
	}
	set.leftOut = append(set.leftOut, own.leftOut...)
	return t, nil
}

// toolsKey returns a key that is equal for equal sets of tools.
func toolsKey(c config.Configuration) (string, error) {
	parts := []any{c.Agent.Tools, c.Search, c.MCP, c.Tools, c.Faults}
	if c = c.Effective(); len(c.Agents) > 0 {
		parts = append(parts, c.Model, c.Agent, c.Agents)
	}
	raw, err := yaml.Marshal(parts)
	return string(raw), err
}

// openModel opens models for sub-agents. It is nil if the sub-agents are only described and not run.
type openModel func(spec string) (model.Model, error)

// CheckTools reports all mistakes in declared tools, all unknown tools, and all sub-agents that have the name
// of a tool. The errors are joined. Each begins with its key, as config.File.Locate needs it.
func (a *Assembler) CheckTools(c config.Configuration) error {
	wrong := a.checkDeclared(c)
	check := func(key string, tools []string) {
		for _, name := range tools {
			if err := a.checkTool(c, name); err != nil {
				wrong = append(wrong, fmt.Errorf("%s: %w", key, err))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Agents)) {
		if slices.Contains(a.ToolNames(), name) {
			wrong = append(wrong, fmt.Errorf("agents.%s: a tool has this name: choose a different one", name))
		}
		check("agents."+name+".tools", c.Agents[name].Tools)
	}
	check("agent.tools", c.Agent.Tools)
	return errors.Join(wrong...)
}

// checkTool returns an error for a name that is not a tool, a sub-agent or a tool of an MCP server.
func (a *Assembler) checkTool(c config.Configuration, name string) error {
	if server, ofServer := config.ServerOf(name); ofServer {
		if _, known := c.MCP[server]; !known {
			return unknownServer(name, c)
		}
		return nil
	}
	known := slices.Concat(a.ToolNames(), kinds.Names(c), slices.Sorted(maps.Keys(c.Agents)))
	if slices.Contains(known, name) || slices.Contains(a.CatalogNames(), name) {
		return nil
	}
	return unknownTool(name, known)
}

// openOwn opens concur's own agent, and returns the parts of its hash.
func (s *Session) openOwn(ctx context.Context, a *runner.Arm) (map[string]string, store.AgentFacts, error) {
	if s.Replays() {
		s.options.Replay.servers = s.Draft.Manifest.Agents[a.AgentHash].Servers
	}
	set, err := s.tools.open(ctx, a.Configuration.Effective()) // cot and direct have no tools
	if err != nil {
		return nil, store.AgentFacts{}, err
	}
	if err := checkFaults(a.Configuration.Effective(), set); err != nil {
		return nil, store.AgentFacts{}, err
	}
	settings := session.Settings{Config: a.Configuration.Agent, Tools: set.registry, Scans: &inject.Memo{}}
	parts, facts := agentVersions(), set.facts
	facts.Prompts = a.Configuration.Agent.Prompts.Files()
	if len(facts.Prompts) == 0 { // a resumed run has the texts in its configuration
		facts.Prompts = s.Draft.Manifest.Agents[a.AgentHash].Prompts
	}
	maps.Copy(parts, set.parts)
	if !s.Replays() {
		if err := s.a.CheckContinues(a.Configuration.Effective()); err != nil {
			return nil, facts, err
		}
	}
	if err := s.addOffer(ctx, a, &settings); err != nil {
		return nil, facts, err
	}
	if err := s.addPlaybook(ctx, a, &settings, &facts); err != nil {
		return nil, facts, err
	}
	if err := s.addMemory(ctx, a, &settings, &facts); err != nil {
		return nil, facts, err
	}
	for _, kind := range registry.Features() {
		if kind.New == nil {
			continue
		}
		if f := kind.New(a.Configuration); f != nil {
			settings.Features = append(settings.Features, f)
		}
	}
	for _, f := range settings.Features {
		maps.Copy(parts, f.Versions())
	}
	a.Agent = loopOf(settings)
	parts["model"] = s.a.ModelVersion(a.Configuration.Model, a.Configuration.Providers)
	if inline := a.Configuration.Effective().Agent; inline.Protocol == config.ProtocolInline && inline.Loops() {
		parts["assistant_prefix"] = s.a.AssistantPrefix(a.Configuration)
	}
	if !a.Configuration.Agent.Condense.IsZero() {
		parts["condense"] = session.CondenseVersion
	}
	if a.Configuration.Agent.Strategy == config.StrategyPlan {
		parts["plan"] = plan.PromptVersion
	}
	return parts, facts, nil
}

// loopOf returns the loop for the agent's strategy.
func loopOf(s session.Settings) agent.Agent {
	if s.Config.Strategy == config.StrategyPlan {
		return (*plan.Agent)(&s)
	}
	return (*react.Agent)(&s)
}

// agentVersions returns the versions of all rules and prompts that affect concur's own agent.
func agentVersions() map[string]string {
	return map[string]string{
		"prompt": session.PromptVersion, "dialect": dialect.Version, "norm": answer.Version,
		"injection": inject.Version, "citation": cite.Version,
		"planner": planner.Version, "calc": calc.Version,
		"search": search.Version, "wikipedia": wikipedia.Version, "serper": serperVersion, "baidu": baiduVersion,
	}
}

// Versions returns the versions of rules, prompts and models for a manifest. If there are several
// configurations, the key of a model's version contains the name of the configuration.
func (a *Assembler) Versions(confs ...config.Configuration) map[string]string {
	v := agentVersions()
	v["verifier"], v["pick"] = consensus.VerifierPromptVersion+" "+consensus.CanariesVersion(),
		consensus.PickPromptVersion
	v["correctness"], v["quality"] = judge.CorrectnessPromptVersion, judge.QualityPromptVersion
	v["rubric"], v["canaries"] = judge.RubricPromptVersion, judge.CanariesVersion()
	v["concur"], v["commit"] = a.build.Version, a.build.Commit
	for _, c := range confs {
		of := ""
		if len(confs) > 1 {
			of = " of " + c.Name
		}
		for i, spec := range c.CorrectnessModels() {
			role := "correctness_model"
			if i > 0 {
				role += fmt.Sprintf(" %d", i+1)
			}
			v[role+of] = a.ModelVersion(spec, c.Providers)
		}
		for _, agent := range c.SubAgents() {
			v["model "+agent+of] = a.ModelVersion(c.ModelAt(agent), c.Providers)
		}
		if !c.Extract.IsZero() { // omitted if only rules read answers, so that older runs remain comparable
			v["extraction"] = extract.PromptVersion + " " + extract.CanariesVersion()
		}
		if slices.Contains(c.Consensus.Stages, consensus.StagePick) {
			v[pickCanaries] = consensus.PickCanariesVersion()
		}
		if c.ReadsTraces() {
			v["verifier_traces"] = strings.Join([]string{consensus.TraceVerifierPromptVersion,
				consensus.TracePickPromptVersion, consensus.TraceCanariesVersion()}, " ")
		}
		if c.RubricModel() != "" {
			v[rubricCanaries] = judge.RubricCanariesVersion()
		}
		for role, spec := range map[string]string{"model": c.Model, "extractor_model": c.ExtractorModel(),
			"verifier_model": c.VerifierModel(), "quality_model": c.Judge.Quality} {
			if spec != "" {
				v[role+of] = a.ModelVersion(c.ModelOf(spec), c.Providers)
			}
		}
	}
	return v
}
