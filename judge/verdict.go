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

// Verdict is what was found of one answer, by whom and why.
type Verdict struct {
	Verdict Ruling `json:"verdict"`
	By      string `json:"by"` // gold, or who could not score: infra
	Reason  string `json:"reason"`
}
