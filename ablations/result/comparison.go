package result

// Call is the conclusion of a comparison.
type Call string

// "No significant difference" is not a call: an effect that was not detected may exist.
// Undetermined comes with the smallest effect that could have been detected.
const (
	Better       Call = "better"
	Worse        Call = "worse"
	Equivalent   Call = "equivalent" // within the margin
	NotWorse     Call = "not_worse"  // by the margin or more; a call only where the margin was stated
	Undetermined Call = "undetermined"
)

// Comparison compares one configuration with the baseline on the same queries (docs/method.md
// §5.4 to 5.6). Unscored queries count as incorrect.
type Comparison struct {
	Baseline      string  `json:"baseline"`
	Configuration string  `json:"configuration"`
	Refused       *string `json:"refused"`  // a setting that differs but is not in the table: there are no figures
	Pairing       Pairing `json:"pairing"`  // "" if refused
	Queries       int     `json:"queries"`  // pairs; if unpaired, the queries of the configuration
	LeftOut       *string `json:"left_out"` // queries that only one of the two has; nil if unpaired or without any
	Losses        *int    `json:"losses"`   // queries that only the baseline has right; nil if unpaired
	Gains         *int    `json:"gains"`    // queries that only the configuration has right; nil if unpaired
	// CorrectBefore and CorrectNow count the correct ones of the compared queries, of which there
	// are fewer than in the rows if only some are paired; nil if nothing is compared.
	CorrectBefore *int     `json:"correct_before"` // of the baseline
	CorrectNow    *int     `json:"correct_now"`    // of the configuration
	Differs       []string `json:"differs"`        // settings, as "key: value, now value"; nil if not requested
	Difference    *float64 `json:"difference"`     // of the pass rates, now minus before; nil without queries
	// CI is of the difference, 95 %: tango, tango-cr2 by clusters, or newcombe if unpaired; CI90 is the 90 % interval,
	// within which a single row must lie to be equal. Both are nil where clusters are too few or too unequal.
	CI   *Interval `json:"ci"`
	CI90 *Interval `json:"ci90"`
	// P is nil if clusters are too few; PEqual is the p-value of two one-sided tests of "apart by the margin or
	// more".
	P          *float64 `json:"p"`
	PHolm      *float64 `json:"p_holm"` // adjusted over all comparisons of the table except refused ones
	PEqual     *float64 `json:"p_equal"`
	PEqualHolm *float64 `json:"p_equal_holm"`
	// PNotWorse is the p-value of the one-sided test of "worse by the margin or more".
	PNotWorse     *float64 `json:"p_not_worse"`
	PNotWorseHolm *float64 `json:"p_not_worse_holm"`
	// of P: mcnemar-midp, sign-flip by clusters, or fisher if unpaired; "" if refused
	Method string `json:"method"`
	// Clusters is nil if queries are the units: no cluster has two of the compared queries, or they are
	// unpaired.
	Clusters *ClusterUnits `json:"clusters"`
	// Singles compares the means of single traces; nil if unpaired, refused, or without verdicts on traces.
	Singles *SinglesComparison `json:"single_traces"`
	// Corrected is the difference in right answers, if a judge decides and the rows have corrected rates; nil
	// otherwise, and if it is unknown. Difference, CI, P and Call are then about the answers that the judge
	// passed.
	Corrected *CorrectedDifference `json:"corrected"`
	// Unsized reports that a row has a corrected rate but Corrected is nil: the size of the difference in
	// right answers is unknown, and Difference is about the answers that the judge passed, not about the rows'
	// rates.
	Unsized bool `json:"unsized"`
	// JudgeErrors holds the judge's errors on the two sides, by labels on both; nil unless they are shown to
	// differ.
	JudgeErrors *JudgeErrors `json:"judge_errors"`
	Margin      float64      `json:"margin"` // within which pass rates count as equivalent
	Call        Call         `json:"call"`   // "" if refused
	// CallAsCounted is the call with unscored queries counted as wrong, if Call is
	// undetermined only because CallIfScored differs from it; nil otherwise.
	CallAsCounted *Call `json:"call_as_counted"`
	// CallIfScored is another call that scoring the unscored queries could lead to: with all of them right or, if
	// that is the same, those of one side. Call is undetermined then; nil if all four cases give one call.
	CallIfScored *Call `json:"call_if_scored"`
	// MDE is the smallest drop that the test detects with power 0.8, by the spread of the baseline's queries
	// and without Holm's adjustment; nil if even a drop to 0 is detected less often. MDEHolm is the same for
	// the smallest p of the table. MDEAtMost reports that both are upper bounds, because with one trace per
	// query the spread of queries is unknown.
	MDE       *float64 `json:"mde"`
	MDEHolm   *float64 `json:"mde_holm"`
	MDEAtMost bool     `json:"mde_at_most"`
	Flips     []Flip   `json:"flips"` // by the ids of queries
	// WayFlips are traces of the same index, and so seed, with the same answer on both sides, of
	// which only one made the tool calls that its query expects.
	WayFlips []WayFlip         `json:"way_flips"`
	Effort   *EffortDifference `json:"effort"` // additional effort of the configuration per query; nil if unpaired
}

// CorrectedDifference is a difference in right answers, now minus before, estimated from a difference in
// answers that a judge passed.
type CorrectedDifference struct {
	Method     string   `json:"method"` // ByCalibration or ByLabels
	Labels     int      `json:"labels"` // labels used; with ByLabels, queries with both answers labelled
	Difference float64  `json:"difference"`
	CI         Interval `json:"ci"` // 95 %, with the error of the judge
	// MDE and MDEHolm are the comparison's in points of right answers; nil if the judge's errors are unknown.
	MDE     *float64 `json:"mde"`
	MDEHolm *float64 `json:"mde_holm"`
}

// Methods of a CorrectedDifference.
const (
	ByCalibration = "Rogan-Gladen"
	ByLabels      = "PPI++"
)

// JudgeErrors are the shares of right answers, and of wrong ones, that a judge passed in each of two rows.
type JudgeErrors struct {
	RightPassed [2]float64 `json:"right_passed"` // of the baseline, and of the configuration
	WrongPassed [2]float64 `json:"wrong_passed"`
}

// Effects returns the smallest drops that the comparison detects, alone and as the smallest p of its table.
// They are about right answers if the rows have corrected rates.
func (c Comparison) Effects() (alone, holm *float64) {
	if c.Corrected != nil {
		return c.Corrected.MDE, c.Corrected.MDEHolm
	}
	return c.MDE, c.MDEHolm
}

// Effects returns the smallest drops that single traces detect.
func (s SinglesComparison) Effects() (alone, holm *float64) {
	if s.Corrected != nil {
		return s.Corrected.MDE, s.Corrected.MDEHolm
	}
	return s.MDE, s.MDEHolm
}

// ClusterUnits are the clusters of the compared queries (docs/method.md §5.3).
type ClusterUnits struct {
	Clusters  int     `json:"clusters"`
	Effective float64 `json:"effective"` // number of clusters of equal size with the same information
	Differing int     `json:"differing"` // in which more queries were lost than gained, or fewer
	// Enough is false with fewer than ten clusters or five effective ones. Then there is no interval and no
	// call, and Table lists the clusters, largest first; otherwise Table is empty.
	Enough bool          `json:"enough"`
	Table  []ClusterPair `json:"table"`
	// Renamed reports that the two sides divide queries into different clusters; the baseline's are used.
	Renamed bool `json:"renamed"`
}

// ClusterPair counts the right queries of a cluster on the two sides.
type ClusterPair struct {
	Cluster       string `json:"cluster"`
	Queries       int    `json:"queries"`
	CorrectBefore int    `json:"correct_before"`
	CorrectNow    int    `json:"correct_now"`
}

// SinglesComparison compares means over queries of the share of right traces (docs/method.md §5.4). It detects
// smaller changes than votes do, which have only one bit per query.
type SinglesComparison struct {
	Queries int `json:"queries"` // pairs with a trace that has a verdict on both sides
	Dropped int `json:"dropped"` // pairs without such a trace
	// Unruled counts traces without a verdict, which are left out. If they are more than 2 % of a side, all
	// other figures are nil and Call is "".
	Unruled    int      `json:"unruled"`
	Before     *float64 `json:"before"` // mean of the baseline over these queries
	Now        *float64 `json:"now"`
	Difference *float64 `json:"difference"`
	// CI is the 95 % interval tango-cr2; nil for fewer than three queries, and if clusters are too few.
	CI *Interval `json:"ci"`
	// PT is the p-value of the score t, PSignFlip that of the sign-flip test over units. Method names the one
	// that decides the call: score-t, or sign-flip by clusters. PHolm adjusts it over the rows of the table.
	PT         *float64 `json:"p_t"`
	PSignFlip  *float64 `json:"p_sign_flip"`
	Method     string   `json:"method"`
	PHolm      *float64 `json:"p_holm"`
	PEqual     *float64 `json:"p_equal"` // of "apart by the margin or more", with a query as one bit at most
	PEqualHolm *float64 `json:"p_equal_holm"`
	// PNotWorse is the p-value of "worse by the margin or more", with a query as one bit at most.
	PNotWorse     *float64 `json:"p_not_worse"`
	PNotWorseHolm *float64 `json:"p_not_worse_holm"`
	Call          Call     `json:"call"` // not better or worse if fewer than six units differ
	MDE           *float64 `json:"mde"`
	MDEHolm       *float64 `json:"mde_holm"`
	// Corrected is like the votes' Corrected, but by a calibration only.
	Corrected *CorrectedDifference `json:"corrected"`
	// ToDetect is what a comparison would need to detect a drop of ten points; nil if these queries suffice,
	// or if Call is not undetermined.
	ToDetect *ToDetect `json:"to_detect"`
	// MayMiss reports that a change that breaks few queries may be missed, because there are few queries with
	// many traces, nearly all right.
	MayMiss bool `json:"may_miss"`
}

// P returns the p-value that decides the call; nil if it is undefined.
func (s SinglesComparison) P() *float64 {
	if s.Method == "sign-flip" {
		return s.PSignFlip
	}
	return s.PT
}

// ToDetect is the number of queries, or of traces per query, with which single traces detect a drop with power
// 0.8 at the table's level.
type ToDetect struct {
	Drop    float64 `json:"drop"`
	Queries *int    `json:"queries"` // with the same K; nil for more than 100,000
	K       *int    `json:"k"`       // with the same queries; nil if ten traces are too few
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

// WayFlip is a trace that reaches the same answer by different tool calls.
type WayFlip struct {
	Query    string `json:"query"`
	Category string `json:"category"`
	Trace    int    `json:"trace"`
	Gain     bool   `json:"gain"` // the configuration's calls are right; else the baseline's
	Answer   string `json:"answer"`
	Reason   string `json:"reason"` // why the calls of the other side are wrong
}

// Family is what Holm's adjustment over a table requires of the first comparison (docs/method.md §5.5).
type Family struct {
	Comparisons int     `json:"comparisons"`  // without refused ones
	FirstLevel  float64 `json:"first_level"`  // that the smallest p must reach: .05 / Comparisons
	LeastLosses *int    `json:"least_losses"` // without gains that reach FirstLevel; nil for too few queries or pairs
	// MDE is the smallest drop that is detected at FirstLevel with power 0.8, at the baseline's rate
	// and over paired queries; of several, the smallest. Nil if none is.
	MDE *float64 `json:"mde"`
	// SinglesMDE is the same for single traces; MDEAtMost reports that both are upper bounds.
	SinglesMDE *float64 `json:"single_traces_mde"`
	MDEAtMost  bool     `json:"mde_at_most"`
}
