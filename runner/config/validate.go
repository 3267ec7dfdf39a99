package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/value"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model/endpoints"
)

// Upper limits of settings; larger values would exhaust the machine.
const (
	maxCount = 10_000
	maxBytes = 64 << 20
)

// problems collects errors in a configuration. Each error begins with the key of the wrong setting.
type problems []error

// refuse adds a problem if wrong.
func (p *problems) refuse(wrong bool, format string, args ...any) {
	if wrong {
		*p = append(*p, fmt.Errorf(format, args...))
	}
}

// oneOf adds a problem if the value is not one of the known values.
func oneOf[T ~string](p *problems, key string, got T, known ...T) {
	names := make([]string, len(known))
	for i, name := range known {
		names[i] = string(name)
	}
	p.refuse(!slices.Contains(known, got), "%s %q is not known: %s", key, got, strings.Join(names, ", "))
}

// Validate reports all errors of the configuration, joined into one. It does not check whether a model, a tool
// or a corpus exists.
func (c Configuration) Validate() error {
	var p problems
	p.refuse(!namesModel(c.Model), "model %q: write provider:model, such as %s", c.Model, likely(c.Model))
	p.refuse(c.K < 1 || c.K > maxCount, "k is %d: give 1 to %d traces per query", c.K, maxCount)
	c.Limits.validate(&p)
	c.Faults.validate(&p, c)
	for name, e := range sorted(c.Providers) {
		if preset, known := endpoints.Lookup(name); known {
			e = e.Over(preset)
		}
		e.Name = name
		err := e.Validate()
		all, several := err.(interface{ Unwrap() []error }) // each problem with its place
		p.refuse(err != nil && !several, "providers.%s: %w", name, err)
		if several {
			for _, wrong := range all.Unwrap() {
				p.refuse(true, "providers.%s: %w", name, wrong)
			}
		}
	}
	oneOf(&p, "agent.strategy", c.Agent.Strategy, Strategies()...)
	oneOf(&p, "agent.protocol", c.Agent.Protocol, Protocols()...)
	oneOf(&p, "agent.on_limit", c.Agent.OnLimit, OnLimitAnswer, OnLimitStop)
	oneOf(&p, "agent.spotlight", c.Agent.Spotlight, SpotlightDelimiter, SpotlightDatamark)
	oneOf(&p, "agent.explain", cmp.Or(c.Agent.Explain, ExplainOff), ExplainOff, ExplainFirst, ExplainEvery)
	oneOf(&p, "consensus.quorum", cmp.Or(c.Consensus.Quorum, consensus.QuorumMajority), consensus.Quorums()...)
	oneOf(&p, "extract", cmp.Or(c.Extract, ExtractRules), ExtractRules, ExtractModel)
	oneOf(&p, "pass", c.Pass, judge.Modes()...)
	oneOf(&p, "verifier.reads", cmp.Or(c.Verifier.Reads, consensus.ReadsAnswers), consensus.ReadsValues()...)
	c.Consensus.validate(&p)
	c.validateJudges(&p)
	c.Search.validate(&p, c.Tools)
	c.validateTools(&p)
	c.validateMCP(&p)
	c.validateMemory(&p)
	c.Agent.validate(&p)
	c.validateInline(&p)
	c.Agent.validatePlan(&p)
	c.Agent.validateOffer(&p)
	if _, err := value.LocaleOf(c.Agent.Locale); err != nil {
		p.refuse(true, "agent.locale: %v", err)
	}
	oneOf(&p, "agent.condense", cmp.Or(c.Agent.Condense, CondenseOff), CondenseOff, CondenseOn, CondenseAuto)
	c.Agent.Prompts.validate(&p)
	c.Agent.Playbook.validate(&p)
	c.Agent.Citations.validate(&p)
	c.validateAgents(&p)
	c.Agent.External.validate(&p)
	c.Agent.validateExternal(&p)
	c.validateKeys(&p)
	return errors.Join(p.withoutKeys()...)
}

// namesModel reports whether a text has the form provider:model.
func namesModel(spec string) bool {
	provider, name, _ := strings.Cut(spec, ":")
	return provider != "" && name != ""
}

func (c Consensus) validate(p *problems) {
	if err := consensus.CheckStages(c.Stages); err != nil {
		p.refuse(true, "consensus.%w", err)
		return
	}
	p.refuse(!slices.Contains(c.Stages, consensus.StageExact), "consensus.stages %v: exact comes first: add it", c.Stages)
}

// likely guesses which model a name without a provider means, for a hint in an error.
func likely(name string) string {
	if provider := endpoints.Guess(name); provider != "" {
		return provider + ":" + name
	}
	return DefaultModel + " or openai:gpt-4o-mini"
}

func (c Configuration) validateJudges(p *problems) {
	correctness, quality := modelOrEmpty(c.Judge.Correctness), modelOrEmpty(c.Judge.Quality)
	for _, m := range []struct{ key, spec, others string }{
		{"judge.correctness", correctness, "same, or none"},
		{"judge.quality", quality, "same, or none"},
		{"verifier.model", c.Verifier.Model, "or same"},
		{"extractor.model", c.Extractor.Model, "or same"},
		{"scorer", c.Scorer, "such as offline:ngram, or same"},
	} {
		panel := m.key == "judge.correctness" && m.spec == PanelOfJudges
		p.refuse(m.spec != SameModel && m.spec != "" && !panel && !namesModel(m.spec),
			"%s %q: write provider:model, %s", m.key, m.spec, m.others)
	}
	p.refuse(c.Verifier.Model == "",
		"verifier.model is empty: write provider:model, or same; or leave out the stage verifier")
	const within = "%s.temperature is %v: it must be between 0 and 2"
	for _, m := range []struct {
		key string
		t   float64
	}{{"verifier", c.Verifier.Temperature}, {"extractor", c.Extractor.Temperature}} {
		p.refuse(!(m.t >= 0 && m.t <= 2), within, m.key, m.t)
	}
	const least = "%s is %d: give 0 for the default, or more"
	p.refuse(c.Verifier.MaxTokens < 0, least, "verifier.max_tokens", c.Verifier.MaxTokens)
	p.refuse(c.Extractor.MaxTokens < 0, least, "extractor.max_tokens", c.Extractor.MaxTokens)
	p.refuse(c.Judge.MaxTokens < 0, least, "judge.max_tokens", c.Judge.MaxTokens)
	p.refuse(c.Judge.Threshold < judge.LeastThreshold || c.Judge.Threshold > judge.HighestScore,
		"judge.threshold is %d: give 2 to %d", c.Judge.Threshold,
		judge.HighestScore)
	p.refuse(c.Judge.Embeddings != "" && !namesModel(c.Judge.Embeddings), badEmbeddings, "judge", c.Judge.Embeddings)
	c.validatePanel(p)
	c.validateRubric(p)
	p.refuse(c.Judge.Repeats < 0 || c.Judge.Repeats > maxOpinions,
		"judge.repeats is %d: give 1 to judge once, or up to %d for borderline answers; an odd number cannot tie",
		c.Judge.Repeats, maxOpinions)
	named := map[string]string{judge.ByCorrectness: correctness, judge.ByQuality: quality}
	for _, by := range c.Pass.Judges() {
		p.refuse(named[by] == "", "pass: %s needs a %s judge: name one as judge.%s, or with --judge", c.Pass, by, by)
	}
}

// maxOpinions is the maximum number of members of a panel, and of opinions of one judge on one answer.
const maxOpinions = 9

func (c Configuration) validatePanel(p *problems) {
	members, rule := c.Judge.Panel.Members, c.Judge.Panel.Rule
	if c.Judge.Correctness != PanelOfJudges {
		p.refuse(len(members) > 0 || rule != "",
			"judge.panel is given, and judge.correctness is %q: write judge.correctness: %s, or leave the panel out",
			c.Judge.Correctness, PanelOfJudges)
		return
	}
	p.refuse(len(members) < 2 || len(members) > maxOpinions,
		"judge.panel.members are %d: name 2 to %d judges as provider:model", len(members), maxOpinions)
	for _, spec := range members {
		p.refuse(spec != SameModel && !namesModel(spec), "judge.panel.members: %q: write provider:model, or same", spec)
	}
	p.refuse(!unique(members) || slices.Contains(members, SameModel) && slices.Contains(members, c.Model),
		"judge.panel.members %v: a judge is named twice, and would have two votes; "+
			"judge.repeats asks one judge again", members)
	oneOf(p, "judge.panel.rule", cmp.Or(rule, judge.RuleMajority), judge.PanelRules()...)
}

func (c Configuration) validateRubric(p *problems) {
	ids := map[string]bool{}
	for i, item := range c.Judge.Rubric {
		at := fmt.Sprintf("judge.rubric[%d]", i)
		p.refuse(item.ID == "" || strings.ContainsFunc(item.ID, unicode.IsControl), "%s has no id of one line", at)
		p.refuse(item.ID != "" && ids[item.ID], "%s: the id %q is given twice", at, item.ID)
		ids[item.ID] = true
		p.refuse(strings.TrimSpace(item.Ask) == "",
			"%s asks nothing: write a question about the trace that yes or no answers", at)
		p.refuse(!notNegative(item.Weight), "%s.weight is %v: it must be above 0", at, item.Weight)
		p.refuse(item.Evidence != "" && item.Evidence != EvidenceRequired,
			"%s.evidence is %q: write %s, or leave it out", at, item.Evidence, EvidenceRequired)
	}
	p.refuse(len(c.Judge.Rubric) > 0 && (c.RubricModel() == "" || IsOffline(c.RubricModel())),
		"judge.rubric needs a language model that answers it: name one as judge.quality, or as judge.correctness")
}

// NoModel means that no model judges, even if the agent's model is offline. With "", Completed sets the
// default.
const NoModel = "none"

func modelOrEmpty(spec string) string {
	if spec == NoModel {
		return ""
	}
	return spec
}

func (a Agent) validate(p *problems) {
	for _, limit := range []struct {
		name           string
		n, least, most int
	}{
		{"max_steps", a.MaxSteps, 1, maxCount}, {"max_tool_calls", a.MaxToolCalls, 1, maxCount},
		{"max_repeats", a.MaxRepeats, 1, maxCount}, {"max_output", a.MaxOutput, 1, maxBytes},
		{"max_tool_failures", a.MaxToolFailures, 1, maxCount}, {"confidence_check", a.ConfidenceCheck, 0, maxCount},
	} {
		p.refuse(limit.n < limit.least || limit.n > limit.most,
			"agent.%s is %d: give %d to %d", limit.name, limit.n, limit.least, limit.most)
	}
	p.refuse(a.ToolTimeout <= 0, "agent.tool_timeout is %s: it must be above 0", a.ToolTimeout)
	p.refuse(!(a.Temperature >= 0 && a.Temperature <= 2),
		"agent.temperature is %v: it must be between 0 and 2", a.Temperature)
	p.refuse(!unique(a.Tools), "agent.tools %v: a tool is named twice", a.Tools)
	p.refuse(!eachOnce(a.Guards, Guards()),
		"agent.guards %v: name each of %s at most once", a.Guards, strings.Join(Guards(), ", "))
}

// validateInline checks the protocol inline. A text with calls has no turns of its own, so that parts of the agent
// that are turns, or that change results of earlier turns, have no place in it.
func (c Configuration) validateInline(p *problems) {
	a := c.Agent
	p.refuse(a.InlineCalls < 0 || a.InlineCalls > a.MaxToolCalls, "agent.inline_calls is %d: give 1 to %d, which is "+
		"agent.max_tool_calls, or 0 for %d", a.InlineCalls, a.MaxToolCalls, DefaultInlineCalls)
	if a.Protocol != ProtocolInline || a.External.Used() {
		return
	}
	p.refuse(a.Strategy == StrategyPlan, "agent.protocol %s has no rounds: set agent.strategy %s, or another protocol",
		ProtocolInline, StrategyReact)
	p.refuse(!c.Memory.Summaries.IsZero(), "memory.summaries has no effect on agent.protocol %s: leave it out",
		ProtocolInline)
	p.refuse(a.Offer.K > 0, "agent.offer has no effect on agent.protocol %s, which has no turns for searches: leave it "+
		"out", ProtocolInline)
}

func unique(list []string) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(list)))) == len(list)
}

// eachOnce reports whether a list has only known items, each at most once.
func eachOnce(list, known []string) bool {
	return unique(list) && !slices.ContainsFunc(list, func(s string) bool { return !slices.Contains(known, s) })
}

// notNegative reports whether n is finite and at least 0.
func notNegative(n float64) bool { return n >= 0 && n-n == 0 }

// DefaultTraceMB limits the data that a trace writes, in MiB, if TraceMB is 0.
const DefaultTraceMB = 64

// TraceBytes returns the maximum number of bytes that a trace may write into the run folder.
func (l Limits) TraceBytes() int64 { return int64(cmp.Or(l.TraceMB, DefaultTraceMB)) << 20 }

// maxTraceMB is a terabyte in MiB.
const maxTraceMB = 1 << 20

func (l Limits) validate(p *problems) {
	p.refuse(l.Concurrency < 0 || l.Concurrency > maxCount,
		"limits.concurrency is %d: give 1 to %d, or 0 to leave it open", l.Concurrency, maxCount)
	p.refuse(l.Tries < 1 || l.Tries > maxCount, "limits.tries is %d: give 1 for a single try, or more", l.Tries)
	p.refuse(l.Patience < 0, "limits.patience is %s: it must not be negative", l.Patience)
	p.refuse(l.GiveUp < 0, "limits.give_up is %s: it must not be negative", l.GiveUp)
	p.refuse(l.TraceMB < 0 || l.TraceMB > maxTraceMB,
		"limits.trace_mb is %d: give 1 to %d, or 0 for the default of %d", l.TraceMB, maxTraceMB, DefaultTraceMB)
	for _, n := range []struct {
		name  string
		value float64
	}{
		{"rpm", float64(l.RPM)}, {"tpm", float64(l.TPM)}, {"usd", l.USD}, {"tokens", float64(l.Tokens)},
		{"confirm_usd", l.ConfirmUSD},
	} {
		p.refuse(!notNegative(n.value), "limits.%s is %v: give 0 for none, or more", n.name, n.value)
	}
}
