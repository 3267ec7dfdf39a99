package result

// Call is the conclusion of a comparison.
type Call string

// "No significant difference" is not a call: an effect that was not detected may exist.
// Undetermined comes with the smallest effect that could have been detected.
const (
	Better       Call = "better"
	Worse        Call = "worse"
	Equivalent   Call = "equivalent" // within the margin
	Undetermined Call = "undetermined"
)

// Comparison compares one configuration with the baseline on the same queries (methods.md
// §5.4 to 5.6). Unscored queries count as incorrect.
type Comparison struct {
	Baseline      string `json:"baseline"`
	Configuration string `json:"configuration"`
	// Refused explains why the two are not compared: they differ in a setting that the table
	// does not show. There are no figures and no call then.
	Refused *string `json:"refused"`
	// Pairing is paired, over queries that both have, or unpaired; "" if refused.
	Pairing Pairing `json:"pairing"`
	Queries int     `json:"queries"` // pairs; if unpaired, the queries of the configuration
	// LeftOut describes the queries that a paired comparison does not cover, because only
	// one of the two has them; nil if it covers all.
	LeftOut *string `json:"left_out"`
	// Losses are the queries that only the baseline has right, Gains those that only the
	// configuration has right. Nil if unpaired.
	Losses *int `json:"losses"`
	Gains  *int `json:"gains"`
	// CorrectBefore and CorrectNow count correct queries of the baseline and of the
	// configuration among the compared queries. They differ from the rows' counts if only
	// some queries are paired. Nil if nothing is compared.
	CorrectBefore *int `json:"correct_before"`
	CorrectNow    *int `json:"correct_now"`
	// Differs lists the settings in which the two differ, as "key: value, now value". Nil if
	// not requested.
	Differs []string `json:"differs"`
	// Difference is the configuration's pass rate minus the baseline's, over the compared
	// queries; nil without queries.
	Difference *float64  `json:"difference"`
	CI         *Interval `json:"ci"`   // of the difference, 95 %: tango, or newcombe if unpaired
	CI90       *Interval `json:"ci90"` // 90 %, which decides equivalence
	P          *float64  `json:"p"`
	PHolm      *float64  `json:"p_holm"` // adjusted over all comparisons of the table except refused ones
	Method     string    `json:"method"` // of P: mcnemar-midp, or fisher if unpaired; "" if refused
	Margin     float64   `json:"margin"` // within which pass rates count as equivalent
	Call       Call      `json:"call"`   // "" if refused
	// CallAsCounted is the call with unscored queries counted as wrong, if Call is
	// undetermined only because CallIfScored differs from it; nil otherwise.
	CallAsCounted *Call `json:"call_as_counted"`
	// CallIfScored is a different call that scoring the unscored queries could lead to; Call
	// is undetermined then. It is the call with all of them counted as right or, if that is
	// the same, with those of one side counted as right. Nil if all four cases give one
	// call.
	CallIfScored *Call `json:"call_if_scored"`
	// MDE is the smallest drop that the test detects with power 0.8, at the baseline's rate
	// and without Holm's adjustment; nil if even a drop to 0 is detected less often.
	MDE *float64 `json:"mde"`
	// Flips are the queries that only one side has right, in order of their ids.
	Flips []Flip `json:"flips"`
	// WayFlips are traces with the same answer on both sides, of which only one made the tool
	// calls that its query expects. Traces are paired by their index, which gives them the same
	// seed. Empty if no query expects calls.
	WayFlips []WayFlip `json:"way_flips"`
	// Effort is the additional effort of the configuration per query; nil if unpaired.
	Effort *EffortDifference `json:"effort"`
}

// EffortDifference is the additional effort of one configuration over another per query:
// turns of a trace, and model calls and tokens of a query, including those of verifier and
// judges.
type EffortDifference struct {
	Queries int   `json:"queries"` // pairs in which neither side lost a trace
	Steps   Shift `json:"steps"`
	Calls   Shift `json:"calls"`
	Tokens  Shift `json:"tokens"`
}

// Shift is a mean difference per query; CI comes from the sign-flip test, nil with too few
// queries.
type Shift struct {
	Difference float64   `json:"difference"`
	CI         *Interval `json:"ci"`
}

// Pairing is the way in which queries are compared.
type Pairing string

const (
	Paired   Pairing = "paired"
	Unpaired Pairing = "unpaired"
)

// Flip is a query with different verdicts on the two sides.
type Flip struct {
	Query    string `json:"query"`
	Category string `json:"category"`
	Gain     bool   `json:"gain"` // for the configuration; else a loss
	// Baseline and Configuration are the decisions: an answer, or the outcome in brackets.
	Baseline      string `json:"baseline"`
	Configuration string `json:"configuration"`
	// Unscored: the side that is not right has no verdict and counts as wrong.
	Unscored bool `json:"unscored"`
	// Reason of the verdict on the side that is not right.
	Reason string `json:"reason"`
}

// WayFlip is a trace that comes to the same answer by other tool calls.
type WayFlip struct {
	Query    string `json:"query"`
	Category string `json:"category"`
	Trace    int    `json:"trace"`
	Gain     bool   `json:"gain"` // the configuration's calls are right; else the baseline's
	Answer   string `json:"answer"`
	Reason   string `json:"reason"` // why the calls of the other side are wrong
}

// Family is what Holm's adjustment over the comparisons of a table requires of the first of
// them (methods.md §5.5).
type Family struct {
	Comparisons int     `json:"comparisons"` // without refused ones
	FirstLevel  float64 `json:"first_level"` // that the smallest p must reach: .05 / Comparisons
	// LeastLosses is the smallest number of losses, without gains, that reaches FirstLevel;
	// nil if there are too few queries, or no pairs.
	LeastLosses *int `json:"least_losses"`
	// MDE is the smallest drop that is detected at FirstLevel with power 0.8, at the
	// baseline's rate and over paired queries; the smallest one if baselines or numbers of
	// queries differ. Nil if even a drop to 0 is detected less often.
	MDE *float64 `json:"mde"`
}
