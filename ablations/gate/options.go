package gate

import (
	"cmp"
	"fmt"
	"math"
)

// Options say how the gate decides. The zero value is methods.md §6.2.
type Options struct {
	// Alpha bounds the chance of a false alarm, over all tests; DefaultAlpha if 0. It lies in [LeastAlpha, 1).
	Alpha       float64
	NoFresh     string // why no fresh traces can be run, such as "--no-confirm"; "" where they can
	AnswersOnly bool   // the answers were recorded elsewhere: no fresh ones can be had
	// Strict takes the levels for traces that are not independent, as the gate does by itself
	// where the pool shows such traces.
	Strict bool

	Floor *float64 // fails a run whose pass rate is below it by its one-sided 95 % upper bound
	// NonInferiority is the margin, as a fraction, by which the run must be shown not to be
	// worse than the last accepted one. It needs 300 queries.
	NonInferiority *float64

	// Plain thresholds. An unchanged system may fail them often (methods.md §6.1).
	MinPassRate *float64
	MaxUSD      *float64
	MaxP95S     *float64 // seconds
}

// fewestNonInferior is the number of queries from which non-inferiority can be asked for:
// an unchanged system fails to show it too often below.
const fewestNonInferior = 300

func (o Options) alpha() float64 { return cmp.Or(o.Alpha, DefaultAlpha) }

// Thresholds are the limits of the run itself, by the names of their flags.
func (o *Options) Thresholds() map[string]**float64 {
	return map[string]**float64{
		"floor": &o.Floor, "min-pass-rate": &o.MinPassRate, "non-inferiority": &o.NonInferiority,
		"max-usd": &o.MaxUSD, "max-p95": &o.MaxP95S,
	}
}

// AtLeast reports whether a threshold is the least that a run has to reach.
func AtLeast(name string) bool { return name == "floor" || name == "min-pass-rate" }

// Validate reports settings that cannot hold for a dataset of so many queries.
func (o Options) Validate(queries int) error {
	if a := o.alpha(); !(a >= LeastAlpha && a < 1) {
		return fmt.Errorf("check gate options: alpha is %v; it must lie between %v and 1, such as %v", o.Alpha, LeastAlpha, DefaultAlpha)
	}
	for name, limit := range o.Thresholds() {
		most := math.MaxFloat64
		if AtLeast(name) || name == "non-inferiority" {
			most = 1
		}
		if v := *limit; v != nil && !(*v >= 0 && *v <= most) {
			return fmt.Errorf("check gate options: %s is %v; it goes from 0 to %.3g", name, *v, most)
		}
	}
	if o.NonInferiority != nil && queries < fewestNonInferior {
		return fmt.Errorf("check gate options: non-inferiority needs %d queries and the run has %d, on which an unchanged system would often fail to show it; leave it out", fewestNonInferior, queries)
	}
	return nil
}
