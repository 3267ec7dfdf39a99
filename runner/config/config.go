package config

import (
	"cmp"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model/endpoints"
)

// Configuration is a complete set of settings, as in concur.yaml. New returns the defaults; a file or an
// ablation changes some of its keys.
type Configuration struct {
	Name string `yaml:"-"` // DefaultName for a single run

	Model     string                        `yaml:"model"` // provider:model[?option=value], split at the first colon
	K         int                           `yaml:"k"`     // traces per query, at least 1
	Agent     Agent                         `yaml:"agent"`
	Extract   Extract                       `yaml:"extract,omitempty"`
	Extractor Extractor                     `yaml:"extractor,omitempty"` // used if Extract is model
	Consensus Consensus                     `yaml:"consensus"`
	Verifier  Verifier                      `yaml:"verifier"`
	Judge     Judge                         `yaml:"judge"`
	Pass      judge.Mode                    `yaml:"pass"` // which verdict passes a query
	Search    Search                        `yaml:"search"`
	Memory    Memory                        `yaml:"memory,omitempty"`
	Tools     map[string]DeclaredTool       `yaml:"tools,omitempty"`  // tools of the user's own data, by name
	MCP       map[string]MCPServer          `yaml:"mcp,omitempty"`    // tool servers, by name
	Agents    map[string]SubAgent           `yaml:"agents,omitempty"` // agents that the agent can call as tools, by name
	Faults    Faults                        `yaml:"faults,omitempty"` // artificial failures of tools
	Limits    Limits                        `yaml:"limits"`
	Providers map[string]endpoints.Endpoint `yaml:"providers"` // the user's own endpoints, or changed presets, by name
	Prices    string                        `yaml:"prices"`    // a file that overrides built-in prices; may be ""
	// Scorer gives the log-probabilities by which a report says what calls of tools were worth; "" for no such figures.
	// It changes neither the agent nor a verdict.
	Scorer string `yaml:"scorer,omitempty"`
}

// Agent has the settings of the agent.
type Agent struct {
	Strategy     string   `yaml:"strategy"`                // react, plan, cot or direct
	Protocol     string   `yaml:"protocol"`                // native, text or inline
	Tools        []string `yaml:"tools"`                   // under react and plan; cot and direct have no tools
	DatasetTools *int     `yaml:"dataset_tools,omitempty"` // see Agent.FromDataset
	Offer        Offer    `yaml:"offer,omitempty"`         // see Offer
	SingleTool   bool     `yaml:"single_tool"`             // run only the first tool call of a turn
	MaxSteps     int      `yaml:"max_steps"`               // limit of turns, without the last, which has no tools
	FixedSteps   bool     `yaml:"fixed_max_steps"`         // MaxSteps overrides a query's own limit
	MaxToolCalls int      `yaml:"max_tool_calls"`          // limit of executed tool calls in a trace
	// InlineCalls limits the calls within the text of the protocol inline; 0 means DefaultInlineCalls.
	InlineCalls int           `yaml:"inline_calls,omitempty"`
	MaxRepeats  int           `yaml:"max_repeats"` // limit of executions of the same call in a trace
	MaxOutput   int           `yaml:"max_output"`  // limit of a tool's output shown to the model, in bytes
	ToolTimeout time.Duration `yaml:"tool_timeout"`
	Temperature float64       `yaml:"temperature"` // 0 to 2
	// MaxToolFailures is the number of failures of one tool that are tolerated in a trace. After one more
	// failure, the agent cannot use the tool for the rest of the trace.
	MaxToolFailures int `yaml:"max_tool_failures"`
	// OnLimit selects what happens when steps or tool calls are used up: "answer" allows one turn without
	// tools, and "stop" ends the trace.
	OnLimit string `yaml:"on_limit"`
	// ConfidenceCheck is the number of turns after which the model is asked, once, how sure it is and whether
	// it can answer already. 0 means never.
	ConfidenceCheck int      `yaml:"confidence_check"`
	Explain         Explain  `yaml:"explain,omitempty"` // when the model must announce its next step
	Spotlight       string   `yaml:"spotlight"`         // how the spotlight guard marks data: delimiter or datamark
	Guards          []string `yaml:"guards"`            // see Guards()
	Plan            Plan     `yaml:",inline"`
	// Condense rewrites a question that continues a conversation, so that it can be understood alone. The agent
	// then gets this question instead of the conversation.
	Condense Condense `yaml:"condense,omitempty"`
	Prompts  Prompts  `yaml:"prompts,omitempty"`
	// Locale is the locale of the agent's texts, such as de or en-GB. It decides how ambiguous numbers are read.
	Locale   string   `yaml:"locale,omitempty"`
	Playbook Playbook `yaml:"playbook,omitempty"` // advice from earlier runs
	// Citations sets the score that cited documents need to pass the guard citations.
	Citations Citations `yaml:"citations,omitempty"`
	External  External  `yaml:",inline"`
}

// Consensus sets how the K answers become one decision: docs/consensus.md.
type Consensus struct {
	Stages []consensus.Stage `yaml:"stages"`
	Quorum consensus.Quorum  `yaml:"quorum,omitempty"`
}

// Mode is a setting that is off if its value is "" or "off". YAML omits it if it is off, so that older hashes
// stay valid.
type Mode string

// IsZero reports whether the setting is off.
func (m Mode) IsZero() bool { return m == "" || m == "off" }

// Explain selects the turns on which the model must explain itself before it calls another tool.
type Explain = Mode

const (
	ExplainOff   Explain = "off"
	ExplainFirst Explain = "first" // on the first turn
	ExplainEvery Explain = "every" // on the first turn, and on every turn after an observation
)

// Verifier is the language model of the stages verifier and pick.
type Verifier struct {
	Model       string  `yaml:"model"` // provider:model; same means the agent's model
	Temperature float64 `yaml:"temperature"`
	// MaxTokens limits the length of a reply; 0 means 256. A reasoning model gets at least 4,096. YAML omits 0,
	// so that older seals stay valid.
	MaxTokens int `yaml:"max_tokens,omitempty"`
	// Reads selects what the verifier reads: the answers (the default), or also the steps of the traces.
	Reads consensus.Reads `yaml:"reads,omitempty"`
}

// Limits bound a run; they do not affect the agent.
type Limits struct {
	// Concurrency limits two numbers: running traces, and concurrent requests to one endpoint. 0 means
	// DefaultTraces running traces; requests to an endpoint on loopback then begin with a few at a time.
	Concurrency int `yaml:"concurrency"`
	RPM         int `yaml:"rpm"` // requests per minute to one endpoint; 0 means no limit
	TPM         int `yaml:"tpm"` // tokens per minute to one endpoint; 0 means no limit
	// Tries limits how often one request is sent. Patience limits the total waiting time between these tries.
	Tries    int           `yaml:"tries"`
	Patience time.Duration `yaml:"patience"`
	// GiveUp is a time: if an endpoint has never worked, concur stops trying after this time. 0 means 20 s.
	GiveUp time.Duration `yaml:"give_up,omitempty"`
	// USD and Tokens are the budget of a run; 0 means no limit. When the budget is spent, the run ends. It can
	// be resumed.
	USD    float64 `yaml:"usd"`
	Tokens int     `yaml:"tokens"`
	// TraceMB limits the data that a trace writes into the run folder, in MiB; 0 means DefaultTraceMB.
	TraceMB    int     `yaml:"trace_mb,omitempty"`
	ConfirmUSD float64 `yaml:"confirm_usd"` // the estimated cost above which a run asks first; 0 means never
}

// DefaultTraces is the limit of running traces if Concurrency is 0.
const DefaultTraces = 32

// Traces returns the limit of running traces.
func (l Limits) Traces() int { return cmp.Or(l.Concurrency, DefaultTraces) }

// SameModel, as a verifier or judge, means the agent's model.
const SameModel = "same"

// ModelOf resolves the name of a verifier or judge: SameModel means the agent's model.
func (c Configuration) ModelOf(spec string) string {
	if spec == SameModel {
		return c.Model
	}
	return spec
}

// DefaultName is the name of a run's only configuration, in its records and in baselines.
const DefaultName = "default"

// DefaultModel is the default model; it needs no key and no network.
const DefaultModel = "offline:reader"

// New returns the default configuration: docs/configuration.md.
func New() Configuration {
	return Configuration{
		Name:  DefaultName,
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
		Consensus: Consensus{Stages: []consensus.Stage{
			consensus.StageExact, consensus.StageVerifier, consensus.StageMajority,
		}},
		Verifier: Verifier{Model: SameModel},
		Judge:    Judge{Threshold: judge.DefaultThreshold},
		Pass:     judge.PassGold,
		Search:   Search{Cascade: []string{}, Corpus: "offline", Vendor: VendorSerper, BaiduForm: "html"},
		Limits: Limits{Tries: 10, Patience: 2 * time.Minute, GiveUp: 20 * time.Second, TraceMB: DefaultTraceMB,
			ConfirmUSD: 5},
	}
}

// noToolsHint explains why a listed part cannot be removed.
func (a Agent) noToolsHint() string {
	if a.External.Used() {
		return ", because an external agent is switched by its agent.parts"
	}
	if a.Loops() {
		return ""
	}
	return ", because the strategy " + a.Strategy + " has no tools"
}

// HasGuard reports whether a guard is on.
func (a Agent) HasGuard(name string) bool { return slices.Contains(a.Guards, name) }

// Steps returns the limit of model turns for a query. ofQuery is the limit that the query has, or 0. If
// FixedSteps is set, it counts. Otherwise the query's limit counts, and without it MaxSteps.
func (a Agent) Steps(ofQuery int) int {
	if ofQuery == 0 || a.FixedSteps {
		return a.MaxSteps
	}
	return ofQuery
}
