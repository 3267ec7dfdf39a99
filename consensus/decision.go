package consensus

import "github.com/seed-5817661a/concur/runner/trace"

// Method says how a decision came about.
type Method string

// The methods of this version (DESIGN.md §1).
const (
	Single    Method = "single"    // K is 1
	Exact     Method = "exact"     // all K traces voted, for one class
	Majority  Method = "majority"  // a class holds more than half of K
	Plurality Method = "plurality" // one class leads with half of K or less
	Tie       Method = "tie"       // several classes lead; the tie-break chose
	None      Method = "none"      // fewer votes than the quorum, or no stage decided
)

// Methods lists the methods in the order in which reports show them.
func Methods() []Method { return []Method{Single, Exact, Majority, Plurality, Tie, None} }

// Vote is one class and the traces that voted for it, by index.
type Vote struct {
	Key    string `json:"key"`
	Traces []int  `json:"traces"`
}

// Decision is the consensus over the K traces of a query. Undefined figures are nil.
type Decision struct {
	Method Method `json:"method"`
	// Answer is the short answer of the representative; nil where the decision is to
	// refuse or abstain, or where there is none.
	Answer *string `json:"answer"`
	// Outcome is what was decided: answered, refused, abstained, or no_answer for None.
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
	// Unscored says that infra failures cost the quorum: the query can then be neither
	// right nor wrong.
	Unscored      bool `json:"unscored"`
	VerifierCalls int  `json:"verifier_calls"`
}
