package gate

import (
	"fmt"
	"math"
)

// Options say how the gate decides. The zero value is methods.md §6.2.
type Options struct {
	// Alpha bounds the chance of a false alarm, over all tests; DefaultAlpha if 0.
	Alpha float64
	// NoFresh says why no fresh traces can be run, such as "--no-confirm"; "" where they can.
	// Those that exist count; where more are needed, the decision is INCONCLUSIVE.
	NoFresh string
	// Strict takes the levels for traces that are not independent. The gate takes them by
	// itself where the pool shows such traces.
	Strict bool

	// Floor fails a run whose pass rate is provably below it: whose one-sided 95 % upper
	// bound is.
	Floor *float64
	// NonInferiority is the margin, as a fraction, by which the run must be shown not to be
	// worse than the last accepted one. It needs 300 queries.
	NonInferiority *float64

	// Plain thresholds, each reported with the chance that an unchanged system fails it.
	MinPassRate *float64
	MaxLosses   *int // queries that the last accepted run had right and this one has not
	MaxUSD      *float64
	MaxP95S     *float64 // seconds
}

// fewestNonInferior is the number of queries from which non-inferiority can be asked for:
// an unchanged system fails to show it too often below.
const fewestNonInferior = 300

func (o Options) alpha() float64 {
	if o.Alpha == 0 {
		return DefaultAlpha
	}
	return o.Alpha
}

// Validate reports settings that cannot hold for a dataset of so many queries.
func (o Options) Validate(queries int) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("check gate options: "+format, args...)
	}
	if a := o.alpha(); !(a > 0 && a < 1) {
		return fail("alpha is %v; it must lie between 0 and 1", o.Alpha)
	}
	for _, r := range []struct {
		name string
		rate *float64
	}{{"floor", o.Floor}, {"min pass rate", o.MinPassRate}, {"non-inferiority margin", o.NonInferiority}} {
		if r.rate != nil && !(*r.rate >= 0 && *r.rate <= 1) {
			return fail("%s is %v; it is a fraction from 0 to 1", r.name, *r.rate)
		}
	}
	for _, m := range []struct {
		name  string
		limit *float64
	}{{"max usd", o.MaxUSD}, {"max p95 seconds", o.MaxP95S}} {
		if m.limit != nil && (!(*m.limit >= 0) || math.IsInf(*m.limit, 0)) {
			return fail("%s is %v; it must be 0 or more", m.name, *m.limit)
		}
	}
	if o.MaxLosses != nil && *o.MaxLosses < 0 {
		return fail("max losses is %d; it must be 0 or more", *o.MaxLosses)
	}
	if o.NonInferiority != nil && queries < fewestNonInferior {
		return fail("non-inferiority needs %d queries and the run has %d, on which an unchanged system would often fail to show it; leave it out", fewestNonInferior, queries)
	}
	return nil
}
