package gate

// Operating is how good the gate is on given queries, simulated.
type Operating struct {
	Runs     int     `json:"runs"` // simulated, for each figure
	Seed     int64   `json:"seed"`
	Queries  int     `json:"queries"`
	K        int     `json:"k"`
	PoolRuns int     `json:"pool_runs"`
	History  History `json:"history"` // fewest and most traces of a query in the pool
	Frozen   bool    `json:"frozen"`  // a frozen baseline stands beside the pool; DRIFT counts as found
	Strict   bool    `json:"strict"`
	Alpha    float64 `json:"alpha"`
	Level    float64 `json:"level"` // of each test
	// Unchanged is the gate on a run where nothing changed: its Regression is the false
	// alarms per run. Per20 is the chance of any in 20 such runs, as if each had a pool of
	// its own.
	Unchanged Found    `json:"unchanged"`
	Per20     Estimate `json:"false_alarm_per_20"`
	// Guarded is the number of queries that Test B guards, or of all where it guards none.
	// Broken has one, two and three of them that break; Drops a loss over all queries.
	Guarded int        `json:"guarded"`
	Broken  []Scenario `json:"broken"`
	Drops   []Scenario `json:"drops"`
	// Halved is the weak spot: one query falls to one half, which its fresh traces hardly
	// tell from bad luck.
	Halved Scenario `json:"halved"`
	// MDE is the smallest drop over all queries, as a fraction, that is found with power
	// 0.8; nil where even a drop to 0 is not.
	MDE *float64 `json:"mde"`
}

// Scenario is a change and how often the gate finds it.
type Scenario struct {
	Change
	Found
}

// Change is what happens to the queries between the pool and the run.
type Change struct {
	// Broken queries fall to the rate To: those with the numbers Items, or so many drawn
	// among the queries whose rate is two thirds or more.
	Broken int     `json:"broken"`
	Items  []int   `json:"items"`
	To     float64 `json:"to"`
	// Drop is taken off the rate of every query; none falls below 0.
	Drop float64 `json:"drop"`
}

// Found is how often the gate decides what.
type Found struct {
	Regression   Estimate `json:"regression"`
	Inconclusive Estimate `json:"inconclusive"`
	// Fresh is the mean number of fresh traces per run, a second full pass included.
	Fresh float64 `json:"fresh_traces"`
}

// Estimate is a simulated rate with its 95 % Wilson interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}
