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

// Alarm reports whether the decision is that something got worse.
func (d Decision) Alarm() bool { return d == Regression || d == Drift }

// effects are the weights of findings on a valid run, and the exit codes of docs/ci.md#decisions.
var effects = map[Decision]struct{ weight, exit int }{
	Pass: {0, 0}, Inconclusive: {1, 4}, Drift: {2, 1}, Regression: {3, 1}, Invalid: {0, 3},
}

// ExitCode returns the exit code of docs/ci.md#decisions; without a decision that of INVALID.
func (d Decision) ExitCode() int {
	if e, ok := effects[d]; ok {
		return e.exit
	}
	return effects[Invalid].exit
}

// Outcome is the decision with all that has to be printed beside it.
// Where traces have no verdict, the figures are those at worst, and for an alarm those at best.
type Outcome struct {
	Decision  Decision   `json:"decision"`
	Reasons   []string   `json:"reasons"`   // sentences, the deciding one first
	Warnings  []string   `json:"warnings"`  // which decide nothing
	Bootstrap bool       `json:"bootstrap"` // INCONCLUSIVE for lack of history alone
	Alpha     float64    `json:"alpha"`
	History   History    `json:"history"`
	NotGated  []NotGated `json:"not_gated"` // queries with too little history, which are in no test
	// Rolling compares the run with the pool, Frozen with the frozen baseline; nil if there is too little
	// history.
	Rolling        *Comparison     `json:"rolling"`
	Frozen         *Comparison     `json:"frozen"`
	Safety         []SafetyItem    `json:"safety"`
	Checks         []Check         `json:"checks"`
	NonInferiority *NonInferiority `json:"non_inferiority"` // nil if it was not requested
	Strict         bool            `json:"strict"`          // the levels for dependent traces were taken
	Spaced         bool            `json:"spaced"`          // late fresh traces must come from another session
	Phi            *Phi            `json:"phi"`
	Concordance    *float64        `json:"concordance_p"`
	Overrides      []string        `json:"overrides"`
	Losses         []string        `json:"losses"`    // queries that an alarm of the total rests on; at most eight
	Need           []Ask           `json:"need"`      // fresh traces that are still to be run, counted from the first
	GoOn           *GoOn           `json:"go_on"`     // where all that is needed has to come from another session; Decide leaves it nil
	Operating      *Operating      `json:"operating"` // how good the gate is on this pool; Decide leaves it nil
}

// GoOn tells how to continue a decision that needs another session of the provider.
type GoOn struct {
	After   time.Time `json:"after"`
	Command string    `json:"command"`
}

// History is the extent of the pool over the queries that are tested.
type History struct {
	Runs  int `json:"runs"`
	Least int `json:"least"` // scored traces that a tested query has
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
	Against string      `json:"against"` // pool, or frozen baseline
	Queries int         `json:"queries"` // that are tested
	AlphaA  float64     `json:"alpha_a"` // of the test over all queries
	AlphaB  float64     `json:"alpha_b"` // of the test on single ones
	Slips   []Slip      `json:"slips"`   // queries of which three quarters of the run's traces or fewer are right
	Looks   []TotalLook `json:"looks"`   // of the total; empty while suspects are open, and if a query is broken
	// Least is the smallest p-value times the slips that 36 fresh traces could give a query, and
	// Blind the queries whose own is above the level of the last look: they cannot be named.
	Least float64  `json:"least"`
	Blind []string `json:"blind"`
	Asks  []Ask    `json:"asks"`
	Alarm bool     `json:"alarm"` // a query is broken, or the total alarms
	// Collapse: so much was lost on so many queries that the total is asked before single queries. Where it alarms at
	// once, no query is tested by itself.
	Collapse bool `json:"collapse"`
}

// Slip is a query that lost traces in the run.
type Slip struct {
	Query        string     `json:"query"`
	Right        int        `json:"right"` // of Traces, in the run
	Traces       int        `json:"traces"`
	HistoryRight int        `json:"history_right"` // of History
	History      int        `json:"history"`
	P            float64    `json:"p"`       // of the run's traces
	Suspect      bool       `json:"suspect"` // p is low enough to ask fresh traces
	Looks        []SlipLook `json:"looks"`
	Broken       bool       `json:"broken"`
}

// SlipLook is a look at a suspect.
type SlipLook struct {
	Fresh int      `json:"fresh"`
	Right int      `json:"right"`
	P     float64  `json:"p"`     // of the fresh traces alone
	Level float64  `json:"level"` // that it is named at; 0 for never
	With  *float64 `json:"with"`  // with the run's traces, by which it may be cleared; nil where named, and at the last
}

// Fresh gives the last look's fresh traces and the right ones among them.
func (s Slip) Fresh() (right, of int) {
	if n := len(s.Looks); n > 0 {
		return s.Looks[n-1].Right, s.Looks[n-1].Fresh
	}
	return 0, 0
}

// TotalLook is a look at the total.
type TotalLook struct {
	Fresh    int     `json:"fresh"` // traces of every query
	Right    int     `json:"right"` // of Traces, the run's and the fresh ones
	Traces   int     `json:"traces"`
	Expected float64 `json:"expected"` // right traces, if nothing changed
	// Run counts the traces of the run. FreshRight are the right ones among the fresh traces, and HistoryRight those
	// among all History traces before.
	Run          int     `json:"run_traces"`
	FreshRight   int     `json:"fresh_right"`
	HistoryRight int     `json:"history_right"`
	History      int     `json:"history"`
	P            float64 `json:"p"`
	Level        float64 `json:"level"` // that it alarms at; 0 for never
}

// SafetyItem is a query whose gold expects a refusal.
type SafetyItem struct {
	Query  string  `json:"query"`
	Failed int     `json:"failed"` // of Traces scored ones, fresh ones included
	Traces int     `json:"traces"`
	Upper  float64 `json:"upper"` // one-sided 95 % bound of its failure rate
}

// Check is a floor or a plain threshold.
type Check struct {
	Name  string   `json:"name"` // that of its flag: floor, min-pass-rate, max-usd, max-p95
	Limit float64  `json:"limit"`
	Value *float64 `json:"value"` // of the run, of a floor the upper bound of its pass rate; nil where unknown
	Fails bool     `json:"fails"`
}

// NonInferiority is the result of the pairs with the last accepted run.
type NonInferiority struct {
	Margin float64 `json:"margin"`
	Pairs  int     `json:"pairs"`
	Losses int     `json:"losses"`
	Gains  int     `json:"gains"`
	Lower  float64 `json:"lower"` // one-sided 95 % bound of the difference (Tango)
	Shown  bool    `json:"shown"`
}

// Ask is a query of which fresh traces are needed.
type Ask struct {
	Query  string `json:"query"`
	Traces int    `json:"traces"` // in all, those that exist included
	Total  bool   `json:"total"`  // for the total, not for the query itself
	Late   bool   `json:"late"`   // it has to come from another session of the provider: half an hour after the run, or later
}

// join adds asks; of a query that both ask for, the larger number counts.
func join(to []Ask, more ...Ask) []Ask {
	for _, ask := range more {
		switch i := slices.IndexFunc(to, func(a Ask) bool { return a.Query == ask.Query }); {
		case i < 0:
			to = append(to, ask)
		case ask.Traces > to[i].Traces:
			to[i] = ask
		}
	}
	return to
}
