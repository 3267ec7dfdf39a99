package config

import "cmp"

// Citations sets the minimum score of a cited document. If it is not set, YAML omits it, so that older hashes
// stay valid.
type Citations struct {
	// MinScore is the lowest allowed score of a cited document, above 0 and at most 1. With 0, scores have no
	// effect. The score is Score of trace.Document, which concur computes in the same way for every search.
	MinScore float64 `yaml:"min_score,omitempty"`
	Below    Below   `yaml:"below,omitempty"` // "" means reject
}

// Below selects what happens if a cited document has a score below Citations.MinScore.
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
