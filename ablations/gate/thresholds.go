package gate

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/stats"
)

// thresholds applies the floor, the plain thresholds and non-inferiority. None of them
// needs a history, though the chance that an unchanged system fails one does.
func (f *findings) thresholds(e Evidence, o Options, out *Outcome) {
	n, correct := e.Consensus.Queries, e.Consensus.Correct
	losses, gains, pairs := e.pairs()
	if o.Floor != nil {
		var upper *float64
		if u, ok := stats.ClopperPearsonUpper(correct, n, 0.95); ok && n > 0 {
			upper = &u
		}
		f.check(out, Check{Name: "floor", Limit: *o.Floor, Value: upper, Fails: upper != nil && *upper < *o.Floor},
			fmt.Sprintf("the pass rate is provably below the floor of %s: %d of %d", percent(*o.Floor), correct, n))
	}
	if o.MinPassRate != nil {
		need := stats.NeededSuccesses(n, *o.MinPassRate)
		f.check(out, Check{Name: "min_pass_rate", Limit: *o.MinPassRate, Value: share(correct, n), Fails: n > 0 && correct < need, Unchanged: e.chanceBelow(need)},
			fmt.Sprintf("the pass rate is below %s: %d of %d queries are correct, and %d are needed", percent(*o.MinPassRate), correct, n, need))
	}
	if o.MaxLosses != nil {
		var lost *float64
		if pairs > 0 {
			v := float64(losses)
			lost = &v
		}
		f.check(out, Check{Name: "max_losses", Limit: float64(*o.MaxLosses), Value: lost, Fails: losses > *o.MaxLosses, Unchanged: e.chanceLosing(*o.MaxLosses)},
			fmt.Sprintf("%d queries that the last accepted run had right are lost, and %d may be", losses, *o.MaxLosses))
	}
	f.atMost(out, "max_usd", "the run cost $%.4g, and $%.4g is the most", e.USD, o.MaxUSD, e.PoolUSD)
	f.atMost(out, "max_p95_s", "the 95th percentile is %.4g s per trace, and %.4g s is the most", e.P95S, o.MaxP95S, e.PoolP95S)
	if o.NonInferiority != nil {
		f.nonInferior(out, *o.NonInferiority, losses, gains, pairs)
	}
}

func (f *findings) atMost(out *Outcome, name, sentence string, value, limit *float64, pool []float64) {
	if limit == nil {
		return
	}
	c := Check{Name: name, Limit: *limit, Value: value, Fails: value != nil && *value > *limit, Unchanged: chanceAbove(*limit, pool)}
	reason := ""
	if value != nil {
		reason = fmt.Sprintf(sentence, *value, *limit)
	}
	f.check(out, c, reason)
}

// check adds a threshold. One that often fails an unchanged system is warned of.
func (f *findings) check(out *Outcome, c Check, reason string) {
	out.Checks = append(out.Checks, c)
	if c.Unchanged != nil && *c.Unchanged > out.Alpha {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%s fails an unchanged system in %s of its runs", c.Name, percent(*c.Unchanged)))
	}
	switch {
	case c.Value == nil && c.Name == "max_losses" && f.bootstrap:
		f.lack("max_losses cannot be checked: there is no accepted run to lose queries against")
	case c.Value == nil:
		f.add(Inconclusive, fmt.Sprintf("%s cannot be checked: the figure is not known; leave it out, or give what it needs (prices for dollars, an accepted run for losses)", c.Name))
	case c.Fails:
		f.add(Regression, reason)
	}
}

func (f *findings) nonInferior(out *Outcome, margin float64, losses, gains, pairs int) {
	lower, shown, ok := stats.NonInferior(pairs, losses, gains, margin, 0.95)
	out.NonInferiority = &NonInferiority{Margin: margin, Pairs: pairs, Losses: losses, Gains: gains, Lower: lower, Shown: ok && shown}
	if pairs == 0 && f.bootstrap {
		f.lack("non-inferiority cannot be shown: there is no accepted run to compare with")
		return
	}
	if !ok || !shown {
		f.add(Inconclusive, fmt.Sprintf("not shown to be worse by less than %.3g points: %d losses and %d gains over %d pairs leave %.3g possible; more queries or traces may show it", 100*margin, losses, gains, pairs, 100*lower))
	}
}

// pairs counts the queries that went one way or the other since the last accepted run, by
// the majority of their traces.
func (e Evidence) pairs() (losses, gains, pairs int) {
	for _, it := range e.Items {
		if it.Last == nil || it.Last.All() == 0 {
			continue
		}
		pairs++
		switch was, is := it.Last.Majority(), it.Current.Majority(); {
		case was && !is:
			losses++
		case is && !was:
			gains++
		}
	}
	return losses, gains, pairs
}

func share(x, n int) *float64 {
	if n == 0 {
		return nil
	}
	v := float64(x) / float64(n)
	return &v
}

func percent(rate float64) string { return fmt.Sprintf("%.3g %%", 100*rate) }
