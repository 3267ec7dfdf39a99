package consensus

import (
	"cmp"
	_ "embed"
	"slices"
	"sync"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/model/asking"
)

// Reads selects the data that verifier and picker read.
type Reads string

// Values of Reads. The zero value is ReadsAnswers.
const (
	ReadsAnswers Reads = "answers" // the verifier two short answers, the picker also the final messages
	ReadsTraces  Reads = "traces"  // in addition the steps that led to each answer
)

// ReadsValues returns the values, the default first.
func ReadsValues() []Reads { return []Reads{ReadsAnswers, ReadsTraces} }

// IsZero reports whether the value is the default. YAML omits the default, so that older seals remain valid.
func (r Reads) IsZero() bool { return r == "" || r == ReadsAnswers }

// MaxSteps limits the steps of one trace that are shown to a verifier or a picker, in bytes.
const MaxSteps = 8 << 10

// Versions of the prompts that show steps. They change with every change of the prompt.
const (
	TraceVerifierPromptVersion = "equivalence-traces/v1"
	TracePickPromptVersion     = "pick-traces/v1"
)

// Names of the prompts that show steps, in prompts.yaml.
const (
	equivalenceOfTraces = "concur_equivalence_traces_v1"
	pickOfTraces        = "concur_pick_traces_v1"
)

// stepsOf returns the steps of a ballot as a block of data of at most limit bytes.
func stepsOf(label, steps string, limit int) asking.Block {
	return asking.Data(label, cmp.Or(steps, "(none recorded)"), limit)
}

//go:embed trace-canaries.yaml
var traceCanaryFile []byte

var traceCanaries = sync.OnceValue(func() (out struct {
	Version string       `yaml:"version"`
	Pairs   []canary     `yaml:"pairs"`
	Choices []pickCanary `yaml:"choices"`
}) {
	if err := strictyaml.Decode("trace-canaries.yaml", traceCanaryFile, &out); err != nil {
		panic(err) // the file is part of the program
	}
	return out
})

// TraceCanariesVersion returns the version of the additional canaries of verifiers and pickers that read traces.
func TraceCanariesVersion() string { return traceCanaries().Version }

// pairs returns the canaries of a verifier, and their version.
func (r Reads) pairs() ([]canary, string) {
	if r.IsZero() {
		return canaries().Pairs, CanariesVersion()
	}
	return slices.Concat(canaries().Pairs, traceCanaries().Pairs), CanariesVersion() + " " + TraceCanariesVersion()
}

// choices returns the canaries of a picker, and their version.
func (r Reads) choices() ([]pickCanary, string) {
	if r.IsZero() {
		return pickCanaries().Choices, PickCanariesVersion()
	}
	return slices.Concat(pickCanaries().Choices, traceCanaries().Choices),
		PickCanariesVersion() + " " + TraceCanariesVersion()
}
