package consensus

import (
	"errors"
	"fmt"
	"slices"
)

// Stage is one step of the way to a decision.
type Stage string

// The stages. Exact comes first; verifier, which changes what is counted, before
// majority and pick. Pick may stand on either side of majority.
const (
	StageExact    Stage = "exact"
	StageVerifier Stage = "verifier"
	StageMajority Stage = "majority"
	StagePick     Stage = "pick"
)

// Stages lists the stages in their usual order.
func Stages() []Stage { return []Stage{StageExact, StageVerifier, StageMajority, StagePick} }

// checkStages says what is wrong with a list of stages.
func checkStages(stages []Stage) error {
	var wrong []error
	for i, s := range stages {
		switch {
		case !slices.Contains(Stages(), s):
			wrong = append(wrong, fmt.Errorf("stage %q is not known: use exact, verifier, majority, pick", s))
		case slices.Contains(stages[:i], s):
			wrong = append(wrong, fmt.Errorf("stage %s stands twice: leave one out", s))
		case s == StageExact && i > 0:
			wrong = append(wrong, errors.New("stage exact comes first"))
		case s == StageVerifier && (slices.Contains(stages[:i], StageMajority) || slices.Contains(stages[:i], StagePick)):
			wrong = append(wrong, errors.New("stage verifier comes before majority and pick: it changes what they count"))
		}
	}
	return errors.Join(wrong...)
}

// keepCurve reports whether the stages decide for a subset of the traces as they do for
// all of them, which the K curve rests on: not where a model picks before any count.
func keepCurve(stages []Stage) bool {
	pick := slices.Index(stages, StagePick)
	majority := slices.Index(stages, StageMajority)
	return pick < 0 || majority >= 0 && majority < pick
}
