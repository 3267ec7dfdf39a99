package config

import "strings"

// Faults are failures of a tool that a run makes on purpose, to measure how an agent goes on after them:
// docs/agent.md. Without a tool no call fails, and nothing is written.
type Faults struct {
	Tool string `yaml:"tool"` // the name that models see, or * for every tool
	// Kinds of FaultKinds are drawn with equal chance; none means all.
	Kinds []string `yaml:"kinds,omitempty"`
	Rate  float64  `yaml:"rate"` // probability that a call fails, above 0, at most 1
	Seed  int64    `yaml:"seed,omitempty"`
}

// Kinds of faults.
const (
	FaultTimeout = "timeout" // the tool does not answer in time; nothing waits
	FaultError   = "error"   // the tool's server reports an error
	FaultEmpty   = "empty"   // the tool returns nothing
)

// AllTools is the tool of Faults that stands for every one.
const AllTools = "*"

// FaultKinds lists the kinds of faults.
func FaultKinds() []string { return []string{FaultTimeout, FaultError, FaultEmpty} }

// IsZero reports whether there are no faults.
func (f Faults) IsZero() bool { return f.Tool == "" && len(f.Kinds) == 0 && f.Rate == 0 && f.Seed == 0 }

// effective clears faults without effect.
func (f Faults) effective(a Agent) Faults {
	if f.Tool == "" || len(a.Tools) == 0 {
		return Faults{}
	}
	if len(f.Kinds) == 0 {
		f.Kinds = FaultKinds()
	}
	return f
}

func (f Faults) validate(p *problems, a Agent) {
	if f.IsZero() {
		return
	}
	p.refuse(f.Tool == "", "faults.tool is empty: name the tool that fails, or %q for every one", AllTools)
	p.refuse(!(f.Rate > 0 && f.Rate <= 1), "faults.rate is %v: give a probability above 0, at most 1", f.Rate)
	p.refuse(!eachOnce(f.Kinds, FaultKinds()), "faults.kinds %v: name each of %s at most once", f.Kinds,
		strings.Join(FaultKinds(), ", "))
	p.refuse(a.External.Used(), "faults: an external agent has its own tools, which concur cannot let fail: remove it")
}
