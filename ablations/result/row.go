package result

import (
	"math"
	"slices"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/runner/store"
)

// row needs the minimal efforts over all configurations, and the run's seed for random draws.
func (t *tally) row(c store.Configuration, seed int64, fewest map[string]effort) Configuration {
	row := Configuration{
		Name: c.Name, Model: c.Model, K: c.K, Agent: c.Agent, Note: c.Note, Pass: c.Pass,
		ByCategory:  t.byCategory,
		Consensus:   t.consensus,
		Clustered:   t.clusters.figures(t.counts),
		Judge:       t.judges.figures(c, t.counts),
		Citations:   t.citations.figures(),
		Calls:       t.calls.figures(),
		Explain:     t.agents.explained(),
		Playbook:    t.agents.playbook.figures(),
		SubAgents:   t.agents.subAgents,
		Tasks:       t.agents.tasks,
		Labels:      t.labels.figures(t.counts),
		Reliability: t.votes.reliability(c.K, t.counts),
		Efficiency:  t.efficiency(fewest),
		Confidence:  t.confidence(),
		Traces:      t.traces, Usage: t.usage,
		Timing: Timing{CallsSent: t.sent},
	}
	if t.counts.Missing == 0 {
		row.Judged = rate(t.labels.passed, t.counts.Queries)
	}
	row.Judge.Calibration, row.Judge.Corrected = c.Calibration, calibrated(c, row.Judged, t.counts)
	row.Judge.Unread = t.judgesUnread.figures(t.usage)
	row.USDPerQuery = per(t.usage.USD, t.counts.Queries-t.counts.Missing)
	row.USDPerCorrect = per(t.usage.USD, t.counts.Correct)
	if n := float64(t.traces.Replies); n > 0 {
		f := t.traces.Format
		row.Traces.FormatRates = &FormatRates{float64(f.Errors) / n, float64(f.Repaired) / n, float64(f.Invented) / n}
	}
	row.SetCounts(t.counts)
	row.KCurve, row.NoKCurve = t.kCurve(c, seed)
	row.Consensus.Quorum = consensus.Quorum(c.Effective().Consensus.Quorum)
	row.Consensus.VerifierUnread = t.unread.figures(t.usage)
	row.Consensus.MeanAgreement = mean(t.agreements)
	slices.Sort(t.seconds)
	row.Timing.TraceP50S = quantile(t.seconds, 0.50)
	row.Timing.TraceP95S = quantile(t.seconds, 0.95)
	if len(t.seconds) > 0 {
		sum := total(t.seconds)
		row.Timing.TracesS = &sum
		all := sum + t.unread.ofSeconds + t.judgesUnread.ofSeconds
		row.Timing.VerifierUnread, row.Timing.JudgesUnread = ratio(t.unread.seconds, all), ratio(t.judgesUnread.seconds, all)
	}
	return row
}

// SetCounts gives the row its counts of queries and the rates that follow from them.
func (c *Configuration) SetCounts(n Counts) {
	c.Counts = n
	if of := float64(n.Queries); of > 0 {
		c.Bounds = &[2]float64{float64(n.Correct) / of, float64(n.Correct+n.Unscored) / of}
	}
	if r := rate(n.Correct, n.Queries); r != nil && n.Missing == 0 {
		c.PassRate, c.CI = &r.Value, &r.CI
		if n.Unscored > 0 {
			c.BoundsCI = &Interval{r.CI.Method, Level, r.CI.Low, wilson(n.Correct+n.Unscored, n.Queries).High}
		}
	}
}

// mean is nil without values. It sums in order of size: equal runs finish their queries in
// different orders, and floating-point sums depend on the order.
func mean(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	m := total(values) / float64(len(values))
	return &m
}

func total(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

// quantile is the nearest-rank quantile of sorted values: the smallest value that is at
// least as large as the share p of them. It is nil without values.
func quantile(sorted []float64, p float64) *float64 {
	if len(sorted) == 0 {
		return nil
	}
	rank := int(math.Ceil(p*float64(len(sorted)) - 1e-9))
	return &sorted[max(0, rank-1)]
}

// per is nil without a price or if n is 0.
func per(usd *float64, n int) *float64 {
	if usd == nil {
		return nil
	}
	return ratio(*usd, float64(n))
}
