package gate

import "fmt"

// SimConfig says what to simulate. The zero value is the default gate: K=3 against a pool
// of five runs.
type SimConfig struct {
	K        int // traces per query and run; 3 if 0
	PoolRuns int // 5 if 0
	// Histories are the numbers of traces that the pool has of each query, in their order;
	// K times PoolRuns of each if nil.
	Histories []int
	// Frozen are those of a frozen baseline, with which each test is at a quarter of alpha;
	// nil without one. Queries with fewer than 30 are not held against it.
	Frozen []int
	// Dependent switches strict mode on, as evidence of traces that are not independent does.
	Dependent bool
	Runs      int // simulated per figure; 10,000 if 0
	Seed      int64
	// Options of the gate. Thresholds are about consensus answers, which are not simulated:
	// they are ignored.
	Options Options
	// To is the rate that a broken query falls to; 0.05 if 0.
	To float64
	// Drops are the losses over all queries to simulate; 5 and 10 points if nil.
	Drops []float64
}

// SimConfigOf is the gate that decides on this evidence: its K, the traces that the pool has
// of each query, the frozen baseline where it is used, and strict mode where the evidence
// switches it on. Rates gives the queries that go with it. Runs and Seed are the caller's.
func SimConfigOf(e Evidence, o Options) SimConfig {
	c := SimConfig{K: e.k(), PoolRuns: e.PoolRuns, Histories: []int{}, Dependent: e.dependent() != "", Options: o}
	_, frozen := e.histories(o, &Outcome{})
	for _, h := range e.simulated() {
		c.Histories = append(c.Histories, h.history.Valid())
		if len(frozen.items) > 0 {
			c.Frozen = append(c.Frozen, e.Frozen.History[h.Query].Valid())
		}
	}
	return c
}

const (
	defaultSimK    = 3
	defaultSimRuns = 10_000
	brokenTo       = 0.05
	mostSimulated  = 3 // broken queries
)

func (c SimConfig) withDefaults() SimConfig {
	if c.K == 0 {
		c.K = defaultSimK
	}
	if c.PoolRuns == 0 {
		c.PoolRuns = DefaultPoolRuns
	}
	if c.Runs == 0 {
		c.Runs = defaultSimRuns
	}
	if c.To == 0 {
		c.To = brokenTo
	}
	if c.Drops == nil {
		c.Drops = []float64{0.05, 0.10}
	}
	o := c.Options
	c.Options = Options{Alpha: o.Alpha, NoConfirm: o.NoConfirm, Replicate: o.Replicate, Strict: o.Strict}
	return c
}

// history is how many traces the pool has of a query.
func (c SimConfig) history(query int) int {
	if c.Histories == nil {
		return c.K * c.PoolRuns
	}
	return c.Histories[query]
}

const (
	mostPerQuery = 1000 // traces of a query in a run, and runs of a pool
	mostHistory  = mostPerQuery * mostPerQuery
)

func (c SimConfig) validate(items []Rate) error {
	if len(items) == 0 {
		return fmt.Errorf("simulate gate: there are no gated queries")
	}
	for i, r := range items {
		if !(r.P >= 0 && r.P <= 1) {
			return fmt.Errorf("simulate gate: query %d has the rate %v; a rate is from 0 to 1", i, r.P)
		}
	}
	for _, d := range append([]float64{c.To}, c.Drops...) {
		if !(d >= 0 && d <= 1) {
			return fmt.Errorf("simulate gate: %v is no rate from 0 to 1", d)
		}
	}
	for _, histories := range [][]int{c.Histories, c.Frozen} {
		if histories != nil && len(histories) != len(items) {
			return fmt.Errorf("simulate gate: there are histories of %d queries, and rates of %d", len(histories), len(items))
		}
		for i, m := range histories {
			if m < 0 || m > mostHistory {
				return fmt.Errorf("simulate gate: query %d has a history of %d traces; it goes from 0 to %d", i, m, mostHistory)
			}
		}
	}
	if c.K < 1 || c.K > mostPerQuery || c.PoolRuns < 1 || c.PoolRuns > mostPerQuery {
		return fmt.Errorf("simulate gate: k is %d and the pool has %d runs; both go from 1 to %d", c.K, c.PoolRuns, mostPerQuery)
	}
	if c.Runs < 1 {
		return fmt.Errorf("simulate gate: %d runs; at least one must be simulated", c.Runs)
	}
	return c.Options.Validate(len(items))
}
