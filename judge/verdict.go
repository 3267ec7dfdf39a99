package judge

import (
	"fmt"
)

// Ruling is the value of a verdict.
type Ruling string

// The rulings. Unscored queries stay in the denominator, so that the pass rate becomes a range.
const (
	Correct   Ruling = "correct"
	Incorrect Ruling = "incorrect"
	Unscored  Ruling = "unscored"
)

// RulingOf returns Correct if passes is true, else Incorrect.
func RulingOf(passes bool) Ruling {
	if passes {
		return Correct
	}
	return Incorrect
}

// Sources of a verdict.
const (
	ByGold        = "gold"
	ByCorrectness = "correctness"
	ByQuality     = "quality"
	ByImport      = "import" // another harness, whose results were imported
	ByRubric      = "rubric" // a question of the rubric
	ByPerson      = "person" // a person's label
	ByTools       = "tools"  // the expected tool calls
	ByChecks      = "checks" // the checks of the query
	ByInfra       = "infra"  // unscored: a failure of the infrastructure, or of a judge's model
	ByJudge       = "judge"  // unscored: a judge gave no usable verdict, or was not asked
)

// Verdict is the ruling on one answer, its source and its reason.
type Verdict struct {
	Verdict Ruling `json:"verdict"`
	By      string `json:"by"` // one of the By constants
	Reason  string `json:"reason"`
}

// Mode selects the judges that decide whether an answer passes.
type Mode string

const (
	PassGold        Mode = "gold"
	PassCorrectness Mode = "correctness"
	PassQuality     Mode = "quality"
	PassBoth        Mode = "both"       // correctness and quality
	PassGoldTools   Mode = "gold+tools" // gold and expected tool calls, in one verdict
)

// Modes returns the modes, the default first.
func Modes() []Mode { return []Mode{PassGold, PassCorrectness, PassQuality, PassBoth, PassGoldTools} }

// Judges returns the judges that decide in the mode, whatever the gold is: ByCorrectness, ByQuality or both;
// nil if the gold decides.
func (m Mode) Judges() []string {
	switch m {
	case PassCorrectness:
		return []string{ByCorrectness}
	case PassQuality:
		return []string{ByQuality}
	case PassBoth:
		return []string{ByCorrectness, ByQuality}
	}
	return nil
}

// Pass returns the verdict that decides in the mode. correctness and quality are nil if no such judge was
// asked; a missing verdict that the mode needs is unscored.
func Pass(mode Mode, gold Verdict, correctness, quality *Verdict) Verdict {
	switch mode {
	case PassGold, PassGoldTools:
		return gold
	case PassCorrectness:
		return orUnscored(correctness, PassCorrectness)
	case PassQuality:
		return orUnscored(quality, PassQuality)
	case PassBoth:
		return Both(orUnscored(correctness, PassCorrectness), orUnscored(quality, PassQuality))
	default:
		return Verdict{Unscored, ByJudge, fmt.Sprintf("pass mode %q is not known", mode)}
	}
}

func orUnscored(v *Verdict, mode Mode) Verdict {
	if v == nil {
		return Verdict{Unscored, ByJudge, fmt.Sprintf("no %s judge was asked", mode)}
	}
	return *v
}

// Both combines two verdicts, such as the verdict on the fixed part of a gold and the verdict on its condition.
// It is correct if both are correct, incorrect if at least one is incorrect, and otherwise unscored.
func Both(a, b Verdict) Verdict {
	for _, ruling := range []Ruling{Incorrect, Unscored} {
		for _, v := range []Verdict{a, b} {
			if v.Verdict == ruling {
				return v
			}
		}
	}
	return Verdict{Correct, b.By, a.Reason + "; " + b.Reason}
}
