package config

import "cmp"

// Citations sets the score that a cited document needs. YAML omits it if it is not set, so that older hashes
// remain valid.
type Citations struct {
	// MinScore is the lowest allowed score of a cited document, above 0 and at most 1. 0 means that scores have
	// no effect. The score is that of trace.Document, which concur computes in the same way for every search.
	MinScore float64 `yaml:"min_score,omitempty"`
	Below    Below   `yaml:"below,omitempty"` // "" means reject
}

// Below selects the effect of a cited document whose score is below Citations.MinScore.
type Below string

// Values of Citations.Below.
const (
	BelowReject Below = "reject" // the answer is sent back once, and rejected if it is not corrected
	BelowWarn   Below = "warn"   // the audit has a warning
)

// IsZero reports whether nothing is set.
func (c Citations) IsZero() bool { return c == Citations{} }

// Rejects reports whether a document with a lower score than MinScore rejects the answer.
func (c Citations) Rejects() bool {
	return c.MinScore > 0 && cmp.Or(c.Below, BelowReject) == BelowReject
}

// effective clears settings without effect.
func (c Citations) effective(a Agent) Citations {
	if c.MinScore == 0 || !a.HasGuard(GuardCitation) || !a.Loops() {
		return Citations{}
	}
	c.Below = cmp.Or(c.Below, BelowReject)
	return c
}

func (c Citations) validate(p *problems) {
	p.refuse(!(c.MinScore >= 0 && c.MinScore <= 1),
		"agent.citations.min_score is %v: give a score above 0, at most 1, or 0 for no limit", c.MinScore)
	p.refuse(c.MinScore == 0 && c.Below != "",
		"agent.citations.below is %q, without min_score: give the score, such as min_score: 0.5", c.Below)
	oneOf(p, "agent.citations.below", cmp.Or(c.Below, BelowReject), BelowReject, BelowWarn)
}
