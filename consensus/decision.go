package consensus

import (
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/trace"
)

// Method is the way in which a decision was made.
type Method string

// The methods, in the order in which the stages try them: docs/method.md §3.2.
const (
	Single    Method = "single"    // K is 1
	Exact     Method = "exact"     // all K traces voted, for one class
	Semantic  Method = "semantic"  // all K traces voted, for classes that mean the same
	Majority  Method = "majority"  // a class holds more than half of K, or with QuorumNone of the votes
	Plurality Method = "plurality" // one class leads with less
	Tie       Method = "tie"       // several classes lead; the tie-break chose
	Picked    Method = "picked"    // a model picked the same class in two orders
	None      Method = "none"      // fewer votes than the quorum, or no stage decided
)

// Methods lists the methods in the order in which reports show them.
func Methods() []Method {
	return []Method{Single, Exact, Semantic, Majority, Plurality, Tie, Picked, None}
}

// Class is a set of equal answers, with the traces that voted for it, by index.
type Class struct {
	Key    string   `json:"key"`  // of the representative trace
	Keys   []string `json:"keys"` // of all its traces, sorted: several only in a merged class
	Traces []int    `json:"traces"`
}

// Results of the pick stage.
const (
	PickDecided      = "decided"
	PickInconclusive = "inconclusive" // two orders, two picks
	PickFailed       = "failed"       // the model failed, or its reply could not be read
)

// Decision is the consensus over the K traces of a query. Undefined figures are nil.
type Decision struct {
	Method         Method        `json:"method"`
	Answer         *string       `json:"answer"`  // of the representative; nil to refuse or abstain, and if undecided
	Outcome        trace.Outcome `json:"outcome"` // answered, refused, abstained; no_answer or infra without a decision
	Key            *string       `json:"key"`
	Representative *int          `json:"representative"` // index of the trace that represents the decision
	Agreement      *float64      `json:"agreement"`      // m1/K, the largest class over all traces; nil for K=1
	Margin         *float64      `json:"margin"`         // (m1−m2)/K; nil for K=1
	Entropy        *float64      `json:"entropy"`        // of the classes' shares of votes, in nats; nil without any
	Votes          []Class       `json:"votes"`          // the decided class first, the others by size and first trace
	// Valid counts the votes, Infra the traces that ended in an infrastructure failure.
	Valid int `json:"valid"`
	Infra int `json:"infra"`
	// Unscored: too few votes because of infra failures, or the verifier's model failed and
	// a merge could have changed the winner. The query is then neither right nor wrong.
	Unscored bool `json:"unscored"`
	Effort        // of verifier and picker
	// Canaries are those of the verifier; nil if it was not needed, or has none.
	Canaries     *CanaryResult `json:"verifier_canaries,omitempty"`
	Intransitive int           `json:"intransitive"`            // triples with a=b, b=c and not a=c: not merged
	Pick         *string       `json:"pick"`                    // result of the pick stage; nil if it did not run
	PickCanaries *CanaryResult `json:"pick_canaries,omitempty"` // as Canaries, of the picker
	KCurve       bool          `json:"k_curve"`                 // these votes define the decision of fewer traces
}

// Effort is asking.Effort under the names of the verifier: the cost of asking verifier and picker, cached or not.
// Questions without a usable reply count as "not equivalent" and "no pick".
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
