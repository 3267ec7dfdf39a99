package consensus

import (
	"errors"
	"fmt"
	"slices"
)

// Stage is one step of a decision.
type Stage string

// Exact comes first. Verifier comes before majority and pick, because it changes what they
// count. Pick may come before or after majority.
const (
	StageExact    Stage = "exact"
	StageVerifier Stage = "verifier"
	StageMajority Stage = "majority"
	StagePick     Stage = "pick"
)

// Stages lists the stages in their usual order.
func Stages() []Stage { return []Stage{StageExact, StageVerifier, StageMajority, StagePick} }

func checkStages(stages []Stage) error {
	var wrong []error
	for i, s := range stages {
		switch {
		case !slices.Contains(Stages(), s):
			wrong = append(wrong, fmt.Errorf("stage %q is not known: use exact, verifier, majority, pick", s))
		case slices.Contains(stages[:i], s):
			wrong = append(wrong, fmt.Errorf("stage %s is given twice: leave one out", s))
		case s == StageExact && i > 0:
			wrong = append(wrong, errors.New("stage exact comes first"))
		case s == StageVerifier && (slices.Contains(stages[:i], StageMajority) || slices.Contains(stages[:i], StagePick)):
			wrong = append(wrong, errors.New("stage verifier comes before majority and pick: it changes what they count"))
		}
	}
	return errors.Join(wrong...)
}

// keepCurve reports whether the stages decide in the same way for a subset of the traces,
// as the K curve requires; they do not if a model picks before the votes are counted.
func keepCurve(stages []Stage) bool {
	pick := slices.Index(stages, StagePick)
	majority := slices.Index(stages, StageMajority)
	return pick < 0 || majority >= 0 && majority < pick
}

// Quorum sets how many votes a decision needs (methods.md §3.2).
type Quorum string

// The quorums. The zero value is QuorumMajority.
const (
	QuorumMajority Quorum = "majority" // more than half of the K traces: a trace without a vote counts against
	QuorumNone     Quorum = "none"     // more than half of the votes, as published figures count
)

// votes is the smallest majority, and also the smallest number of votes with which anything is decided.
func (q Quorum) votes(k, valid int) int {
	if q == QuorumNone {
		return valid/2 + 1
	}
	return k/2 + 1
}
