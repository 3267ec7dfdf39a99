package config

import (
	"cmp"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

// Configuration is a complete setting, in the shape of concur.yaml. New gives the
// defaults; a file or an ablation changes them key by key.
type Configuration struct {
	Name string `yaml:"-"` // "default" for a single run

	// Model is provider:model[?option=value], split at the first colon.
	Model     string    `yaml:"model"`
	K         int       `yaml:"k"` // traces per query, at least 1
	Agent     Agent     `yaml:"agent"`
	Consensus Consensus `yaml:"consensus"`
	Verifier  Verifier  `yaml:"verifier"`
	Judge     Judge     `yaml:"judge"`
	// Pass names what decides that a query passes: gold, correctness, quality or both
	// (correctness and quality).
	Pass   string `yaml:"pass"`
	Search Search `yaml:"search"`
	Limits Limits `yaml:"limits"`
	// Providers are endpoints of one's own, or presets with other settings, by name.
	Providers map[string]endpoints.Endpoint `yaml:"providers"`
	// Prices is a file of prices that stand over the built-in ones; "" is none.
	Prices string `yaml:"prices"`
}

// Agent is the part of a configuration that reaches the agent.
type Agent struct {
	Strategy     string        `yaml:"strategy"`        // react, cot or direct
	Protocol     string        `yaml:"protocol"`        // native or text
	Tools        []string      `yaml:"tools"`           // offered under react; cot and direct have none
	SingleTool   bool          `yaml:"single_tool"`     // one tool call a turn; further ones of the turn are not run
	MaxSteps     int           `yaml:"max_steps"`       // model turns at most, one more without tools aside
	FixedSteps   bool          `yaml:"fixed_max_steps"` // MaxSteps stands even where a query names its own
	MaxToolCalls int           `yaml:"max_tool_calls"`  // executed tool calls of a trace at most
	MaxRepeats   int           `yaml:"max_repeats"`     // times that one same call is executed in a trace at most
	MaxOutput    int           `yaml:"max_output"`      // bytes of a tool's output that the model is shown at most
	ToolTimeout  time.Duration `yaml:"tool_timeout"`
	Temperature  float64       `yaml:"temperature"` // 0 to 2
	// MaxToolFailures is how often one tool may fail in a trace; with one failure more it is
	// taken out for the rest of the trace.
	MaxToolFailures int `yaml:"max_tool_failures"`
	// OnLimit is what follows when steps or tool calls are used up: answer is one turn
	// without tools, stop is none.
	OnLimit string `yaml:"on_limit"`
	// ConfidenceCheck is the number of turns after which the model is asked once whether it
	// can answer already; 0 is never.
	ConfidenceCheck int      `yaml:"confidence_check"`
	Spotlight       string   `yaml:"spotlight"` // how the guard of that name marks data: delimiter or datamark
	Guards          []string `yaml:"guards"`    // of Guards()
}

// Consensus says how K answers become one (DESIGN.md §3.6).
type Consensus struct {
	Stages []string `yaml:"stages"`
	Quorum Quorum   `yaml:"quorum,omitempty"`
}

// Quorum says what a majority is of: the K traces, or those of them that voted. The
// default is left out of what is written, so that hashes and seals from before there was
// a choice stay.
type Quorum string

// The quorums.
const (
	QuorumMajority Quorum = "majority"
	QuorumNone     Quorum = "none"
)

// IsZero reports whether the quorum is the default, as an older manifest leaves it.
func (q Quorum) IsZero() bool { return q == "" || q == QuorumMajority }

// Verifier is the language model that says which answers mean the same, and that picks
// where the stage pick asks it to.
type Verifier struct {
	Model       string  `yaml:"model"` // provider:model, or same: the agent's
	Temperature float64 `yaml:"temperature"`
	// MaxTokens of a reply; 0 is 256. A model that reasons gets 4,096 where that is more.
	// Left out of what is written where it is 0, so that older seals stay.
	MaxTokens int `yaml:"max_tokens,omitempty"`
}

// Judge names the language models that judge; "" is none. same is the agent's model.
type Judge struct {
	Correctness string `yaml:"correctness"`
	Quality     string `yaml:"quality"`
	// Threshold is the score, 1 to 5, from which an answer passes.
	Threshold int `yaml:"threshold"`
	// MaxTokens of a reply; 0 is 256 for correctness and 600 for quality. Otherwise as
	// Verifier.MaxTokens.
	MaxTokens int `yaml:"max_tokens,omitempty"`
}

// Limits bound a run; they never reach the agent.
type Limits struct {
	// Concurrency is how many traces are in flight at most, and requests at one endpoint. 0
	// leaves it open: DefaultTraces, and at an endpoint on loopback requests begin with a few.
	Concurrency int `yaml:"concurrency"`
	// RPM and TPM bound the requests and the tokens that go to one endpoint in a minute;
	// 0 is no bound.
	RPM int `yaml:"rpm"`
	TPM int `yaml:"tpm"`
	// Tries bounds how often one request is sent, and Patience the waits in between, in sum.
	Tries    int           `yaml:"tries"`
	Patience time.Duration `yaml:"patience"`
	// GiveUp is when an endpoint that never worked is given up at the latest; 0 is 20 s, as
	// older manifests leave it.
	GiveUp time.Duration `yaml:"give_up,omitempty"`
	// USD and Tokens are the budget of a run, which ends it, to be resumed; 0 is none.
	USD    float64 `yaml:"usd"`
	Tokens int     `yaml:"tokens"`
	// ConfirmUSD is the estimated cost above which a run asks first; 0 never asks.
	ConfirmUSD float64 `yaml:"confirm_usd"`
}

// DefaultTraces are in flight where the concurrency is left open.
const DefaultTraces = 32

// Traces is how many are in flight at most.
func (l Limits) Traces() int { return cmp.Or(l.Concurrency, DefaultTraces) }

// The guards that a configuration can take away. The step limit always stays.
const (
	GuardInjection = "injection" // refuses known attacks in the query, and flags them in what tools return
	GuardRepeat    = "repeat"    // MaxRepeats
	GuardCalls     = "calls"     // MaxToolCalls
	GuardFailures  = "failures"  // MaxToolFailures
	GuardCitation  = "citations" // rejects answers that their citations do not bear out
	GuardSpotlight = "spotlight" // marks what tools return as data
	GuardSanitise  = "sanitise"  // defuses what tools return
)

// Guards lists the guards that are there, all on by default.
func Guards() []string {
	return []string{GuardInjection, GuardRepeat, GuardCalls, GuardFailures, GuardCitation, GuardSpotlight, GuardSanitise}
}

// The strategies: a loop over tools, or one model call that reasons, or only answers.
const (
	StrategyReact  = "react"
	StrategyCoT    = "cot"
	StrategyDirect = "direct"
)

// Strategies lists the strategies.
func Strategies() []string { return []string{StrategyReact, StrategyCoT, StrategyDirect} }

// What follows a limit.
const (
	OnLimitAnswer = "answer"
	OnLimitStop   = "stop"
)

// How data is marked.
const (
	SpotlightDelimiter = "delimiter" // between two lines with a nonce
	SpotlightDatamark  = "datamark"  // with a mark in place of every space
)

// The protocols: a provider's own tool calls, or everything as text.
const (
	ProtocolNative = "native"
	ProtocolText   = "text"
)

// Stages that consensus knows.
const (
	StageExact    = "exact"
	StageVerifier = "verifier"
	StagePick     = "pick"
	StageMajority = "majority"
)

// What can decide that a query passes.
const (
	PassGold        = "gold"
	PassCorrectness = "correctness"
	PassQuality     = "quality"
	PassBoth        = "both"
)

// SameModel stands for the agent's model where a verifier or judge is named.
const SameModel = "same"

// DefaultModel needs no key and no network.
const DefaultModel = "offline:reader"

// New returns the defaults of DESIGN.md §5.
func New() Configuration {
	return Configuration{
		Name:  "default",
		Model: DefaultModel,
		K:     3,
		Agent: Agent{
			Strategy: StrategyReact, Protocol: ProtocolNative,
			Tools:    []string{"planner", "web_search", "calc"},
			MaxSteps: 10, MaxToolCalls: 8, MaxRepeats: 2, MaxOutput: 16 << 10,
			ToolTimeout:     30 * time.Second,
			Temperature:     0.7,
			MaxToolFailures: 3,
			OnLimit:         OnLimitAnswer,
			Spotlight:       SpotlightDelimiter,
			Guards:          Guards(),
		},
		Consensus: Consensus{Stages: []string{StageExact, StageVerifier, StageMajority}},
		Verifier:  Verifier{Model: SameModel},
		Judge:     Judge{Threshold: 4},
		Pass:      PassGold,
		Search:    Search{Cascade: []string{}, Corpus: "offline", Vendor: VendorSerper, BaiduForm: "html"},
		Limits:    Limits{Tries: 10, Patience: 2 * time.Minute, GiveUp: 20 * time.Second, ConfirmUSD: 5},
	}
}

// whyLess says why there may be less to take away than is written.
func (a Agent) whyLess() string {
	if a.loops() {
		return ""
	}
	return ", since the strategy " + a.Strategy + " has no tools"
}

// HasGuard reports whether a guard is on.
func (a Agent) HasGuard(name string) bool { return slices.Contains(a.Guards, name) }
