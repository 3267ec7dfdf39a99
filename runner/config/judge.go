package config

import "slices"

// Judge names the language models that judge. "" means no judge, and "same" means the agent's model.
type Judge struct {
	Correctness string `yaml:"correctness"`
	Quality     string `yaml:"quality"`
	Threshold   int    `yaml:"threshold"` // the lowest score, 1 to 5, that passes
	// MaxTokens limits the length of a reply. 0 means 256 for correctness and 600 for quality. See also
	// Verifier.MaxTokens.
	MaxTokens int `yaml:"max_tokens,omitempty"`
	// Repeats says how often a borderline answer is judged, 1 to 9 times; 0 means 1.
	Repeats int   `yaml:"repeats,omitempty"`
	Panel   Panel `yaml:"panel,omitempty"` // decides correctness if Correctness is "panel"
	// Calibration is the file of a calibration of the correctness judge; may be "".
	Calibration string `yaml:"calibration,omitempty"`
	// Embeddings is the provider:model whose vectors decide the checks similar; "" without one.
	Embeddings string `yaml:"embeddings,omitempty"`
	// Rubric has questions about a trace, but not about its answer. The model of the quality judge answers
	// them. If there is no quality judge, the model of the correctness judge does.
	Rubric []RubricItem `yaml:"rubric,omitempty"`
}

// PanelOfJudges is the value of judge.correctness that selects the panel of judge.panel.
const PanelOfJudges = "panel"

// Panel is a group of correctness judges that decide together.
type Panel struct {
	Members []string `yaml:"members"`        // provider:model, or same; 2 to 9
	Rule    string   `yaml:"rule,omitempty"` // majority (also ""), veto or calibrated
}

// RubricItem is a yes-or-no question about a trace.
type RubricItem struct {
	ID       string  `yaml:"id"`
	Ask      string  `yaml:"ask"`
	Weight   float64 `yaml:"weight,omitempty"`   // above 0; 0 means 1
	Evidence string  `yaml:"evidence,omitempty"` // EvidenceRequired, or ""
}

// EvidenceRequired requires a quotation from the trace.
const EvidenceRequired = "required"

// CorrectnessModels returns the models that judge correctness; a panel has several. The setting "same" is
// replaced by the agent's model.
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

// RubricModel returns the model that answers the questions of the rubric. It returns "" if there is no rubric,
// or if no language model judges.
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
