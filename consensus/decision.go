package consensus

import (
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/trace"
)

// Method is the rule that made a decision.
type Method string

// The methods, in the order in which the stages try them: docs/method.md §3.2.
const (
	Single    Method = "single"    // K is 1
	Exact     Method = "exact"     // all K traces voted, for one class
	Semantic  Method = "semantic"  // all K traces voted, for classes with the same meaning
	Majority  Method = "majority"  // a class has more than half of K, or with QuorumNone more than half of the votes
	Plurality Method = "plurality" // one class leads, without a majority
	Tie       Method = "tie"       // several classes lead; the tie-break chose one
	Checks    Method = "checks"    // the votes are by the checks of the query, for K above 1
	Picked    Method = "picked"    // a model picked the same class in both orders
	None      Method = "none"      // fewer votes than the quorum, or no stage decided
)

// Methods returns the methods in the order in which reports show them.
func Methods() []Method {
	return []Method{Single, Exact, Semantic, Majority, Plurality, Tie, Checks, Picked, None}
}

// Class is a set of equal answers, with the traces that voted for it, by index.
type Class struct {
	Key    string   `json:"key"`  // the key of the representative trace
	Keys   []string `json:"keys"` // the keys of all its traces, sorted; more than one only in a merged class
	Traces []int    `json:"traces"`
}

// Results of the pick stage.
const (
	PickDecided      = "decided"
	PickInconclusive = "inconclusive" // the two orders had different picks
	PickFailed       = "failed"       // the model failed, or its reply could not be read
)

// Decision is the consensus over the K traces of a query. Undefined figures are nil.
type Decision struct {
	Method Method `json:"method"`
	// Answer is the answer of the representative. It is nil in three cases: the representative refuses or
	// abstains; the votes are by checks and its message fails them; there is no decision.
	Answer         *string       `json:"answer"`
	Outcome        trace.Outcome `json:"outcome"` // answered, refused, abstained; no_answer or infra if undecided
	Key            *string       `json:"key"`
	Representative *int          `json:"representative"` // index of the trace that represents the decision
	Agreement      *float64      `json:"agreement"`      // m1/K: the share of all traces in the largest class; nil for K=1
	Margin         *float64      `json:"margin"`         // (m1−m2)/K: the lead over the next class; nil for K=1
	Entropy        *float64      `json:"entropy"`        // of the classes' shares of votes, in nats; nil without votes
	Votes          []Class       `json:"votes"`          // the decided class first, the others by size and first trace
	// Valid counts the votes. Infra counts the traces that ended in an infrastructure failure.
	Valid int `json:"valid"`
	Infra int `json:"infra"`
	// Unscored is true if infra failures left too few votes, or if the verifier's model failed and a merge
	// could have changed the winner. The query is then neither right nor wrong.
	Unscored bool `json:"unscored"`
	Effort        // the effort of verifier and picker
	// Canaries is the verifier's result on its canaries. It is nil if the verifier was not needed, or if it has
	// no canaries.
	Canaries     *CanaryResult `json:"verifier_canaries,omitempty"`
	Intransitive int           `json:"intransitive"`            // triples with a=b, b=c, but not a=c: not merged
	Pick         *string       `json:"pick"`                    // result of the pick stage; nil if it did not run
	PickCanaries *CanaryResult `json:"pick_canaries,omitempty"` // the picker's result on its canaries; nil as for Canaries
	KCurve       bool          `json:"k_curve"`                 // these votes also define the decision of fewer traces
}

// Effort is the cost of asking verifier and picker, cached or not. It is asking.Effort under the verifier's
// names. Questions without a usable reply count as "not equivalent" and "no pick".
type Effort struct {
	Calls        int           `json:"verifier_calls"`
	Errors       int           `json:"verifier_errors"`
	Unparseable  int           `json:"verifier_unparseable"`
	Unread       int           `json:"verifier_unread"`
	UnreadTokens int           `json:"verifier_unread_tokens"`
	Usage        model.Usage   `json:"-"`
	Time         time.Duration `json:"-"`
	UnreadTime   time.Duration `json:"-"`
}

func (e *Effort) add(f Effort) { *e = Effort(asking.Effort(*e).Add(asking.Effort(f))) }
