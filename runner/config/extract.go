package config

import "cmp"

// Extract selects how the short answer in a final message is read. YAML omits the default, so that older seals
// stay valid.
type Extract string

const (
	ExtractRules Extract = "rules" // with rules only
	ExtractModel Extract = "model" // the Extractor, if the rules find no answer of the type
)

// IsZero reports whether only rules read answers. This is the default, which YAML omits.
func (e Extract) IsZero() bool { return e == "" || e == ExtractRules }

// Extractor is the language model that reads answers. YAML omits the default, so that older seals stay valid.
type Extractor struct {
	Model       string  `yaml:"model"` // provider:model; same or "" means the agent's model
	Temperature float64 `yaml:"temperature"`
	// MaxTokens limits the length of a reply. 0 means 256, or 600 for lists, texts and code. See also
	// Verifier.MaxTokens.
	MaxTokens int `yaml:"max_tokens,omitempty"`
}

// IsZero reports whether this is the default, which YAML omits.
func (e Extractor) IsZero() bool { return e == Extractor{} || e == Extractor{Model: SameModel} }

// ExtractorModel returns the model that reads answers. If the setting is "same", this is the agent's model. It
// returns "" if only rules read answers.
func (c Configuration) ExtractorModel() string {
	if c.Extract.IsZero() {
		return ""
	}
	return c.ModelOf(cmp.Or(c.Extractor.Model, SameModel))
}
