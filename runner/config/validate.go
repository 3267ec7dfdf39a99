package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

// Upper limits of settings; larger values would exhaust the machine.
const (
	maxCount = 10_000
	maxBytes = 64 << 20
)

// Validate reports all errors, joined. It does not check whether a model, a tool or a
// corpus exists.
func (c Configuration) Validate() error {
	var problems []error
	bad := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }

	if provider, name, ok := strings.Cut(c.Model, ":"); !ok || provider == "" || name == "" {
		bad("model %q: write provider:model, such as %s", c.Model, DefaultModel)
	}
	if c.K < 1 || c.K > maxCount {
		bad("k is %d: give 1 to %d traces per query", c.K, maxCount)
	}
	problems = append(problems, c.Limits.validate()...)
	for name, e := range c.Providers {
		if preset, known := endpoints.Lookup(name); known {
			e = e.Over(preset)
		}
		e.Name = name
		if err := e.Validate(); err != nil {
			bad("providers.%s: %w", name, err)
		}
	}
	for _, s := range []struct {
		what, got string
		known     []string
	}{
		{"agent.strategy", c.Agent.Strategy, Strategies()},
		{"agent.protocol", c.Agent.Protocol, []string{ProtocolNative, ProtocolText}},
		{"agent.on_limit", c.Agent.OnLimit, []string{OnLimitAnswer, OnLimitStop}},
		{"agent.spotlight", c.Agent.Spotlight, []string{SpotlightDelimiter, SpotlightDatamark}},
		{"consensus.quorum", cmp.Or(string(c.Consensus.Quorum), string(QuorumMajority)), []string{string(QuorumMajority), string(QuorumNone)}},
		{"pass", c.Pass, []string{PassGold, PassCorrectness, PassQuality, PassBoth, PassGoldTools}},
	} {
		if !slices.Contains(s.known, s.got) {
			bad("%s %q is not known: %s", s.what, s.got, strings.Join(s.known, ", "))
		}
	}
	problems = append(problems, c.validateStages()...)
	problems = append(problems, c.validateJudges()...)
	problems = append(problems, c.Search.validate()...)
	problems = append(problems, c.Agent.validate()...)
	problems = append(problems, c.Agent.External.validate()...)
	problems = append(problems, c.Agent.validateExternal()...)
	return errors.Join(problems...)
}

func (c Configuration) validateStages() []error {
	known := []string{StageExact, StageVerifier, StagePick, StageMajority}
	stages := c.Consensus.Stages
	if len(stages) == 0 || stages[0] != StageExact || !unique(stages) || !subset(stages, known) {
		return []error{fmt.Errorf("consensus.stages %v: exact comes first, then any of verifier, pick, majority, each once", stages)}
	}
	if i := slices.Index(stages, StageVerifier); i > 1 {
		return []error{fmt.Errorf("consensus.stages %v: the verifier changes what is counted, so it comes directly after exact", stages)}
	}
	return nil
}

func (c Configuration) validateJudges() []error {
	var problems []error
	for _, m := range []struct{ key, spec, others string }{
		{"judge.correctness", modelOrEmpty(c.Judge.Correctness), "same, or none"},
		{"judge.quality", modelOrEmpty(c.Judge.Quality), "same, or none"},
		{"verifier.model", c.Verifier.Model, "or same"},
	} {
		if provider, name, ok := strings.Cut(m.spec, ":"); m.spec != SameModel && m.spec != "" && (!ok || provider == "" || name == "") {
			problems = append(problems, fmt.Errorf("%s %q: write provider:model, %s", m.key, m.spec, m.others))
		}
	}
	if c.Verifier.Model == "" {
		problems = append(problems, errors.New("verifier.model is empty: write provider:model, or same; to do without, leave the stage verifier out"))
	}
	if t := c.Verifier.Temperature; t < 0 || t > 2 || math.IsNaN(t) {
		problems = append(problems, fmt.Errorf("verifier.temperature is %v: it must be between 0 and 2", t))
	}
	for key, n := range map[string]int{"verifier": c.Verifier.MaxTokens, "judge": c.Judge.MaxTokens} {
		if n < 0 {
			problems = append(problems, fmt.Errorf("%s.max_tokens is %d: give 0 for the default, or more", key, n))
		}
	}
	if c.Judge.Threshold < 2 || c.Judge.Threshold > 5 {
		problems = append(problems, fmt.Errorf("judge.threshold is %d: scores go from 1 to 5, and 1 would let everything pass", c.Judge.Threshold))
	}
	if (c.Pass == PassCorrectness || c.Pass == PassBoth) && modelOrEmpty(c.Judge.Correctness) == "" {
		problems = append(problems, fmt.Errorf("pass: %s needs a correctness judge: name one as judge.correctness, or with --judge", c.Pass))
	}
	if (c.Pass == PassQuality || c.Pass == PassBoth) && modelOrEmpty(c.Judge.Quality) == "" {
		problems = append(problems, fmt.Errorf("pass: %s needs a quality judge: name one as judge.quality, or with --judge", c.Pass))
	}
	return problems
}

// NoModel means no judge, and keeps an offline model from using its own. "" leaves the
// choice open.
const NoModel = "none"

func modelOrEmpty(spec string) string {
	if spec == NoModel {
		return ""
	}
	return spec
}

func (a Agent) validate() []error {
	var problems []error
	for _, limit := range []struct {
		name           string
		n, least, most int
	}{
		{"max_steps", a.MaxSteps, 1, maxCount}, {"max_tool_calls", a.MaxToolCalls, 1, maxCount}, {"max_repeats", a.MaxRepeats, 1, maxCount},
		{"max_output", a.MaxOutput, 1, maxBytes}, {"max_tool_failures", a.MaxToolFailures, 1, maxCount}, {"confidence_check", a.ConfidenceCheck, 0, maxCount},
	} {
		if limit.n < limit.least || limit.n > limit.most {
			problems = append(problems, fmt.Errorf("agent.%s is %d: give %d to %d", limit.name, limit.n, limit.least, limit.most))
		}
	}
	if a.ToolTimeout <= 0 {
		problems = append(problems, fmt.Errorf("agent.tool_timeout is %s: it must be above 0", a.ToolTimeout))
	}
	if a.Temperature < 0 || a.Temperature > 2 || math.IsNaN(a.Temperature) {
		problems = append(problems, fmt.Errorf("agent.temperature is %v: it must be between 0 and 2", a.Temperature))
	}
	if !unique(a.Tools) {
		problems = append(problems, fmt.Errorf("agent.tools %v: a tool is named twice", a.Tools))
	}
	if !unique(a.Guards) || !subset(a.Guards, Guards()) {
		problems = append(problems, fmt.Errorf("agent.guards %v: name each of %s at most once", a.Guards, strings.Join(Guards(), ", ")))
	}
	return problems
}

func unique(list []string) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(list)))) == len(list)
}

func subset(list, of []string) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !slices.Contains(of, s) })
}

func (l Limits) validate() []error {
	var problems []error
	if l.Concurrency < 0 || l.Concurrency > maxCount {
		problems = append(problems, fmt.Errorf("limits.concurrency is %d: give 1 to %d, or 0 to leave it open", l.Concurrency, maxCount))
	}
	if l.Tries < 1 || l.Tries > maxCount {
		problems = append(problems, fmt.Errorf("limits.tries is %d: give 1 for a single try, or more", l.Tries))
	}
	if l.Patience < 0 {
		problems = append(problems, fmt.Errorf("limits.patience is %s: it must not be negative", l.Patience))
	}
	if l.GiveUp < 0 {
		problems = append(problems, fmt.Errorf("limits.give_up is %s: it must not be negative", l.GiveUp))
	}
	for name, n := range map[string]float64{"rpm": float64(l.RPM), "tpm": float64(l.TPM), "usd": l.USD, "tokens": float64(l.Tokens), "confirm_usd": l.ConfirmUSD} {
		if !(n >= 0) || math.IsInf(n, 1) {
			problems = append(problems, fmt.Errorf("limits.%s is %v: give 0 for none, or more", name, n))
		}
	}
	slices.SortFunc(problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return problems
}
