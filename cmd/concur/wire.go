package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/agent/react"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/guard/cite"
	"github.com/seed-5817661a/concur/runner/guard/inject"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/model/offline"
	"github.com/seed-5817661a/concur/runner/model/openai"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/tool/calc"
	"github.com/seed-5817661a/concur/runner/tool/planner"
	"github.com/seed-5817661a/concur/runner/tool/search"
	"github.com/seed-5817661a/concur/runner/tool/search/wikipedia"
)

// The providers. offline needs neither key nor network; openai is any endpoint that
// speaks OpenAI's chat completions.
const (
	offlineProvider = "offline"
	openaiProvider  = "openai"
)

// modelNotes are printed beneath tables in which such a model stands.
func modelNotes() []reports.Note {
	text := offline.Footnote + " Its verifier and judges are rule-based."
	return []reports.Note{
		{ModelPrefix: offlineProvider + ":", Text: text},
		{ModelPrefix: openaiProvider + ":" + offlineProvider + ":", Text: text}, // behind concur serve
	}
}

// openModel turns provider:model[?option=value] into a model.
func openModel(spec string) (model.Model, error) {
	provider, rest, _ := strings.Cut(spec, ":")
	name, query, _ := strings.Cut(rest, "?")
	options, err := url.ParseQuery(query)
	if err != nil {
		return nil, fmt.Errorf("model %q: read options: %w", spec, err)
	}
	var m model.Model
	switch provider {
	case offlineProvider:
		m, err = openOffline(name, options)
	case openaiProvider:
		m, err = openOpenAI(name, options)
	default:
		err = fmt.Errorf("there is no provider %q; known: %s, %s", provider, offlineProvider, openaiProvider)
	}
	if err != nil {
		return nil, fmt.Errorf("model %q: %w", spec, err)
	}
	return m, nil
}

// openOpenAI takes key and address from the environment, by the names that OpenAI's own
// clients use. The timeout of a call is an option of the model's name.
func openOpenAI(name string, options url.Values) (model.Model, error) {
	o := openai.Options{Model: name, APIKey: os.Getenv("OPENAI_API_KEY"), BaseURL: os.Getenv("OPENAI_BASE_URL")}
	for key := range options {
		if key != "timeout" {
			return nil, fmt.Errorf("there is no option %q; known: timeout", key)
		}
		d, err := time.ParseDuration(options.Get(key))
		if err != nil || d <= 0 {
			return nil, fmt.Errorf("timeout %q is no duration such as 90s", options.Get(key))
		}
		o.Timeout = d
	}
	if o.APIKey == "" && o.BaseURL == "" {
		return nil, errors.New("OPENAI_API_KEY is not set: set it, or set OPENAI_BASE_URL to an endpoint that needs no key")
	}
	m, err := openai.New(o)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func openOffline(name string, options url.Values) (model.Model, error) {
	o, err := offlineOptions(options)
	if err != nil {
		return nil, err
	}
	return offline.New(name, o)
}

func offlineOptions(options url.Values) (offline.Options, error) {
	var o offline.Options
	for key := range options {
		if key != "latency" {
			return o, fmt.Errorf("there is no option %q; known: latency", key)
		}
		d, err := time.ParseDuration(options.Get(key))
		if err != nil || d < 0 {
			return o, fmt.Errorf("latency %q is no duration such as 100ms", options.Get(key))
		}
		o.Latency = d
	}
	return o, nil
}

// toolset is the registry of a configuration's tools, what it rests on, and how to give
// that back.
type toolset struct {
	registry *tool.Registry
	parts    map[string]string // versions and contents, for the agent hash
	close    func() error
}

// toolNames lists the tools that there are, in their usual order.
func toolNames() []string {
	return append([]string{planner.Name, calc.Name}, searchTools()...)
}

// openTools makes the named tools. The planner is told of the others, and of no others.
func openTools(ctx context.Context, names []string, conf config.Search) (*toolset, error) {
	searcher := newSearcher(conf)
	set := &toolset{parts: map[string]string{}, close: searcher.close}
	tools, err := makeTools(ctx, names, searcher)
	if err == nil {
		set.registry, err = tool.New(tools...)
	}
	if err != nil {
		return nil, errors.Join(err, searcher.close())
	}
	if searcher.hash != "" {
		set.parts["corpus"] = searcher.hash
	}
	raw, err := json.Marshal(set.registry.ModelSpecs())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("encode tools: %w", err), searcher.close())
	}
	sum := sha256.Sum256(raw)
	set.parts["tools"] = hex.EncodeToString(sum[:])
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

// versions are what a manifest records of the rules and prompts in force.
func versions() map[string]string {
	return map[string]string{
		"norm": answer.Version, "prompt": react.PromptVersion, "injection": inject.Version, "citation": cite.Version,
		"verifier": consensus.VerifierPromptVersion, "pick": consensus.PickPromptVersion,
		"correctness": judge.CorrectnessPromptVersion, "quality": judge.QualityPromptVersion,
		"planner": planner.Version, "search": search.Version, "calc": calc.Version, "wikipedia": wikipedia.Version,
		"concur": version, "commit": commit,
	}
}

// modelIdentity is what stands behind a model's name: the version of the offline model's
// rules, or the address of an endpoint. Neither may change without the agent's hash.
func modelIdentity(spec string) string {
	if isOffline(spec) {
		return offline.Version
	}
	if base := os.Getenv("OPENAI_BASE_URL"); base != "" {
		return base
	}
	return openai.DefaultBaseURL
}

// agentHash names the agent of a configuration with its tools.
func agentHash(c config.Configuration, set *toolset) (string, error) {
	parts := map[string]string{
		"prompt": react.PromptVersion, "injection": inject.Version, "citation": cite.Version, "norm": answer.Version, "model": modelIdentity(c.Model),
		"planner": planner.Version, "search": search.Version, "calc": calc.Version, "wikipedia": wikipedia.Version,
	}
	for k, v := range set.parts {
		parts[k] = v
	}
	return c.AgentHash(parts)
}
