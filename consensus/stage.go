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
