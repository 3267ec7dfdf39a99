package judge

// Ruling is the value of a verdict.
type Ruling string

// Unscored queries stay in the denominator: they turn the pass rate into bounds.
const (
	Correct   Ruling = "correct"
	Incorrect Ruling = "incorrect"
	Unscored  Ruling = "unscored"
)

// RulingOf is correct or incorrect.
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
	ByPerson      = "person" // a label
	ByTools       = "tools"  // the expected tool calls
	ByInfra       = "infra"  // unscored: a failure of the infrastructure, a judge's model included
	ByJudge       = "judge"  // unscored: a judge gave no usable verdict, or was not asked
)

// Verdict is the ruling on one answer, its source and its reason.
type Verdict struct {
	Verdict Ruling `json:"verdict"`
	By      string `json:"by"` // one of the By constants
	Reason  string `json:"reason"`
}
