package sizing

import (
	"fmt"
	"iter"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/runner/store"
)

// Schema is the name of the JSON form of a Plan.
const Schema = "concur/needed/v1"

// Plan states the numbers of queries and of traces per query that detect a drop with power 0.8 (docs/method.md
// §5.6).
type Plan struct {
	Schema        string `json:"schema"`
	Run           string `json:"run"` // the run that gave the rates; "" if the rates were given
	Configuration string `json:"configuration"`
	Queries       int    `json:"queries"` // queries of the run; 0 if the rates were given
	K             int    `json:"k"`
	Clustered     bool   `json:"clustered"` // changes affect whole clusters: read queries as clusters
	// Mean and Between are the mean and the standard deviation of the queries' true rates. AtMost is true if
	// the run has one trace per query. All queries are then assumed to have the same rate, and the numbers of
	// queries are upper bounds.
	Mean    float64 `json:"mean"`
	Between float64 `json:"between"`
	AtMost  bool    `json:"at_most"`
	Drop    float64 `json:"drop"` // drop in the mean of single traces
	Rows    int     `json:"rows"` // number of rows that are compared with the baseline
	Level   float64 `json:"level"`
	// USDPerTrace is the mean cost of the agent's traces in the run; nil if the model has no price.
	USDPerTrace *float64 `json:"usd_per_trace"`
	Options     []Option `json:"options"` // by K
}

// Option is one number of traces per query.
type Option struct {
	K       int      `json:"k"`
	Queries *int     `json:"queries"` // by single traces; nil if more than 100,000
	Traces  *int     `json:"traces"`  // traces of one run
	USD     *float64 `json:"usd"`     // cost of one run
	// Votes is the number of queries that a comparison of votes needs to detect the same change of the agent;
	// nil if more than 100,000.
	Votes *int `json:"votes"`
	// Cheapest marks the option with the fewest traces. Advised marks the option with the most queries, among
	// those with at most a tenth more traces.
	Cheapest bool `json:"cheapest"`
	Advised  bool `json:"advised"`
}

// Ks returns the numbers of traces that plans consider.
func Ks() []int { return []int{1, 3, 5, 7, 10} }

// Stated plans for queries whose true rates have this mean and standard deviation.
func Stated(mean, between, drop float64, rows int) (Plan, error) {
	law, ok := stats.StatedLaw(mean, between)
	if !ok {
		return Plan{}, fmt.Errorf("rates with mean %v and standard deviation %v are impossible: give a rate "+
			"between 0 and 1, and a deviation below √(rate·(1−rate))", mean, between)
	}
	p := Plan{}
	return p, p.fill(law, drop, rows)
}

// FromRun plans with the rates of one configuration of a complete run.
func FromRun(m store.Manifest, configuration string, records iter.Seq2[store.Record, error], drop float64,
	rows int) (Plan, error) {
	p := Plan{Run: m.Run, Configuration: configuration}
	var right, traces []int
	var rates stats.Values
	usd, all := 0.0, 0
	priced := true
	for r, err := range records {
		if err != nil {
			return p, fmt.Errorf("read run %s: %w", m.Run, err)
		}
		if r.Configuration != configuration {
			continue
		}
		if n := result.RightsOf(r); n.Ruled > 0 {
			right, traces = append(right, n.Right), append(traces, n.Ruled)
			rates.Add(n.Share(), r.Cluster, 1)
		}
		all += len(r.Answers)
		agent := r.Usage.Roles[store.AgentRole]
		priced = priced && agent.USD != nil
		if agent.USD != nil {
			usd += *agent.USD
		}
	}
	law, ok := stats.NewLaw(right, traces)
	if !ok {
		return p, fmt.Errorf("plan from run %s: no trace of %s has a verdict: judge the run, or give --rate", m.Run,
			configuration)
	}
	for _, c := range m.Configurations {
		if c.Name == configuration {
			p.K = c.K
		}
	}
	p.Queries, p.Clustered = len(right), rates.Together()
	if priced && usd > 0 {
		mean := usd / float64(all)
		p.USDPerTrace = &mean
	}
	return p, p.fill(law, drop, rows)
}

func (p *Plan) fill(law stats.Law, drop float64, rows int) error {
	if rows < 1 {
		return fmt.Errorf("plan for %d rows: give 1 or more", rows)
	}
	if !(drop > 0 && drop < law.Mean) {
		return fmt.Errorf("plan for a drop of %.4g points: single traces are right in %.1f %%: give a drop "+
			"between 0 and that rate", drop*100, law.Mean*100)
	}
	p.Schema, p.Mean, p.Between, p.AtMost = Schema, law.Mean, law.Between, law.AtMost
	p.Drop, p.Rows, p.Level = drop, rows, 0.05/float64(rows)
	cheapest := -1
	for i, k := range Ks() {
		o := Option{K: k}
		if n, ok := law.SingleQueries(drop, k, p.Level); ok {
			traces := n * k
			o.Queries, o.Traces = &n, &traces
			if p.USDPerTrace != nil {
				usd := *p.USDPerTrace * float64(traces)
				o.USD = &usd
			}
			if cheapest < 0 || traces < *p.Options[cheapest].Traces {
				cheapest = i
			}
		}
		if n, ok := law.VoteQueries(drop, k, p.Level); ok {
			o.Votes = &n
		}
		p.Options = append(p.Options, o)
	}
	if cheapest < 0 {
		return nil
	}
	p.Options[cheapest].Cheapest = true
	advised := cheapest
	for i, o := range p.Options {
		if o.Traces != nil && float64(*o.Traces) <= 1.1*float64(*p.Options[cheapest].Traces) &&
			*o.Queries > *p.Options[advised].Queries {
			advised = i
		}
	}
	p.Options[advised].Advised = true
	return nil
}
