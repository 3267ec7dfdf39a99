package gate

import (
	"fmt"
	"slices"
	"time"
)

// Asked is what the gate said once of a run and a configuration.
type Asked struct {
	Decision  Decision `json:"decision"`
	Bootstrap bool     `json:"bootstrap"` // Outcome.Bootstrap
	// Alpha is the level it was asked at; 0 for DefaultAlpha.
	Alpha     float64 `json:"alpha"`
	NoConfirm bool    `json:"no_confirm"`
	Replicate string  `json:"replicate"` // now, off, or the run that was named; "" for now
	Baseline  string  `json:"baseline"`  // the file
	PoolRuns  int     `json:"pool_runs"` // that were asked for; 0 for DefaultPoolRuns
	// Firm tells of an alarm that no second pass had to bear out: fresh traces of a query did,
	// or a safety query or a threshold failed.
	Firm bool      `json:"firm"`
	At   time.Time `json:"at"`
}

// ReplicatedOff is Asked.Replicate where an alarm was not to be replicated.
const ReplicatedOff = "off"

// Firm tells whether an alarm stands without a second pass.
func (out Outcome) Firm() bool {
	for _, c := range []*Comparison{out.Rolling, out.Frozen} {
		if c != nil && c.Screen.Rejects {
			return true
		}
	}
	return slices.ContainsFunc(out.Safety, func(s SafetyItem) bool { return s.Failed > 0 }) ||
		slices.ContainsFunc(out.Checks, func(c Check) bool { return c.Fails })
}

// fullPool reports whether the run was held against as many runs as a gate takes by itself.
func (a Asked) fullPool() bool { return a.PoolRuns == 0 || a.PoolRuns >= DefaultPoolRuns }

func (a Asked) alpha() float64 { return Options{Alpha: a.Alpha}.alpha() }

func (a Asked) alarm() bool { return a.Decision == Regression || a.Decision == Drift }

// provisional reports whether more evidence could have told otherwise: what was open, and an
// alarm that no fresh traces had to bear out.
func (a Asked) provisional() bool {
	return !a.alarm() || !a.Firm && (a.NoConfirm || a.Replicate == ReplicatedOff)
}

// clears reports whether the decision takes the place of an earlier one: a PASS with all
// evidence, where the earlier one was without. To ask again without fresh traces, against
// fewer runs, or with an alpha below the default (for an alarm, below that of the alarm), is
// to ask for less. An alarm that stood its fresh traces is cleared by a person alone.
func (a Asked) clears(earlier Asked) bool {
	least := min(DefaultAlpha, earlier.alpha())
	if earlier.alarm() {
		least = earlier.alpha()
	}
	return a.Decision == Pass && !a.NoConfirm && a.fullPool() && a.alpha() >= least && earlier.provisional()
}

// severity orders what keeps a run out; 0 lets it in.
func (a Asked) severity() int {
	switch {
	case a.Decision == Regression:
		return 4
	case a.Decision == Drift:
		return 3
	case a.Decision == Pass || a.Decision == Inconclusive && a.Bootstrap && a.fullPool():
		return 0
	case a.Decision == Inconclusive:
		return 1
	}
	return 2 // INVALID, and what is no decision
}

// unclearedOf is the most severe of what was said and not cleared since, the last of its kind.
func unclearedOf(said []Asked) (worst Asked, ok bool) {
	for i, a := range said {
		cleared := false
		for _, later := range said[i+1:] {
			cleared = cleared || later.clears(a)
		}
		if !cleared && (!ok || a.severity() >= worst.severity()) {
			worst, ok = a, true
		}
	}
	return worst, ok
}

// admits refuses a candidate that the gate did not pass, where nobody took it on them.
func (c Candidate) admits() error {
	var last *Decision
	if c.Decision != "" {
		last = &c.Decision
	}
	if err := last.admits(c.Override); err != nil || c.Override != nil {
		return err
	}
	said := c.Decisions
	if len(said) == 0 && last != nil {
		said = []Asked{{Decision: c.Decision}}
	}
	worst, ok := unclearedOf(said)
	if !ok || worst.severity() == 0 {
		return nil
	}
	if worst.Decision == Inconclusive {
		return fmt.Errorf("its gate said INCONCLUSIVE%s, and not for lack of history alone: do what gate.json says is open and ask the gate again, or give the reason why the run is sound", worst.when())
	}
	if err := (&worst.Decision).admits(nil); err != nil {
		return fmt.Errorf("%w%s", err, earlier(worst, c.Decision))
	}
	return nil
}

// earlier explains a decision that is not the last one.
func earlier(a Asked, last Decision) string {
	if a.Decision == last || last == "" {
		return ""
	}
	return fmt.Sprintf(" (said%s at alpha %.3g; that it said %s when it was asked again does not clear that)", a.when(), a.alpha(), last)
}

func (a Asked) when() string {
	if a.At.IsZero() {
		return ""
	}
	return " on " + a.At.UTC().Format("2006-01-02 15:04")
}
