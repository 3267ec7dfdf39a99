package config

import (
	"cmp"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model/endpoints"
)

// Configuration is a complete set of settings, in the form of concur.yaml. New returns the defaults; a file or
// an ablation changes single keys.
type Configuration struct {
	Name string `yaml:"-"` // DefaultName for a single run

	Model     string                        `yaml:"model"` // provider:model[?option=value], split at the first colon
	K         int                           `yaml:"k"`     // traces per query, at least 1
	Agent     Agent                         `yaml:"agent"`
	Extract   Extract                       `yaml:"extract,omitempty"`
	Extractor Extractor                     `yaml:"extractor,omitempty"` // for Extract: model
	Consensus Consensus                     `yaml:"consensus"`
	Verifier  Verifier                      `yaml:"verifier"`
	Judge     Judge                         `yaml:"judge"`
	Pass      judge.Mode                    `yaml:"pass"` // the source of the verdict that passes a query
	Search    Search                        `yaml:"search"`
	Memory    Memory                        `yaml:"memory,omitempty"`
	Tools     map[string]DeclaredTool       `yaml:"tools,omitempty"`  // tools of the user's own data, by name
	MCP       map[string]MCPServer          `yaml:"mcp,omitempty"`    // tool servers, by name
	Agents    map[string]SubAgent           `yaml:"agents,omitempty"` // those that the agent can call as tools, by name
	Faults    Faults                        `yaml:"faults,omitempty"` // failures of a tool, made on purpose
	Limits    Limits                        `yaml:"limits"`
	Providers map[string]endpoints.Endpoint `yaml:"providers"` // the user's own endpoints, or changed presets, by name
	Prices    string                        `yaml:"prices"`    // a file that overrides built-in prices; may be ""
}

// Agent holds the settings of the agent.
type Agent struct {
	Strategy     string        `yaml:"strategy"`        // react, plan, cot or direct
	Protocol     string        `yaml:"protocol"`        // native or text
	Tools        []string      `yaml:"tools"`           // offered under react; cot and direct have none
	SingleTool   bool          `yaml:"single_tool"`     // one tool call a turn; further ones are not run
	MaxSteps     int           `yaml:"max_steps"`       // limit of model turns, without the last one that has no tools
	FixedSteps   bool          `yaml:"fixed_max_steps"` // MaxSteps overrides a query's own limit
	MaxToolCalls int           `yaml:"max_tool_calls"`  // limit of executed tool calls in a trace
	MaxRepeats   int           `yaml:"max_repeats"`     // limit of executions of the same call in a trace
	MaxOutput    int           `yaml:"max_output"`      // limit of a tool's output shown to the model, in bytes
	ToolTimeout  time.Duration `yaml:"tool_timeout"`
	Temperature  float64       `yaml:"temperature"` // 0 to 2
	// MaxToolFailures is the number of tolerated failures of one tool in a trace; after one
	// more, the tool is excluded from the trace.
	MaxToolFailures int `yaml:"max_tool_failures"`
	// OnLimit applies when steps or tool calls are used up: "answer" gives one turn without tools, "stop" none.
	OnLimit string `yaml:"on_limit"`
	// ConfidenceCheck is the number of turns after which the model is asked once whether it
	// can answer already; 0 means never.
	ConfidenceCheck int      `yaml:"confidence_check"`
	Explain         Explain  `yaml:"explain,omitempty"` // when the model says first what it will do
	Spotlight       string   `yaml:"spotlight"`         // how the spotlight guard marks data: delimiter or datamark
	Guards          []string `yaml:"guards"`            // of Guards()
	Plan            Plan     `yaml:",inline"`
	// Condense rewrites a question that continues a conversation, so that it can be understood alone, instead
	// of passing the conversation on.
	Condense Condense `yaml:"condense,omitempty"`
	Prompts  Prompts  `yaml:"prompts,omitempty"`
	// Locale is the locale of the agent's texts, such as de or en-GB. It decides ambiguous number formats.
	Locale   string   `yaml:"locale,omitempty"`
	Playbook Playbook `yaml:"playbook,omitempty"` // advice from earlier runs
	External External `yaml:",inline"`
}

// Consensus sets how K answers become one: docs/consensus.md.
type Consensus struct {
	Stages []consensus.Stage `yaml:"stages"`
	Quorum consensus.Quorum  `yaml:"quorum,omitempty"`
}

// Mode is a setting that is off if it is "" or off. Off is not written, so that older hashes remain valid.
type Mode string

// IsZero reports whether it is off.
func (m Mode) IsZero() bool { return m == "" || m == "off" }

// Explain selects when the model must explain itself before it calls another tool.
type Explain = Mode

const (
	ExplainOff   Explain = "off"
	ExplainFirst Explain = "first" // on the first turn
	ExplainEvery Explain = "every" // and on every turn that follows an observation
)

// Extract is who reads the short answer in a final message. The default is not written, so that older seals remain
// valid.
type Extract string

const (
	ExtractRules Extract = "rules" // rules alone
	ExtractModel Extract = "model" // the Extractor, if the rules find no answer of the type
)

// IsZero reports whether rules read alone, which is omitted in YAML.
func (e Extract) IsZero() bool { return e == "" || e == ExtractRules }

// Extractor is the language model that reads answers. The default is not written, as that of Extract.
type Extractor struct {
	Model       string  `yaml:"model"` // provider:model, or same: the agent's; "" is same
	Temperature float64 `yaml:"temperature"`
	// MaxTokens of a reply; 0 means 256, and 600 for lists, texts and code. Otherwise as Verifier.MaxTokens.
	MaxTokens int `yaml:"max_tokens,omitempty"`
}

// IsZero reports whether it is the default, which is omitted in YAML.
func (e Extractor) IsZero() bool { return e == Extractor{} || e == Extractor{Model: SameModel} }

// ExtractorModel returns the model that reads answers, with "same" resolved; "" if only rules do.
func (c Configuration) ExtractorModel() string {
	if c.Extract.IsZero() {
		return ""
	}
	return c.ModelOf(cmp.Or(c.Extractor.Model, SameModel))
}

// Verifier is the language model of the stages verifier and pick.
type Verifier struct {
	Model       string  `yaml:"model"` // provider:model, or same: the agent's
	Temperature float64 `yaml:"temperature"`
	// MaxTokens of a reply; 0 means 256. A reasoning model gets at least 4,096. Omitted in
	// YAML if 0, so that older seals remain valid.
	MaxTokens int `yaml:"max_tokens,omitempty"`
}

// Judge names the language models that judge; "" means no judge, "same" the agent's model.
type Judge struct {
	Correctness string `yaml:"correctness"`
	Quality     string `yaml:"quality"`
	Threshold   int    `yaml:"threshold"` // the lowest score, 1 to 5, that passes
	// MaxTokens of a reply; 0 means 256 for correctness and 600 for quality. Otherwise as Verifier.MaxTokens.
	MaxTokens int `yaml:"max_tokens,omitempty"`
	// Repeats is how often a borderline answer is judged, 1 to 9; 0 is 1, never again.
	Repeats int   `yaml:"repeats,omitempty"`
	Panel   Panel `yaml:"panel,omitempty"` // decides correctness if Correctness is "panel"
	// Calibration is the file of a calibration of the correctness judge; may be "".
	Calibration string `yaml:"calibration,omitempty"`
	// Rubric are questions about the way of a trace, which the quality judge's model answers,
	// or else the correctness judge's.
	Rubric []RubricItem `yaml:"rubric,omitempty"`
}

// PanelOfJudges names the judges of judge.panel as judge.correctness.
const PanelOfJudges = "panel"

// Panel is several correctness judges that decide together.
type Panel struct {
	Members []string `yaml:"members"`        // provider:model, or same; 2 to 9
	Rule    string   `yaml:"rule,omitempty"` // majority (also ""), veto or calibrated
}

// RubricItem is a yes-or-no question about a trace.
type RubricItem struct {
	ID       string  `yaml:"id"`
	Ask      string  `yaml:"ask"`
	Weight   float64 `yaml:"weight,omitempty"`   // above 0; 0 is 1
	Evidence string  `yaml:"evidence,omitempty"` // required, or "" for none
}

// EvidenceRequired asks for a quotation from the trace.
const EvidenceRequired = "required"

// CorrectnessModels returns the models that judge correctness, with "same" resolved; several for a panel.
func (c Configuration) CorrectnessModels() []string {
	specs := []string{c.Judge.Correctness}
	if c.Judge.Correctness == PanelOfJudges {
		specs = slices.Clone(c.Judge.Panel.Members)
	}
	var out []string
	for _, spec := range specs {
		if spec = c.ModelOf(modelOrEmpty(spec)); spec != "" && !slices.Contains(out, spec) {
			out = append(out, spec)
		}
	}
	return out
}

// RubricModel returns the model that answers the questions of the rubric; "" without a rubric, or without a
// judge that could.
func (c Configuration) RubricModel() string {
	if len(c.Judge.Rubric) == 0 {
		return ""
	}
	for _, spec := range []string{c.Judge.Quality, c.Judge.Correctness} {
		if spec = c.ModelOf(modelOrEmpty(spec)); spec != "" && spec != PanelOfJudges {
			return spec
		}
	}
	return ""
}

// Limits bound a run; they do not affect the agent.
type Limits struct {
	// Concurrency limits traces in flight, and requests at one endpoint. 0 means
	// DefaultTraces, and requests to an endpoint on loopback start with a few.
	Concurrency int `yaml:"concurrency"`
	RPM         int `yaml:"rpm"` // requests a minute at one endpoint; 0 means no limit
	TPM         int `yaml:"tpm"` // tokens a minute at one endpoint; 0 means no limit
	// Tries limits how often one request is sent, Patience the sum of the waits between.
	Tries    int           `yaml:"tries"`
	Patience time.Duration `yaml:"patience"`
	// GiveUp is the longest time until an endpoint that never worked is given up; 0 means 20 s.
	GiveUp time.Duration `yaml:"give_up,omitempty"`
	// USD and Tokens are the budget of a run. A run that has spent it ends and can be resumed; 0 means no budget.
	USD    float64 `yaml:"usd"`
	Tokens int     `yaml:"tokens"`
	// TraceMB is the most that a trace may write into the run folder, in MiB; 0 means DefaultTraceMB.
	TraceMB    int     `yaml:"trace_mb,omitempty"`
	ConfirmUSD float64 `yaml:"confirm_usd"` // the estimated cost above which a run asks first; 0 means never
}

// DefaultTraces is the limit of traces in flight if Concurrency is 0.
const DefaultTraces = 32

// Traces returns the limit of traces in flight.
func (l Limits) Traces() int { return cmp.Or(l.Concurrency, DefaultTraces) }

// SameModel names the agent's model as verifier or judge.
const SameModel = "same"

// ModelOf returns the model for the name in a verifier or judge; SameModel means the agent's.
func (c Configuration) ModelOf(spec string) string {
	if spec == SameModel {
		return c.Model
	}
	return spec
}

// DefaultName is the name of a run's only configuration, under which its records and baselines have it.
const DefaultName = "default"

// DefaultModel needs no key and no network.
const DefaultModel = "offline:reader"

// New returns the defaults: docs/configuration.md.
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

// Steps returns the limit of model turns for a query. ofQuery is the query's own limit, or 0. The flag has
// precedence over the query, and the query over the configuration.
func (a Agent) Steps(ofQuery int) int {
	if ofQuery == 0 || a.FixedSteps {
		return a.MaxSteps
	}
	return ofQuery
}
