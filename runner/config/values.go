package config

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/consensus"
)

// These guards can be switched off. The step limit is always on.
const (
	GuardInjection = "injection" // refuses known attacks in the query, and flags them in tool outputs
	GuardRepeat    = "repeat"    // enforces MaxRepeats
	GuardCalls     = "calls"     // enforces MaxToolCalls
	GuardFailures  = "failures"  // enforces MaxToolFailures
	GuardCitation  = "citations" // rejects answers that their citations do not support
	GuardSpotlight = "spotlight" // marks tool outputs as data
	GuardSanitise  = "sanitise"  // cleans tool outputs
)

// Guards lists the guards; all are on by default.
func Guards() []string {
	return []string{GuardInjection, GuardRepeat, GuardCalls, GuardFailures, GuardCitation, GuardSpotlight,
		GuardSanitise}
}

// These are the strategies: react, a loop with tools; cot, one model call that reasons; direct, one model call
// that only answers. See also StrategyPlan.
const (
	StrategyReact  = "react"
	StrategyCoT    = "cot"
	StrategyDirect = "direct"
)

// Strategies lists the strategies.
func Strategies() []string { return []string{StrategyReact, StrategyPlan, StrategyCoT, StrategyDirect} }

// Values of Agent.OnLimit.
const (
	OnLimitAnswer = "answer"
	OnLimitStop   = "stop"
)

// Values of Agent.Spotlight.
const (
	SpotlightDelimiter = "delimiter" // between two lines with a nonce
	SpotlightDatamark  = "datamark"  // with a mark in place of every space
)

// Protocols: native tool calls; text, with labels; or one text with calls in brackets.
const (
	ProtocolNative = "native"
	ProtocolText   = "text"
	ProtocolInline = "inline"
)

// Protocols lists the protocols.
func Protocols() []string { return []string{ProtocolNative, ProtocolText, ProtocolInline} }

// WritesCalls reports whether the agent writes its calls as text. Its requests then have no tools; the system prompt
// lists them.
func (a Agent) WritesCalls() bool { return a.Protocol == ProtocolText || a.Protocol == ProtocolInline }

// DefaultInlineCalls is the number of calls that a text may have in the paper about Toolformer (Schick et al. 2023,
// arXiv 2302.04761, section 4.2).
const DefaultInlineCalls = 1

// MostInlineCalls returns how many calls a text of the protocol inline may have.
func (a Agent) MostInlineCalls() int { return cmp.Or(a.InlineCalls, DefaultInlineCalls) }

// OfflineProvider is the provider of models that need neither a key nor a network.
const OfflineProvider = "offline"

// IsOffline reports whether a model, named as in a configuration, belongs to OfflineProvider.
func IsOffline(spec string) bool { return strings.HasPrefix(spec, OfflineProvider+":") }

// Completed sets defaults that depend on the agent's model. With an offline model, web_search searches the
// corpus, and rule-based judges judge at no cost. So every stage works without a key. With another model,
// web_search searches the web, and there are no judges. The judge "none" means no judge.
func (c Configuration) Completed() Configuration {
	for _, spec := range []*string{&c.Judge.Correctness, &c.Judge.Quality} {
		switch {
		case *spec == NoModel:
			*spec = ""
		case *spec == "" && IsOffline(c.Model):
			*spec = SameModel
		}
	}
	switch {
	case len(c.Search.Cascade) > 0:
	case IsOffline(c.Model):
		c.Search.Cascade = []string{BackendCorpus}
	default:
		c.Search.Cascade = []string{BackendSerper, BackendBaidu, BackendWikipedia}
	}
	return c
}

// VerifierModel returns the model that verifies or picks answers. It returns "" if no stage uses a model.
func (c Configuration) VerifierModel() string {
	if slices.ContainsFunc(c.Consensus.Stages, consensus.Stage.AsksModel) {
		return c.Verifier.Model
	}
	return ""
}
