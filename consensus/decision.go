package consensus

import "github.com/seed-5817661a/concur/runner/trace"

// Method says how a decision came about.
type Method string

// The methods (DESIGN.md §1).
const (
	Single    Method = "single"    // K is 1
	Exact     Method = "exact"     // all K traces voted, for one class
	Semantic  Method = "semantic"  // all K traces voted, for classes that mean the same
	Majority  Method = "majority"  // a class holds more than half of K, or with QuorumNone of the votes
	Plurality Method = "plurality" // one class leads with less
	Tie       Method = "tie"       // several classes lead; the tie-break chose
	Picked    Method = "picked"    // a model picked, alike in two orders
	None      Method = "none"      // fewer votes than the quorum, or no stage decided
)

// Methods lists the methods in the order in which reports show them.
func Methods() []Method {
	return []Method{Single, Exact, Semantic, Majority, Plurality, Tie, Picked, None}
}

// Vote is one class and the traces that voted for it, by index.
type Vote struct {
	Key string `json:"key"` // of the trace that stands for the class
	// Keys are the keys of all its traces, sorted: several only in a merged class.
	Keys   []string `json:"keys"`
	Traces []int    `json:"traces"`
}

// What came of a pick that was asked for.
const (
	PickDecided      = "decided"
	PickInconclusive = "inconclusive" // two orders, two picks
	PickFailed       = "failed"       // the model failed, or its reply could not be read
)

// Decision is the consensus over the K traces of a query. Undefined figures are nil.
type Decision struct {
	Method Method `json:"method"`
	// Answer is the short answer of the representative; nil where the decision is to
	// refuse or abstain, or where there is none.
	Answer *string `json:"answer"`
	// Outcome is what was decided: answered, refused, abstained; for None, no_answer, or
	// infra where Unscored.
	Outcome trace.Outcome `json:"outcome"`
	Key     *string       `json:"key"`
	// Representative is the index of the trace that stands for the decision.
	Representative *int `json:"representative"`
	// Agreement is m1/K, the share of all K traces in the largest class; nil for K=1.
	Agreement *float64 `json:"agreement"`
	// Margin is (m1−m2)/K; nil for K=1.
	Margin *float64 `json:"margin"`
	// Entropy is that of the classes' shares among the votes, in nats; nil without votes.
	Entropy *float64 `json:"entropy"`
	// Votes holds the classes, the decided one first, then by size and first trace.
	Votes []Vote `json:"votes"`
	// Valid counts the votes, Infra the traces that failed through no fault of the agent.
	Valid int `json:"valid"`
	Infra int `json:"infra"`
	// Unscored says that infra failures cost the quorum, or that the verifier's model
	// failed where a merge could have changed the winner: the query can then be neither
	// right nor wrong.
	Unscored bool `json:"unscored"`
	// VerifierCalls counts the model calls of verifier and picker that the decision rests
	// on, answered from a cache or not. Of the questions that they asked, VerifierErrors
	// counts those where the model failed and VerifierUnparseable those where it gave no
	// readable reply, twice; these count as "not equivalent" and "no pick".
	VerifierCalls       int `json:"verifier_calls"`
	VerifierErrors      int `json:"verifier_errors"`
	VerifierUnparseable int `json:"verifier_unparseable"`
	// VerifierUnread counts the replies that could not be read, also where a second one
	// could, and VerifierUnreadTokens what they took.
	VerifierUnread       int `json:"verifier_unread"`
	VerifierUnreadTokens int `json:"verifier_unread_tokens"`
	// Verifier is what those calls took, for the record's usage and timing.
	Verifier Effort `json:"-"`
	// Intransitive counts triples of classes of which the first equals the second and the
	// second the third, but not the first the third. They were left apart.
	Intransitive int `json:"intransitive"`
	// Pick is what came of the pick stage; nil where it was not asked.
	Pick *string `json:"pick"`
	// KCurve says whether the decision for fewer traces follows from these votes alone.
	KCurve bool `json:"k_curve"`
}
