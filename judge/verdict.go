package judge

// Ruling is the word of a verdict.
type Ruling string

// The rulings. Unscored queries widen the pass rate to bounds and never leave the
// denominator.
const (
	Correct   Ruling = "correct"
	Incorrect Ruling = "incorrect"
	Unscored  Ruling = "unscored"
)

// Who says a verdict.
const (
	ByGold        = "gold"
	ByCorrectness = "correctness"
	ByQuality     = "quality"
	ByInfra       = "infra" // unscored: a failure of the infrastructure, a judge's model included
	ByJudge       = "judge" // unscored: a judge gave no usable verdict, or was not asked
)

// Verdict is what was found of one answer, by whom and why.
type Verdict struct {
	Verdict Ruling `json:"verdict"`
	By      string `json:"by"` // one of the By constants
	Reason  string `json:"reason"`
}
