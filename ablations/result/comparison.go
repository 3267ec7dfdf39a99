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
	Baseline      string  `json:"baseline"`
	Configuration string  `json:"configuration"`
	Refused       *string `json:"refused"`  // a setting that differs and the table does not show: there are no figures
	Pairing       Pairing `json:"pairing"`  // "" if refused
	Queries       int     `json:"queries"`  // pairs; if unpaired, the queries of the configuration
	LeftOut       *string `json:"left_out"` // queries that only one of the two has; nil if unpaired or without any
	Losses        *int    `json:"losses"`   // queries that only the baseline has right; nil if unpaired
	Gains         *int    `json:"gains"`    // queries that only the configuration has right; nil if unpaired
	// CorrectBefore and CorrectNow count the correct ones of the compared queries, of which there
	// are fewer than in the rows if only some are paired; nil if nothing is compared.
	CorrectBefore *int      `json:"correct_before"` // of the baseline
	CorrectNow    *int      `json:"correct_now"`    // of the configuration
	Differs       []string  `json:"differs"`        // settings, as "key: value, now value"; nil if not requested
	Difference    *float64  `json:"difference"`     // of the pass rates, now minus before; nil without queries
	CI            *Interval `json:"ci"`             // of the difference, 95 %: tango, or newcombe if unpaired
	CI90          *Interval `json:"ci90"`           // 90 %, which decides equivalence
	P             *float64  `json:"p"`
	PHolm         *float64  `json:"p_holm"` // adjusted over all comparisons of the table except refused ones
	Method        string    `json:"method"` // of P: mcnemar-midp, or fisher if unpaired; "" if refused
	Margin        float64   `json:"margin"` // within which pass rates count as equivalent
	Call          Call      `json:"call"`   // "" if refused
	// CallAsCounted is the call with unscored queries counted as wrong, if Call is
	// undetermined only because CallIfScored differs from it; nil otherwise.
	CallAsCounted *Call `json:"call_as_counted"`
	// CallIfScored is another call that scoring the unscored queries could lead to: with all of them right or, if
	// that is the same, those of one side. Call is undetermined then; nil if all four cases give one call.
	CallIfScored *Call `json:"call_if_scored"`
	// MDE is the smallest drop that the test detects with power 0.8, at the baseline's rate
	// and without Holm's adjustment; nil if even a drop to 0 is detected less often.
	MDE   *float64 `json:"mde"`
	Flips []Flip   `json:"flips"` // by the ids of queries
	// WayFlips are traces of the same index, and so seed, with the same answer on both sides, of
	// which only one made the tool calls that its query expects.
	WayFlips []WayFlip         `json:"way_flips"`
	Effort   *EffortDifference `json:"effort"` // additional effort of the configuration per query; nil if unpaired
}

// EffortDifference is the additional effort of one configuration per query: turns of a trace, and
// model calls and tokens of all roles.
type EffortDifference struct {
	Queries int   `json:"queries"` // pairs in which neither side lost a trace
	Steps   Shift `json:"steps"`
	Calls   Shift `json:"calls"`
	Tokens  Shift `json:"tokens"`
}

// Shift is a mean difference per query with Student's interval; nil for fewer than two queries, and without spread.
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
	Query         string `json:"query"`
	Category      string `json:"category"`
	Gain          bool   `json:"gain"`     // for the configuration; else a loss
	Baseline      string `json:"baseline"` // its decision: an answer, or the outcome in brackets
	Configuration string `json:"configuration"`
	Unscored      bool   `json:"unscored"` // the side that is not right has no verdict and counts as wrong
	Reason        string `json:"reason"`   // of the verdict on the side that is not right
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

// Family is what Holm's adjustment over a table requires of the first comparison (methods.md §5.5).
type Family struct {
	Comparisons int     `json:"comparisons"`  // without refused ones
	FirstLevel  float64 `json:"first_level"`  // that the smallest p must reach: .05 / Comparisons
	LeastLosses *int    `json:"least_losses"` // without gains that reach FirstLevel; nil for too few queries or pairs
	// MDE is the smallest drop that is detected at FirstLevel with power 0.8, at the baseline's rate
	// and over paired queries; of several, the smallest. Nil if none is.
	MDE *float64 `json:"mde"`
}
