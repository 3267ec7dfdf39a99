package result

import "github.com/seed-5817661a/concur/ablations/sent"

// Call is the conclusion of a comparison.
type Call string

// The calls, which are the words that a comparison can end with. "No significant difference" is not a call: an
// effect may exist although it was not detected. Undetermined is reported together with the smallest effect
// that could have been detected.
const (
	Better       Call = "better"
	Worse        Call = "worse"
	Equivalent   Call = "equivalent" // within the margin
	NotWorse     Call = "not_worse"  // not worse by the margin or more; only if NotWorse was allowed
	Undetermined Call = "undetermined"
)

// Comparison compares one configuration with the baseline on the same queries (docs/method.md
// §5.4 to 5.6). Unscored queries count as incorrect.
type Comparison struct {
	Baseline      string  `json:"baseline"`
	Configuration string  `json:"configuration"`
	Refused       *string `json:"refused"`  // reason not to compare: a hidden setting differs; without figures
	Pairing       Pairing `json:"pairing"`  // "" if refused
	Queries       int     `json:"queries"`  // pairs of queries; if unpaired, queries of the configuration
	LeftOut       *string `json:"left_out"` // on queries that only one side has; nil if both have all, or unpaired
	Losses        *int    `json:"losses"`   // queries that are right only in the baseline; nil if unpaired
	Gains         *int    `json:"gains"`    // queries that are right only in the configuration; nil if unpaired
	// CorrectBefore and CorrectNow count the correct queries among the compared queries. If some queries have
	// no pair, these counts are smaller than the counts in the rows. They are nil if nothing is compared.
	CorrectBefore *int     `json:"correct_before"` // of the baseline
	CorrectNow    *int     `json:"correct_now"`    // of the configuration
	Differs       []string `json:"differs"`        // settings, as "key: value, now value"; nil if not requested
	// Sent compares what the agents of two runs sent to their models; nil for configurations of one run.
	Sent       *sent.Comparison `json:"sent"`
	Difference *float64         `json:"difference"` // of the pass rates, now minus before; nil without queries
	// CI is the 95 % interval of Difference, by the method tango, tango-cr2 (by clusters) or newcombe
	// (unpaired). CI90 is the 90 % interval. In a table with one comparison, the row is equal if CI90 is within
	// the margin. Both are nil if there are too few clusters, or if their sizes differ too much.
	CI   *Interval `json:"ci"`
	CI90 *Interval `json:"ci90"`
	// P is the p-value of Difference; nil if there are too few clusters. PEqual is the p-value for the
	// hypothesis "the rates differ by the margin or more", by two one-sided tests.
	P          *float64 `json:"p"`
	PHolm      *float64 `json:"p_holm"` // P adjusted over all comparisons of the table except refused ones
	PEqual     *float64 `json:"p_equal"`
	PEqualHolm *float64 `json:"p_equal_holm"`
	// PNotWorse is the p-value for the hypothesis "worse by the margin or more", by a one-sided test.
	PNotWorse     *float64 `json:"p_not_worse"`
	PNotWorseHolm *float64 `json:"p_not_worse_holm"`
	// Method is the test that gave P: mcnemar-midp, sign-flip (by clusters) or fisher (unpaired). It is "" if
	// the rows are not compared.
	Method string `json:"method"`
	// Clusters describes the clusters. It is nil if queries are the units: no cluster has two of the compared
	// queries, or the queries are unpaired.
	Clusters *ClusterUnits `json:"clusters"`
	// Singles compares the means of single traces. It is nil if the queries are unpaired, if the rows are not
	// compared, or if traces have no verdicts.
	Singles *SinglesComparison `json:"single_traces"`
	// Corrected is the difference in right answers if a judge decides. It is nil if the gold decides, if one of
	// the rows has no corrected rate, or if the difference is unknown. Difference, CI, P and Call describe the
	// answers that the judge passed.
	Corrected *CorrectedDifference `json:"corrected"`
	// Unsized is true if at least one row has a corrected rate, but the size of the difference in right answers
	// is unknown, so that Corrected is nil. Difference is then not the difference of the rates of the rows.
	Unsized bool `json:"unsized"`
	// JudgeErrors has the judge's errors in each of the two rows, if people labelled answers of both. It is nil
	// unless the errors differ significantly.
	JudgeErrors *JudgeErrors `json:"judge_errors"`
	Margin      float64      `json:"margin"` // difference within which pass rates count as equivalent
	Call        Call         `json:"call"`   // "" if refused
	// CallAsCounted is the call with unscored queries counted as wrong. It is set only if Call is undetermined
	// just because of CallIfScored, and is otherwise nil.
	CallAsCounted *Call `json:"call_as_counted"`
	// CallIfScored is a different call that is possible if all queries were scored: with all unscored queries
	// right or, if that gives the same call, with those of one side right. If it is set, Call is undetermined.
	// It is nil if all four cases give one call.
	CallIfScored *Call `json:"call_if_scored"`
	// MDE is the smallest drop that the test detects with power 0.8, given the spread of the baseline's
	// queries. It is without Holm's adjustment. It is nil if even a drop to 0 is detected with less power.
	// MDEHolm is the smallest drop for the comparison with the smallest p of the table. MDEAtMost is true if
	// both are upper bounds: with one trace per query, the spread of queries is unknown.
	MDE       *float64 `json:"mde"`
	MDEHolm   *float64 `json:"mde_holm"`
	MDEAtMost bool     `json:"mde_at_most"`
	Flips     []Flip   `json:"flips"` // by query id
	// WayFlips lists traces that have the same index, and so the same seed, on both sides and give the same
	// answer, where only one of the two made the expected tool calls.
	WayFlips []WayFlip         `json:"way_flips"`
	Effort   *EffortDifference `json:"effort"` // additional effort of the configuration per query; nil if unpaired
}

// CorrectedDifference is the difference in right answers, configuration minus baseline. It is estimated from
// the difference in answers that a judge passed.
type CorrectedDifference struct {
	Method     string   `json:"method"` // ByCalibration or ByLabels
	Labels     int      `json:"labels"` // number of labels; with ByLabels, of queries with labels on both answers
	Difference float64  `json:"difference"`
	CI         Interval `json:"ci"` // 95 %, including the judge's errors
	// MDE and MDEHolm are the smallest drops of the comparison, converted to points of right answers. They are
	// nil if the judge's errors are unknown.
	MDE     *float64 `json:"mde"`
	MDEHolm *float64 `json:"mde_holm"`
}

// The methods of a CorrectedDifference.
const (
	ByCalibration = "Rogan-Gladen"
	ByLabels      = "PPI++"
)

// JudgeErrors has the share of right answers and the share of wrong answers that a judge passed, for each of
// two rows.
type JudgeErrors struct {
	RightPassed [2]float64 `json:"right_passed"` // in the baseline, and in the configuration
	WrongPassed [2]float64 `json:"wrong_passed"`
}

// Effects returns the smallest drops that the comparison detects: alone as a single comparison, and holm as the
// comparison with the smallest p of its table. If the rows have corrected rates, the drops are in right
// answers.
func (c Comparison) Effects() (alone, holm *float64) {
	if c.Corrected != nil {
		return c.Corrected.MDE, c.Corrected.MDEHolm
	}
	return c.MDE, c.MDEHolm
}

// Effects returns the smallest drops that single traces detect, as Comparison.Effects does.
func (s SinglesComparison) Effects() (alone, holm *float64) {
	if s.Corrected != nil {
		return s.Corrected.MDE, s.Corrected.MDEHolm
	}
	return s.MDE, s.MDEHolm
}

// ClusterUnits describes the clusters of the compared queries (docs/method.md §5.3).
type ClusterUnits struct {
	Clusters  int     `json:"clusters"`
	Effective float64 `json:"effective"` // number of clusters of equal size that carry the same information
	Differing int     `json:"differing"` // clusters whose numbers of lost and gained queries differ
	// Enough is false if there are fewer than ten clusters or five effective clusters. Then there is no
	// interval and no call, and Table lists the clusters, the largest first. Otherwise Table is empty.
	Enough bool          `json:"enough"`
	Table  []ClusterPair `json:"table"`
	// Renamed is true if the two sides assign queries to different clusters. In that case the baseline's
	// clusters are used.
	Renamed bool `json:"renamed"`
}

// ClusterPair counts the right queries of one cluster on the two sides.
type ClusterPair struct {
	Cluster       string `json:"cluster"`
	Queries       int    `json:"queries"`
	CorrectBefore int    `json:"correct_before"`
	CorrectNow    int    `json:"correct_now"`
}

// SinglesComparison compares two means over queries of the share of right traces (docs/method.md §5.4). It
// detects smaller changes than a comparison of votes, because a vote of a query is only right or wrong.
type SinglesComparison struct {
	Queries int `json:"queries"` // pairs in which both sides have a trace with a verdict
	Dropped int `json:"dropped"` // other pairs
	// Unruled counts traces without a verdict. They are left out. If they are more than 2 % of the traces of
	// one side, all other figures are nil and Call is "".
	Unruled    int      `json:"unruled"`
	Before     *float64 `json:"before"` // mean of the baseline over the pairs
	Now        *float64 `json:"now"`
	Difference *float64 `json:"difference"`
	// CI is the 95 % interval by the method tango-cr2. It is nil if there are fewer than three queries, or too
	// few clusters.
	CI *Interval `json:"ci"`
	// PT is the p-value of the score t test. PSignFlip is the p-value of the sign-flip test over units. Method
	// is the test that decides the call: score-t, or sign-flip (by clusters). PHolm is the p-value of that
	// test, adjusted over the rows of the table.
	PT         *float64 `json:"p_t"`
	PSignFlip  *float64 `json:"p_sign_flip"`
	Method     string   `json:"method"`
	PHolm      *float64 `json:"p_holm"`
	PEqual     *float64 `json:"p_equal"` // of "the means differ by the margin or more", at most one bit per query
	PEqualHolm *float64 `json:"p_equal_holm"`
	// PNotWorse is the p-value for the hypothesis "worse by the margin or more". For it, a query counts as at
	// most one observation.
	PNotWorse     *float64 `json:"p_not_worse"`
	PNotWorseHolm *float64 `json:"p_not_worse_holm"`
	Call          Call     `json:"call"` // never better or worse if fewer than six units differ
	MDE           *float64 `json:"mde"`
	MDEHolm       *float64 `json:"mde_holm"`
	// Corrected is as for votes, but only from a calibration.
	Corrected *CorrectedDifference `json:"corrected"`
	// ToDetect is the size that a comparison needs to detect a drop of ten points. It is nil if the present
	// queries are enough, or if Call is not undetermined.
	ToDetect *ToDetect `json:"to_detect"`
	// MayMiss is true if the comparison may not see a change that breaks only a few queries. This is so if
	// there are few queries with many traces, nearly all right.
	MayMiss bool `json:"may_miss"`
}

// P returns the p-value that decides the call; nil if it is undefined.
func (s SinglesComparison) P() *float64 {
	if s.Method == "sign-flip" {
		return s.PSignFlip
	}
	return s.PT
}

// ToDetect is the number of queries, or of traces per query, that single traces need to detect a drop with
// power 0.8 at the level of the table.
type ToDetect struct {
	Drop    float64 `json:"drop"`
	Queries *int    `json:"queries"` // with the same K; nil if more than 100,000
	K       *int    `json:"k"`       // with the same queries; nil if more than ten
}

// EffortDifference is how much more effort a configuration needs per query than the baseline: turns of a trace,
// model calls, and tokens of all roles.
type EffortDifference struct {
	Queries int   `json:"queries"` // pairs of which neither side lost a trace
	Steps   Shift `json:"steps"`
	// StepsShare is Steps as a share of the baseline's steps: −0.4 means 40 % fewer steps. It is nil if the
	// baseline has no steps.
	StepsShare *Shift `json:"steps_share"`
	Calls      Shift  `json:"calls"`
	Tokens     Shift  `json:"tokens"`
}

// Shift is a mean difference per query with Student's interval. The interval is nil if there are fewer than two
// queries, or if all differences are equal.
type Shift struct {
	Difference float64   `json:"difference"`
	CI         *Interval `json:"ci"`
}

// Pairing says how queries are compared.
type Pairing string

const (
	Paired   Pairing = "paired"
	Unpaired Pairing = "unpaired"
)

// Flip is a query with different verdicts on the two sides.
type Flip struct {
	Query         string `json:"query"`
	Category      string `json:"category"`
	Gain          bool   `json:"gain"`     // the configuration is right and the baseline is not; false for a loss
	Baseline      string `json:"baseline"` // decision of the baseline: an answer, or the outcome in brackets
	Configuration string `json:"configuration"`
	Unscored      bool   `json:"unscored"` // the side that is not right has no verdict, which counts as wrong
	Reason        string `json:"reason"`   // reason for the verdict on the side that is not right
}

// WayFlip is a trace that has the same answer on both sides, but different tool calls.
type WayFlip struct {
	Query    string `json:"query"`
	Category string `json:"category"`
	Trace    int    `json:"trace"`
	Gain     bool   `json:"gain"` // the configuration's calls are right; false: the baseline's are
	Answer   string `json:"answer"`
	Reason   string `json:"reason"` // why the other side's calls are wrong
}

// Family states what Holm's adjustment over a table requires of the comparison with the smallest p
// (docs/method.md §5.5).
type Family struct {
	Comparisons int     `json:"comparisons"`  // number of comparisons without refused ones
	FirstLevel  float64 `json:"first_level"`  // level for the smallest p: .05 / Comparisons
	LeastLosses *int    `json:"least_losses"` // losses, without gains, that reach FirstLevel; nil if impossible
	// MDE is the smallest drop that a comparison of the table detects at FirstLevel with power 0.8, at the
	// baseline's rate and with paired queries. It is nil if no drop is detected.
	MDE *float64 `json:"mde"`
	// SinglesMDE is the smallest drop for single traces. MDEAtMost is true if MDE and SinglesMDE are upper
	// bounds.
	SinglesMDE *float64 `json:"single_traces_mde"`
	MDEAtMost  bool     `json:"mde_at_most"`
}
