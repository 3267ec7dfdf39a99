package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

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
		{"agent.explain", cmp.Or(string(c.Agent.Explain), string(ExplainOff)), []string{string(ExplainOff), string(ExplainFirst), string(ExplainEvery)}},
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
	problems = append(problems, c.validateMCP()...)
	problems = append(problems, c.validateMemory()...)
	problems = append(problems, c.Agent.validate()...)
	problems = append(problems, c.Agent.validatePlan()...)
	problems = append(problems, c.Agent.Turns.validate()...)
	problems = append(problems, c.Agent.Prompts.validate()...)
	problems = append(problems, c.Agent.Playbook.validate()...)
	problems = append(problems, c.validateAgents()...)
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
		if m.key == "judge.correctness" && m.spec == PanelOfJudges {
			continue
		}
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
	problems = append(problems, c.validatePanel()...)
	problems = append(problems, c.validateRubric()...)
	if n := c.Judge.Repeats; n < 0 || n > maxOpinions {
		problems = append(problems, fmt.Errorf("judge.repeats is %d: give 1 to judge once, or up to %d for borderline answers; an odd number cannot tie", n, maxOpinions))
	}
	if (c.Pass == PassCorrectness || c.Pass == PassBoth) && modelOrEmpty(c.Judge.Correctness) == "" {
		problems = append(problems, fmt.Errorf("pass: %s needs a correctness judge: name one as judge.correctness, or with --judge", c.Pass))
	}
	if (c.Pass == PassQuality || c.Pass == PassBoth) && modelOrEmpty(c.Judge.Quality) == "" {
		problems = append(problems, fmt.Errorf("pass: %s needs a quality judge: name one as judge.quality, or with --judge", c.Pass))
	}
	return problems
}

// maxOpinions bounds the members of a panel, and the opinions of one judge on an answer.
const maxOpinions = 9

func (c Configuration) validatePanel() []error {
	var problems []error
	p := c.Judge.Panel
	if c.Judge.Correctness != PanelOfJudges {
		if len(p.Members) > 0 || p.Rule != "" {
			problems = append(problems, fmt.Errorf("judge.panel is given, and judge.correctness is %q: write judge.correctness: %s, or leave the panel out", c.Judge.Correctness, PanelOfJudges))
		}
		return problems
	}
	if n := len(p.Members); n < 2 || n > maxOpinions {
		problems = append(problems, fmt.Errorf("judge.panel.members are %d: name 2 to %d judges as provider:model", n, maxOpinions))
	}
	for _, spec := range p.Members {
		if provider, name, ok := strings.Cut(spec, ":"); spec != SameModel && (!ok || provider == "" || name == "") {
			problems = append(problems, fmt.Errorf("judge.panel.members: %q: write provider:model, or same", spec))
		}
	}
	if !unique(p.Members) || slices.Contains(p.Members, SameModel) && slices.Contains(p.Members, c.Model) {
		problems = append(problems, fmt.Errorf("judge.panel.members %v: a judge is named twice, and would have two votes; judge.repeats asks one judge again", p.Members))
	}
	if known := []string{"majority", "veto", "calibrated"}; p.Rule != "" && !slices.Contains(known, p.Rule) {
		problems = append(problems, fmt.Errorf("judge.panel.rule %q is not known: %s", p.Rule, strings.Join(known, ", ")))
	}
	return problems
}

func (c Configuration) validateRubric() []error {
	var problems []error
	ids := map[string]bool{}
	for i, item := range c.Judge.Rubric {
		at := fmt.Sprintf("judge.rubric[%d]", i)
		switch {
		case item.ID == "" || strings.ContainsFunc(item.ID, unicode.IsControl):
			problems = append(problems, fmt.Errorf("%s has no id of one line", at))
		case ids[item.ID]:
			problems = append(problems, fmt.Errorf("%s: the id %q is given twice", at, item.ID))
		}
		ids[item.ID] = true
		if strings.TrimSpace(item.Ask) == "" {
			problems = append(problems, fmt.Errorf("%s asks nothing: write a question about the trace that yes or no answers", at))
		}
		if w := item.Weight; !(w >= 0) || math.IsInf(w, 1) {
			problems = append(problems, fmt.Errorf("%s.weight is %v: it must be above 0", at, w))
		}
		if item.Evidence != "" && item.Evidence != EvidenceRequired {
			problems = append(problems, fmt.Errorf("%s.evidence is %q: write %s, or leave it out", at, item.Evidence, EvidenceRequired))
		}
	}
	if len(c.Judge.Rubric) > 0 && (c.RubricModel() == "" || IsOffline(c.RubricModel())) {
		problems = append(problems, errors.New("judge.rubric needs a language model that answers it: name one as judge.quality, or as judge.correctness"))
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
