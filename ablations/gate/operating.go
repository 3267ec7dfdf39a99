package gate

// Operating is how good the gate is on given queries, simulated.
type Operating struct {
	Runs     int     `json:"runs"` // simulated, for each figure
	Seed     int64   `json:"seed"`
	Queries  int     `json:"queries"`
	K        int     `json:"k"`
	PoolRuns int     `json:"pool_runs"`
	History  History `json:"history"` // fewest and most traces of a query in the pool
	Frozen   bool    `json:"frozen"`  // half of alpha is set aside for a frozen baseline, which is not simulated
	Strict   bool    `json:"strict"`
	Alpha    float64 `json:"alpha"`
	// Mean is the mean rate of the queries that is simulated. A query that was always right
	// counts as (m+1/2)/(m+1), so that the figures are cautious.
	Mean float64 `json:"mean_rate"`
	// Unchanged is the gate on a run where nothing changed: its Found are the false alarms.
	Unchanged Found `json:"unchanged"`
	// Changes are one and two steady queries that break, whose rate is 2/3 or more, one that
	// falls to one half, one of the others that breaks, and losses over all queries.
	Changes []Scenario `json:"changes"`
	// MDE is the smallest loss over all queries, as a fraction, that is found with power
	// 0.8; nil where even a loss of everything is not.
	MDE *float64 `json:"mde"`
}

// Scenario is a change and how often the gate finds it.
type Scenario struct {
	Change
	Found
}

// Change is what happens to the queries between the pool and the run.
type Change struct {
	// Broken queries fall to the rate To: those with the numbers Items, and so many of the
	// steady ones, or of the others where Flaky is set.
	Broken int     `json:"broken"`
	Flaky  bool    `json:"flaky"`
	Items  []int   `json:"items"`
	To     float64 `json:"to"`
	// Drop is taken off the rate of every query; none falls below 0.
	Drop float64 `json:"drop"`
}

// Found is how often the gate alarms, and what that takes.
type Found struct {
	Found Estimate `json:"found"`
	// Fresh is the mean number of fresh traces per run, and FreshP95 the 95th percentile.
	Fresh    float64 `json:"fresh_traces"`
	FreshP95 int     `json:"fresh_traces_p95"`
}

// Estimate is a simulated rate with its 95 % Wilson interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}
