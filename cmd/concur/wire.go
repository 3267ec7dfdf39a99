package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/agent/react"
	"github.com/seed-5817661a/concur/runner/agent/react/dialect"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/guard/cite"
	"github.com/seed-5817661a/concur/runner/guard/inject"
	lapsing "github.com/seed-5817661a/concur/runner/model/lapse"
	"github.com/seed-5817661a/concur/runner/model/offline"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/tool/calc"
	"github.com/seed-5817661a/concur/runner/tool/planner"
	"github.com/seed-5817661a/concur/runner/tool/search"
	"github.com/seed-5817661a/concur/runner/tool/search/baidu"
	"github.com/seed-5817661a/concur/runner/tool/search/serper"
	"github.com/seed-5817661a/concur/runner/tool/search/wikipedia"
)

// modelNotes are printed beneath tables in which such a model stands.
func modelNotes() []reports.Note {
	text := offline.Footnote + " Its verifier and judges are rule-based; its quality judge grades form only."
	return []reports.Note{
		{ModelPrefix: offlineProvider + ":" + offline.Reader + "?lapse=", Text: text + " " + lapsing.Footnote, FormOnly: true},
		{ModelPrefix: offlineProvider + ":", Text: text, FormOnly: true},
		{ModelPrefix: "openai:" + offlineProvider + ":", Text: text, FormOnly: true}, // behind concur serve
	}
}

// toolset is the registry of a configuration's tools, what it rests on, and how to give
// that back.
type toolset struct {
	registry *tool.Registry
	parts    map[string]string // versions and contents, for the agent hash
	facts    store.AgentFacts  // for the manifest
	close    func()
}

// toolNames lists the tools that there are, in their usual order.
func toolNames() []string {
	return append([]string{planner.Name, calc.Name}, searchTools()...)
}

// openTools makes the named tools, as recorded where there is a recording. The planner is told of the others, and of no others.
func openTools(ctx context.Context, names []string, conf config.Search, o *opened, recorded *replaying) (*toolset, error) {
	searcher := newSearcher(conf, &o.corpora)
	searcher.recorded, searcher.note = recorded, o.note
	set := &toolset{parts: map[string]string{}, close: searcher.close}
	tools, err := makeTools(ctx, names, searcher)
	for i := range tools {
		if o.search != nil && recorded == nil {
			tools[i] = o.search.Watch(tools[i])
		}
		if recorded != nil {
			tools[i] = recorded.wrap(tools[i])
		}
	}
	if err == nil {
		set.registry, err = tool.New(tools...)
	}
	if err != nil {
		searcher.close()
		return nil, err
	}
	if searcher.hash != "" {
		set.parts["corpus"] = searcher.hash
		set.facts.Corpus, set.facts.Documents = searcher.hash, searcher.documents
	}
	if searcher.reach != nil { // a key that is missing makes another agent
		set.parts["backends"] = strings.Join(searcher.reach, " ")
	}
	raw, err := json.Marshal(set.registry.ModelSpecs())
	if err != nil {
		searcher.close()
		return nil, fmt.Errorf("encode tools: %w", err)
	}
	sum := sha256.Sum256(raw)
	set.parts["tools"] = hex.EncodeToString(sum[:])
	set.facts.Tools = map[string]string{}
	for _, spec := range set.registry.Specs() {
		digest := sha256.Sum256(fmt.Appendf(nil, "%q %s", spec.Description, spec.Parameters))
		set.facts.Tools[spec.Name] = hex.EncodeToString(digest[:8])
	}
	return set, nil
}

func makeTools(ctx context.Context, names []string, s *searcher) ([]tool.Tool, error) {
	var tools []tool.Tool
	plannerAt := -1
	for i, name := range names {
		switch {
		case name == calc.Name:
			tools = append(tools, calc.Tool{})
		case name == planner.Name:
			plannerAt = i
			tools = append(tools, planner.Tool{})
		case slices.Contains(searchTools(), name):
			t, err := s.tool(ctx, name)
			if err != nil {
				return nil, err
			}
			tools = append(tools, t)
		default:
			return nil, fmt.Errorf("there is no tool %q; known: %s", name, strings.Join(toolNames(), ", "))
		}
	}
	if plannerAt >= 0 {
		others := slices.Delete(slices.Clone(tools), plannerAt, plannerAt+1)
		specs := make([]tool.Spec, len(others))
		for i, t := range others {
			specs[i] = t.Spec()
		}
		tools[plannerAt] = planner.Tool{Others: specs}
	}
	return tools, nil
}

// agentVersions are those of all rules and prompts that can reach the agent.
func agentVersions() map[string]string {
	return map[string]string{
		"prompt": react.PromptVersion, "dialect": dialect.Version, "norm": answer.Version, "injection": inject.Version, "citation": cite.Version,
		"planner": planner.Version, "calc": calc.Version,
		"search": search.Version, "wikipedia": wikipedia.Version, "serper": serper.Version, "baidu": baidu.Version,
	}
}

// versions are what a manifest records of the rules and prompts in force.
func versions() map[string]string {
	v := agentVersions()
	for name, version := range map[string]string{
		"verifier": consensus.VerifierPromptVersion, "pick": consensus.PickPromptVersion,
		"correctness": judge.CorrectnessPromptVersion, "quality": judge.QualityPromptVersion,
		"concur": version, "commit": commit,
	} {
		v[name] = version
	}
	return v
}

// agentHash names the agent of a configuration with its tools.
func agentHash(c config.Configuration, set *toolset) (string, error) {
	parts := agentVersions()
	parts["model"] = modelIdentity(c.Model, c.Providers)
	for k, v := range set.parts {
		parts[k] = v
	}
	return c.AgentHash(parts)
}
