package config

// Guards that a configuration can switch off. The step limit is always on.
const (
	GuardInjection = "injection" // refuses known attacks in the query, flags them in tool outputs
	GuardRepeat    = "repeat"    // MaxRepeats
	GuardCalls     = "calls"     // MaxToolCalls
	GuardFailures  = "failures"  // MaxToolFailures
	GuardCitation  = "citations" // rejects answers that their citations do not support
	GuardSpotlight = "spotlight" // marks tool outputs as data
	GuardSanitise  = "sanitise"  // cleans tool outputs
)

// Guards lists the guards; all are on by default.
func Guards() []string {
	return []string{GuardInjection, GuardRepeat, GuardCalls, GuardFailures, GuardCitation, GuardSpotlight, GuardSanitise}
}

// Strategies: a loop with tools, one model call that reasons, or one that only answers; see also
// StrategyPlan.
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

// Protocols: native tool calls, or text.
const (
	ProtocolNative = "native"
	ProtocolText   = "text"
)

// Stages of the consensus.
const (
	StageExact    = "exact"
	StageVerifier = "verifier"
	StagePick     = "pick"
	StageMajority = "majority"
)

// Values of Configuration.Pass.
const (
	PassGold        = "gold"
	PassCorrectness = "correctness"
	PassQuality     = "quality"
	PassBoth        = "both"
	PassGoldTools   = "gold+tools"
)
