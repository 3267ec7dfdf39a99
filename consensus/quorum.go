package consensus

// Quorum sets how many votes a decision needs (methods.md §3.2).
type Quorum string

// The quorums. The zero value is QuorumMajority.
const (
	QuorumMajority Quorum = "majority" // more than half of the K traces: a trace without a vote counts against
	QuorumNone     Quorum = "none"     // more than half of the votes, as published figures count
)

// votes is the smallest majority, and also the smallest number of votes with which anything
// is decided.
func (q Quorum) votes(k, valid int) int {
	if q == QuorumNone {
		return valid/2 + 1
	}
	return k/2 + 1
}
