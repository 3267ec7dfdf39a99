package result

// Call is the word that a comparison ends in.
type Call string

// The calls. "No significant difference" is none of them: what was not found may be there,
// and Undetermined comes with the smallest effect that could have been found.
const (
	Better       Call = "better"
	Worse        Call = "worse"
	Equivalent   Call = "equivalent" // within the margin
	Undetermined Call = "undetermined"
)

// Comparison holds one configuration against the baseline on the same queries
// (methods.md §5.4 to 5.6). Unscored queries count as incorrect.
type Comparison struct {
	Baseline      string `json:"baseline"`
	Configuration string `json:"configuration"`
	// Refused says why the two are not compared: a difference that the table does not show
	// would be taken for one of the agents. There are no figures and no call then.
	Refused *string `json:"refused"`
	// Pairing is paired, over queries that both have, or unpaired; "" where refused.
	Pairing Pairing `json:"pairing"`
	Queries int     `json:"queries"` // pairs; of an unpaired comparison, those of the configuration
	// LeftOut says how many queries a paired comparison is not over, since only one of the
	// two has them; nil where there are none.
	LeftOut *string `json:"left_out"`
	// Losses are the queries that only the baseline has right, Gains those that only the
	// configuration has. Nil where nothing is paired.
	Losses *int `json:"losses"`
	Gains  *int `json:"gains"`
	// CorrectBefore and CorrectNow are the correct queries of the baseline and of the
	// configuration among those compared, which are not those of the rows where only some are
	// paired. Nil where nothing is compared.
	CorrectBefore *int `json:"correct_before"`
	CorrectNow    *int `json:"correct_now"`
	// Differs lists the settings in which the two differ, as "key: value, now value". Nil
	// where it was not asked for.
	Differs []string `json:"differs"`
	// Difference is the configuration's pass rate less the baseline's, over the queries
	// compared; nil without queries.
	Difference *float64  `json:"difference"`
	CI         *Interval `json:"ci"`   // of the difference, 95 %: tango, or newcombe where unpaired
	CI90       *Interval `json:"ci90"` // 90 %, which equivalence is read off
	P          *float64  `json:"p"`
	PHolm      *float64  `json:"p_holm"` // adjusted over all comparisons of the table that are not refused
	Method     string    `json:"method"` // of P: mcnemar-midp, or fisher where unpaired; "" where refused
	Margin     float64   `json:"margin"` // within which rates count as equivalent
	Call       Call      `json:"call"`   // "" where refused
	// CallAsCounted is the call with unscored queries counted as wrong, where CallIfScored
	// differs from it and Call is undetermined for that reason; nil elsewhere.
	CallAsCounted *Call `json:"call_as_counted"`
	// CallIfScored tells of a call that hangs on unscored queries, which makes Call
	// undetermined: another one than what counting them all wrong gives. It is what counting
	// them all right gives, or, where that is no other, what counting those of one side right
	// gives. Nil where the call is the same in all four cases.
	CallIfScored *Call `json:"call_if_scored"`
	// MDE is the smallest drop that the test finds in four of five cases, at the baseline's
	// rate and without Holm's adjustment; nil where not even a drop to 0 would be found so
	// often.
	MDE *float64 `json:"mde"`
	// Flips are the queries that went one way or the other, in order of their ids.
	Flips []Flip `json:"flips"`
	// Effort is what the configuration takes more for a query than the baseline; nil where
	// nothing is paired.
	Effort *EffortDifference `json:"effort"`
}

// EffortDifference is what a query takes more under one configuration than under another:
// turns of a trace, model calls and tokens of a query, the verifier's and the judges' among
// them.
type EffortDifference struct {
	Queries int   `json:"queries"` // pairs in which neither side lost a trace
	Steps   Shift `json:"steps"`
	Calls   Shift `json:"calls"`
	Tokens  Shift `json:"tokens"`
}

// Shift is a mean difference per query; CI is that of the sign-flip test, nil with too few
// queries.
type Shift struct {
	Difference float64   `json:"difference"`
	CI         *Interval `json:"ci"`
}

// Pairing says which queries a comparison is over.
type Pairing string

// The pairings.
const (
	Paired   Pairing = "paired"
	Unpaired Pairing = "unpaired"
)

// Flip is a query of which the two verdicts differ.
type Flip struct {
	Query    string `json:"query"`
	Category string `json:"category"`
	Gain     bool   `json:"gain"` // for the configuration; else a loss
	// Baseline and Configuration are what was decided, as an answer or in brackets.
	Baseline      string `json:"baseline"`
	Configuration string `json:"configuration"`
	// Unscored tells that the side which is not right has no verdict, and counts as wrong.
	Unscored bool `json:"unscored"`
	// Reason is the verdict's reason on the side that is not right.
	Reason string `json:"reason"`
}

// Family is what Holm's adjustment over the comparisons of a table asks of the first of
// them (methods.md §5.5).
type Family struct {
	Comparisons int     `json:"comparisons"` // that are not refused
	FirstLevel  float64 `json:"first_level"` // that the smallest p must reach: .05 / Comparisons
	// LeastLosses is the smallest number of losses, with no gain, that reaches it; nil where
	// the queries are too few for any, and where nothing is paired.
	LeastLosses *int `json:"least_losses"`
	// MDE is the smallest drop that is found at FirstLevel in four of five cases, at the
	// baseline's rate and over paired queries: of several baselines or numbers of queries,
	// that which finds the most. Nil where not even a drop to 0 would be found so often.
	MDE *float64 `json:"mde"`
}
