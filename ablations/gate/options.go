package gate

import (
	"fmt"
	"math"
)

// Options say how the gate decides. The zero value is methods.md §6.2.
type Options struct {
	// Alpha bounds the chance of a false alarm, over all tests; 0.02 if 0.
	Alpha float64
	// NoConfirm has no fresh traces run. Those that are at hand count; a query that Test B
	// would have had to confirm and that has none leaves the decision open unless Test A
	// finds a loss. Without a second pass at hand Test A is not replicated.
	NoConfirm bool
	Replicate Replicate
	// Strict wants the second pass to reject by itself, also where Test B does. It is
	// switched on where the evidence says that the traces of a run are not independent.
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

// Replicate says where the second full pass comes from that an alarm of Test A alone has
// to stand.
type Replicate uint8

// The ways to replicate.
const (
	ReplicateNow   Replicate = iota // the caller runs it when Needs asks
	ReplicateGiven                  // it is another run, given by name
	ReplicateOff                    // an alarm of Test A decides
)

// DefaultAlpha is the level of methods.md §6.2.
const DefaultAlpha = 0.02

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
	if a := o.alpha(); !(a > 0 && a < 1) {
		return fmt.Errorf("check gate options: alpha is %v; it must lie between 0 and 1", o.Alpha)
	}
	if o.Replicate > ReplicateOff {
		return fmt.Errorf("check gate options: unknown way %d to replicate", o.Replicate)
	}
	if o.Strict && o.Replicate == ReplicateOff {
		return fmt.Errorf("check gate options: strict needs a second pass; allow replication, or leave strict out")
	}
	for _, r := range []struct {
		name string
		rate *float64
	}{{"floor", o.Floor}, {"min pass rate", o.MinPassRate}, {"non-inferiority margin", o.NonInferiority}} {
		if r.rate != nil && !(*r.rate >= 0 && *r.rate <= 1) {
			return fmt.Errorf("check gate options: %s is %v; it is a fraction from 0 to 1", r.name, *r.rate)
		}
	}
	for _, m := range []struct {
		name  string
		limit *float64
	}{{"max usd", o.MaxUSD}, {"max p95 seconds", o.MaxP95S}} {
		if m.limit != nil && (!(*m.limit >= 0) || math.IsInf(*m.limit, 0)) {
			return fmt.Errorf("check gate options: %s is %v; it must be 0 or more", m.name, *m.limit)
		}
	}
	if o.MaxLosses != nil && *o.MaxLosses < 0 {
		return fmt.Errorf("check gate options: max losses is %d; it must be 0 or more", *o.MaxLosses)
	}
	if o.NonInferiority != nil && queries < fewestNonInferior {
		return fmt.Errorf("check gate options: non-inferiority needs %d queries and the run has %d, on which an unchanged system would often fail to show it; leave it out", fewestNonInferior, queries)
	}
	return nil
}
