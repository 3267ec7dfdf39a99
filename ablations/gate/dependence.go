package gate

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/stats"
)

// Dependence describes how the gate reacts to dependent traces in accepted runs.
type Dependence struct {
	Strict bool   `json:"strict"` // the strict levels apply
	Spaced bool   `json:"spaced"` // late fresh traces must come from another session
	Why    string `json:"why"`    // the evidence for it; "" without any
}

// Dependent decides whether the traces of one run count as dependent on each other. It uses the accepted runs.
func (e Evidence) Dependent() (d Dependence) {
	if e.Levels != nil {
		return *e.Levels
	}
	phi := stats.Defined(0, false)
	if e.Phi != nil {
		phi = &e.Phi.P
	}
	d.Strict, d.Spaced = dependent(e.Stored, phi, e.Concordance)
	switch {
	case !d.Strict:
	case e.Concordance != nil && (phi == nil || *e.Concordance <= *phi):
		d.Why = fmt.Sprintf("traces of one accepted run agree more than chance explains (%s)", formatP(*e.Concordance))
	default:
		d.Why = fmt.Sprintf("accepted runs differ by more than their traces explain (%s)", formatP(*phi))
	}
	return d
}

// dependent reports whether the traces of a run count as dependent. It uses the number of stored runs and the
// p-values of phi and concordance (nil if unknown). strict says that the gate uses strict levels, and spaced
// that it is spaced as well.
func dependent(runs int, phi, concordance *float64) (strict, spaced bool) {
	if runs < triggerRuns {
		return false, false
	}
	least := 1.0
	for _, p := range []*float64{phi, concordance} {
		if p != nil {
			least = min(least, *p)
		}
	}
	return least <= strictP+rounding, least <= spacedP+rounding
}
