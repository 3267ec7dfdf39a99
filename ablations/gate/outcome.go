package gate

// Decision is what the gate says.
type Decision string

// The decisions.
const (
	Pass         Decision = "PASS"
	Regression   Decision = "REGRESSION"
	Drift        Decision = "DRIFT"        // worse than the frozen baseline, not than the pool
	Inconclusive Decision = "INCONCLUSIVE" // more traces, verdicts or history are wanted
	Invalid      Decision = "INVALID"      // the run is no evidence
)

// ExitCode is that of DESIGN.md §4.
func (d Decision) ExitCode() int {
	switch d {
	case Pass:
		return 0
	case Regression, Drift:
		return 1
	case Inconclusive:
		return 4
	}
	return 3
}

// weight orders the findings on a valid run: what is proven stands before what is open.
func (d Decision) weight() int {
	switch d {
	case Regression:
		return 3
	case Drift:
		return 2
	case Inconclusive:
		return 1
	}
	return 0
}

// Outcome is the decision with all that has to be printed beside it (methods.md §6.2).
// Where traces have no verdict, the figures are those at worst, and those at best for a
// REGRESSION: of the side that had to be convinced.
type Outcome struct {
	Decision Decision `json:"decision"`
	// Reasons are sentences, what decided first. Warnings decide nothing.
	Reasons  []string `json:"reasons"`
	Warnings []string `json:"warnings"`
	// Bootstrap tells that an INCONCLUSIVE is for lack of history alone: nothing else is
	// open, and accepting runs is what helps.
	Bootstrap bool `json:"bootstrap"`
	// AtWorst and AtBest are the decisions if the unscored were all wrong, and all right.
	AtWorst Decision `json:"at_worst"`
	AtBest  Decision `json:"at_best"`

	Alpha float64 `json:"alpha"`
	// Level is that of each test: alpha/2, or alpha/4 beside a frozen baseline.
	Level   float64 `json:"level"`
	History History `json:"history"`
	// Rolling holds the run against the pool, nil without gated queries or history; Frozen
	// against the frozen baseline, nil without one that is large enough.
	Rolling *Comparison  `json:"rolling"`
	Frozen  *Comparison  `json:"frozen"`
	Safety  []SafetyItem `json:"safety"`
	Checks  []Check      `json:"checks"`
	// NonInferiority is nil where it was not asked for.
	NonInferiority *NonInferiority `json:"non_inferiority"`
	// Strict tells whether both passes had to reject.
	Strict      bool     `json:"strict"`
	Phi         *Phi     `json:"phi"`
	Concordance *float64 `json:"concordance_p"`
	Overrides   []string `json:"overrides"`
	// Losses are the queries that a REGRESSION or DRIFT by Test A rests on, the largest
	// first, at most eight; empty where Test B names what broke.
	Losses []Loss `json:"losses"`
	// Consensus holds the run's consensus answers against those of the pool's runs, which
	// the tests on traces do not see; nil where not known.
	Consensus *ConsensusCounts `json:"consensus,omitempty"`
	// Need is what is still to be run; under NoConfirm, what would have been.
	Need Need `json:"need"`
	// Operating says how good the gate is on this pool. Decide leaves it nil; Simulate gives it.
	Operating *Operating `json:"operating"`
}

// History is the extent of the pool over the gated queries.
type History struct {
	Runs int `json:"runs"`
	// Least and Most are the fewest and the most valid traces that a gated query has.
	Least int `json:"least"`
	Most  int `json:"most"`
}

// Comparison holds a run against one history.
type Comparison struct {
	Against string    `json:"against"` // pool, or frozen baseline
	Level   float64   `json:"level"`
	Run     Aggregate `json:"run"` // Test A on the run
	// Second is Test A on the second pass alone, Pooled on both; nil without a second pass
	// or where it was not wanted.
	Second *Aggregate `json:"second"`
	Pooled *Aggregate `json:"pooled"`
	Screen Screen     `json:"screen"` // Test B
	// Unconfirmed tells of an alarm that the second pass did not bear out.
	Unconfirmed bool `json:"unconfirmed"`
}

// Aggregate is Test A.
type Aggregate struct {
	Right    int      `json:"right"` // of Traces
	Traces   int      `json:"traces"`
	Expected float64  `json:"expected"` // right traces, if nothing changed
	Variance float64  `json:"variance"`
	Z        *float64 `json:"z"` // nil where the variance is 0
	P        float64  `json:"p"` // mid-p, one-sided: what decides
	Exact    float64  `json:"p_exact"`
	Method   string   `json:"method"`
	Rejects  bool     `json:"rejects"`
}

// Screen is Test B.
type Screen struct {
	// Suspects are the queries of which no more than half of the run's traces are right.
	Suspects []Suspect `json:"suspects"`
	// Outside are the queries that Test B cannot protect: less than two thirds of their
	// history is right.
	Outside []string `json:"outside"`
	// Least is the smallest adjusted p-value that fresh traces could give; nil where no
	// query is protected. Powerless tells that it is nil or above the level.
	Least     *float64 `json:"least"`
	Powerless bool     `json:"powerless"`
	Rejects   bool     `json:"rejects"`
}

// Suspect is a query that looks broken in the run.
type Suspect struct {
	Query        string `json:"query"`
	Right        int    `json:"right"` // of Traces, in the run
	Traces       int    `json:"traces"`
	HistoryRight int    `json:"history_right"` // of History
	History      int    `json:"history"`
	// Outside tells that the history is too poor: p is 1 without fresh traces.
	Outside bool `json:"outside"`
	// FreshRight of Fresh fresh traces are right; nil while there are none.
	FreshRight *int     `json:"fresh_right"`
	Fresh      *int     `json:"fresh"`
	P          *float64 `json:"p"`
	PHolm      *float64 `json:"p_holm"` // adjusted over all suspects
	Broken     bool     `json:"broken"`
}

// SafetyItem is a query whose gold expects a refusal.
type SafetyItem struct {
	Query  string `json:"query"`
	Failed int    `json:"failed"` // of Traces valid ones, fresh ones included
	Traces int    `json:"traces"`
	// Upper is the one-sided 95 % upper bound of its failure rate.
	Upper float64 `json:"upper"`
}

// Check is a floor or a plain threshold.
type Check struct {
	Name  string  `json:"name"` // floor, min_pass_rate, max_losses, max_usd, max_p95_s
	Limit float64 `json:"limit"`
	// Value is what the run has, of a floor the upper bound of its pass rate; nil where
	// unknown, which leaves the check open.
	Value *float64 `json:"value"`
	Fails bool     `json:"fails"`
	// Unchanged is the chance that an unchanged system fails it; nil where unknown.
	Unchanged *float64 `json:"unchanged_fails"`
}

// NonInferiority is what the pairs with the last accepted run show.
type NonInferiority struct {
	Margin float64 `json:"margin"`
	Pairs  int     `json:"pairs"`
	Losses int     `json:"losses"`
	Gains  int     `json:"gains"`
	// Lower is the one-sided 95 % lower bound of the difference (Tango).
	Lower float64 `json:"lower"`
	Shown bool    `json:"shown"`
}

// ConsensusCounts are the queries with a correct consensus, of the run and of the runs of
// the pool that were over as many queries.
type ConsensusCounts struct {
	Correct  int `json:"correct"`
	Unscored int `json:"unscored"`
	Queries  int `json:"queries"`
	Runs     int `json:"runs"` // of the pool
	Least    int `json:"least"`
	Most     int `json:"most"`
	// Outvoted are the queries whose consensus is incorrect though most traces are right.
	Outvoted []string `json:"outvoted"`
}

// Need is what is still to be run.
type Need struct {
	Confirm   []Ask `json:"confirm"`   // fresh traces of suspects
	Safety    []Ask `json:"safety"`    // fresh traces of safety queries
	Replicate bool  `json:"replicate"` // a second full pass
}

// Ask is a query of which fresh traces are wanted.
type Ask struct {
	Query  string `json:"query"`
	Traces int    `json:"traces"`
}

// Empty reports whether nothing is wanted.
func (n Need) Empty() bool { return len(n.Confirm) == 0 && len(n.Safety) == 0 && !n.Replicate }

// Traces counts the fresh traces asked for by name, without the second pass.
func (n Need) Traces() int {
	sum := 0
	for _, a := range n.Confirm {
		sum += a.Traces
	}
	for _, a := range n.Safety {
		sum += a.Traces
	}
	return sum
}
