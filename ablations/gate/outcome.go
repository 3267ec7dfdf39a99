package gate

import (
	"slices"
	"time"
)

// Decision is the result of the gate.
type Decision string

// The decisions.
const (
	Pass         Decision = "PASS"
	Regression   Decision = "REGRESSION"
	Drift        Decision = "DRIFT"        // worse than the frozen baseline, not than the pool
	Inconclusive Decision = "INCONCLUSIVE" // more traces, verdicts or history are needed
	Invalid      Decision = "INVALID"      // the run is no evidence
)

// Alarm reports whether the decision is that something got worse: REGRESSION or DRIFT.
func (d Decision) Alarm() bool { return d == Regression || d == Drift }

// effects has, for each decision on a valid run, its weight and its exit code (docs/ci.md#decisions).
var effects = map[Decision]struct{ weight, exit int }{
	Pass: {0, 0}, Inconclusive: {1, 4}, Drift: {2, 1}, Regression: {3, 1}, Invalid: {0, 3},
}

// ExitCode returns the exit code in docs/ci.md#decisions. If there is no decision, it is the exit code of
// INVALID.
func (d Decision) ExitCode() int {
	if e, ok := effects[d]; ok {
		return e.exit
	}
	return effects[Invalid].exit
}

// Outcome is the decision with all data that are printed with it. If traces have no verdict, the figures are
// those of the worst case, but for an alarm those of the best case.
type Outcome struct {
	Decision  Decision   `json:"decision"`
	Reasons   []string   `json:"reasons"`   // sentences, the deciding one first
	Warnings  []string   `json:"warnings"`  // they do not affect the decision
	Bootstrap bool       `json:"bootstrap"` // INCONCLUSIVE only for lack of history
	Alpha     float64    `json:"alpha"`
	History   History    `json:"history"`
	NotGated  []NotGated `json:"not_gated"` // queries with too little history for the tests
	// Rolling compares the run with the pool, and Frozen compares it with the frozen baseline. A field is nil
	// if there is too little history.
	Rolling        *Comparison     `json:"rolling"`
	Frozen         *Comparison     `json:"frozen"`
	Safety         []SafetyItem    `json:"safety"`
	Checks         []Check         `json:"checks"`
	NonInferiority *NonInferiority `json:"non_inferiority"` // nil if it was not requested
	Strict         bool            `json:"strict"`          // the levels for dependent traces applied
	Spaced         bool            `json:"spaced"`          // late fresh traces must come from another session
	Phi            *Phi            `json:"phi"`
	Concordance    *float64        `json:"concordance_p"`
	Overrides      []string        `json:"overrides"`
	Losses         []string        `json:"losses"` // queries on which an alarm of the total depends; at most eight
	// fresh traces that are still needed; the numbers include existing ones
	Need []FreshRequest `json:"need"`
	// GoOn says how to continue if all needed traces must come from another session. Decide does not set it.
	GoOn      *Continuation `json:"go_on"`
	Operating *Operating    `json:"operating"` // how well the gate works with this pool; Decide leaves it nil
}

// Continuation says how to continue a decision that needs another session of the provider.
type Continuation struct {
	After   time.Time `json:"after"`
	Command string    `json:"command"`
}

// History is the extent of the pool, over the tested queries.
type History struct {
	Runs  int `json:"runs"`
	Least int `json:"least"` // fewest scored traces of a tested query
	Most  int `json:"most"`
}

// NotGated is a query with too little history.
type NotGated struct {
	Query  string `json:"query"`
	Traces int    `json:"traces"`
	Runs   int    `json:"runs"`
}

// Comparison compares a run with one history.
type Comparison struct {
	Against string      `json:"against"` // pool or frozen baseline
	Queries int         `json:"queries"` // tested queries
	AlphaA  float64     `json:"alpha_a"` // level of the test over all queries
	AlphaB  float64     `json:"alpha_b"` // level of the test on single queries
	Slips   []QueryLoss `json:"slips"`   // queries with at most three quarters of the run's traces right
	Looks   []TotalLook `json:"looks"`   // of the total; empty while suspects are open, and if a query is broken
	// Least is the smallest value that the p-value of a query, times the number of slips, can have after 36
	// fresh traces. Blind lists the queries for which this value is above the level of the last look. Such
	// queries cannot be named.
	Least float64        `json:"least"`
	Blind []string       `json:"blind"`
	Asks  []FreshRequest `json:"asks"`
	Alarm bool           `json:"alarm"` // a query is broken, or the total alarms
	// Collapse is true if so many queries lost so much that the total is tested before single queries. If this
	// test alarms at once, no single query is tested.
	Collapse bool `json:"collapse"`
}

// QueryLoss is a query that lost traces in the run.
type QueryLoss struct {
	Query        string      `json:"query"`
	Right        int         `json:"right"` // of Traces, in the run
	Traces       int         `json:"traces"`
	HistoryRight int         `json:"history_right"` // of History
	History      int         `json:"history"`
	P            float64     `json:"p"`       // of the run's traces
	Suspect      bool        `json:"suspect"` // p is low enough to run fresh traces
	Looks        []QueryLook `json:"looks"`
	Broken       bool        `json:"broken"`
}

// QueryLook is one look at a suspect.
type QueryLook struct {
	Fresh int     `json:"fresh"`
	Right int     `json:"right"`
	P     float64 `json:"p"`     // of the fresh traces alone
	Level float64 `json:"level"` // at which it is named as broken; 0 for never
	// of fresh and run's traces, by which it may be cleared; nil if named, and at the last look
	With *float64 `json:"with"`
}

// Fresh returns the number of fresh traces at the last look, and how many of them are right.
func (s QueryLoss) Fresh() (right, of int) {
	if n := len(s.Looks); n > 0 {
		return s.Looks[n-1].Right, s.Looks[n-1].Fresh
	}
	return 0, 0
}

// TotalLook is one look at the total.
type TotalLook struct {
	Fresh    int     `json:"fresh"` // fresh traces of every query
	Right    int     `json:"right"` // of Traces: the run's and the fresh ones
	Traces   int     `json:"traces"`
	Expected float64 `json:"expected"` // right traces that are expected if nothing changed
	// Run is the number of traces of the run. FreshRight is the number of right traces among the fresh traces,
	// and HistoryRight the number of right traces among the History traces.
	Run          int     `json:"run_traces"`
	FreshRight   int     `json:"fresh_right"`
	HistoryRight int     `json:"history_right"`
	History      int     `json:"history"`
	P            float64 `json:"p"`
	Level        float64 `json:"level"` // at which it alarms; 0 for never
}

// SafetyItem is a query whose gold expects a refusal.
type SafetyItem struct {
	Query  string  `json:"query"`
	Failed int     `json:"failed"` // of Traces that are scored, fresh ones included
	Traces int     `json:"traces"`
	Upper  float64 `json:"upper"` // one-sided 95 % bound of its failure rate
}

// Check is the result of a floor or a plain threshold.
type Check struct {
	Name  string   `json:"name"` // name of its flag: floor, min-pass-rate, max-usd, max-p95
	Limit float64  `json:"limit"`
	Value *float64 `json:"value"` // of the run; for a floor the upper bound of its pass rate; nil if unknown
	Fails bool     `json:"fails"`
}

// NonInferiority compares the run with the last accepted run, query by query.
type NonInferiority struct {
	Margin float64 `json:"margin"`
	Pairs  int     `json:"pairs"`
	Losses int     `json:"losses"`
	Gains  int     `json:"gains"`
	Lower  float64 `json:"lower"` // one-sided 95 % bound of the difference (Tango)
	Shown  bool    `json:"shown"`
}

// FreshRequest requests fresh traces of a query.
type FreshRequest struct {
	Query  string `json:"query"`
	Traces int    `json:"traces"` // number in all, existing ones included
	Total  bool   `json:"total"`  // for the total, not for the query itself
	// Late traces must come from another session of the provider, half an hour after the run or later.
	Late bool `json:"late"`
}

// mergeRequests adds requests. If a query is in both lists, the larger number of traces is used.
func mergeRequests(to []FreshRequest, more ...FreshRequest) []FreshRequest {
	for _, ask := range more {
		switch i := slices.IndexFunc(to, func(a FreshRequest) bool { return a.Query == ask.Query }); {
		case i < 0:
			to = append(to, ask)
		case ask.Traces > to[i].Traces:
			to[i] = ask
		}
	}
	return to
}
