package baseline

import (
	"fmt"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/stats"
)

// homogeneityLevel is shared out among both tails of all runs (methods.md §6.2).
const homogeneityLevel = .10

// Odd is a run of the pool that does not look like the others.
type Odd struct {
	Run   string
	Worse bool // than the others; else better
	// P is the mid-p of the one-sided test within items, and Level what it fell below.
	P, Level float64
	// Right of Valid traces, and the same of the other runs over the same items.
	Right, Valid, OthersRight, OthersValid int
}

// String is the warning.
func (o Odd) String() string {
	what, why := "better", "a lenient run makes false alarms"
	if o.Worse {
		what, why = "worse", "a bad run hides regressions"
	}
	return fmt.Sprintf("run %s of the pool is %s than the others: %d of %d traces right, %d of %d in the others (p %.2g, below %.2g); %s: look at it, and take it out of the baseline if something was wrong with it",
		o.Run, what, o.Right, o.Valid, o.OthersRight, o.OthersValid, o.P, o.Level, why)
}

// Odd tests every run of the pool against the others, both tails, each at .10/2R
// (methods.md §6.2), and names those that differ. Safety items, which have no part in that
// test, are left out. A pool of one run has none.
func (p Pool) Odd() []Odd {
	if len(p.Runs) < 2 {
		return nil
	}
	right, of, _ := p.counts(p.Runs)
	level := homogeneityLevel / float64(2*len(p.Runs))
	var odd []Odd
	for r, run := range p.Runs {
		o := Odd{Run: run.Run, Level: level}
		var strata []stats.Stratum
		for i, item := range p.Items {
			s := stats.Stratum{X: right[r][i], K: of[r][i]}
			s.H, s.M = item.History.Right-s.X, item.History.Scored()-s.K
			if item.Expects == answer.Refused || s.K == 0 || s.M == 0 {
				continue
			}
			strata = append(strata, s)
			o.Right, o.Valid, o.OthersRight, o.OthersValid = o.Right+s.X, o.Valid+s.K, o.OthersRight+s.H, o.OthersValid+s.M
		}
		t, ok := stats.Stratified(strata)
		switch {
		case !ok:
			continue
		case t.MidP < level:
			o.Worse, o.P = true, t.MidP
		case t.UpperMidP < level:
			o.P = t.UpperMidP
		default:
			continue
		}
		odd = append(odd, o)
	}
	return odd
}
