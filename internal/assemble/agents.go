package assemble

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/tool/delegate"
)

// openAgent opens a sub-agent as a tool, with its own tools and model, and adds to set what
// it rests on.
func (b *toolbox) openAgent(ctx context.Context, c config.Configuration, name string, set *toolset) (tool.Tool, error) {
	sub, child := c.Agents[name], c.Child(name)
	own, err := b.open(ctx, child)
	if err != nil {
		return nil, fmt.Errorf("agents.%s: %w", name, err)
	}
	t := delegate.Tool{
		Name: name, Tools: own.registry.Specs(), Prompt: sub.Prompt, ModelName: child.Model, Timeout: sub.Deadline(),
		Agent: loopOf(session.Settings{Config: child.Agent, Tools: own.registry, Prompt: sub.Prompt}),
	}
	if b.replay != nil { // the recording says when its time was over
		t.Timeout = 0
	}
	if b.model != nil {
		if t.Model, err = b.model(child.Model); err != nil {
			return nil, fmt.Errorf("agents.%s: %w", name, err)
		}
	}
	parts := maps.Clone(own.parts)
	parts["delegate"], parts["model"] = delegate.Version, b.a.modelVersion(child.Model, c.Providers)
	raw, err := yaml.Marshal(parts) // with its keys sorted
	if err != nil {
		return nil, fmt.Errorf("encode agents.%s: %w", name, err)
	}
	sum := sha256.Sum256(raw)
	set.parts["agent "+name] = hex.EncodeToString(sum[:])
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

// toolsKey names a set of tools by all that it is made of.
func toolsKey(c config.Configuration) (string, error) {
	parts := []any{c.Agent.Tools, c.Search, c.MCP}
	if c = c.Effective(); len(c.Agents) > 0 {
		parts = append(parts, c.Model, c.Agent, c.Agents)
	}
	raw, err := yaml.Marshal(parts)
	return string(raw), err
}

// openModel opens models for sub-agents; nil where none is asked.
type openModel func(spec string) (model.Model, error)

// checkAgents reports names in agents that are tools' too, and tools that there are not.
func (a *Assembler) checkAgents(c config.Configuration) []error {
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(c.Agents)) {
		if slices.Contains(a.ToolNames(), name) {
			wrong = append(wrong, fmt.Errorf("agents.%s: there is a tool of this name: choose another", name))
		}
		for _, used := range c.Agents[name].Tools {
			if err := a.checkTool(c, used); err != nil {
				wrong = append(wrong, fmt.Errorf("agents.%s.tools: %w", name, err))
			}
		}
	}
	return wrong
}

// checkTool reports a name that is neither a tool's nor a sub-agent's, nor of an MCP server.
func (a *Assembler) checkTool(c config.Configuration, name string) error {
	if server, ofServer := config.ServerOf(name); ofServer {
		if _, known := c.MCP[server]; !known {
			return unknownServer(name, c)
		}
		return nil
	}
	if _, agent := c.Agents[name]; agent || slices.Contains(a.ToolNames(), name) {
		return nil
	}
	return a.unknownTool(name, slices.Sorted(maps.Keys(c.Agents))...)
}
