package trace

// Audit is the result of the citation audit of a final message (methods.md §8). A rejected
// answer and its correction each have one.
type Audit struct {
	Version   string         `json:"version"` // of the audit's rules
	Grounded  bool           `json:"grounded"`
	Claims    int            `json:"claims"` // factual sentences
	Citations int            `json:"citations"`
	Valid     int            `json:"valid"`
	OverCited int            `json:"over_cited"`
	Precision *float64       `json:"precision"` // 0..1, null if undefined, as the next two
	Recall    *float64       `json:"recall"`
	Coverage  *float64       `json:"coverage"`
	Problems  []AuditProblem `json:"problems"`
}

// AuditProblem is one problem that the audit found.
type AuditProblem struct {
	Check  string `json:"check"` // C1 … C10 of methods.md §8, or bound
	Level  string `json:"level"` // error or warn
	Claim  string `json:"claim"`
	Detail string `json:"detail"`
}

func (Audit) event() string { return "audit" }
