package result

import (
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Schema is the name of the JSON form of a Result.
const Schema = "concur/summary/v1"

// Result holds all figures of a run. It is the content of summary.json and the output of --format json.
// Undefined figures are nil.
type Result struct {
	Schema  string      `json:"schema"`
	Run     string      `json:"run"`
	State   store.State `json:"state"`
	Dataset Dataset     `json:"dataset"`
	Seed    int64       `json:"seed"`
	Runs    []RunRef    `json:"runs,omitempty"` // the runs of a comparison, the baseline first; else nil
	// Ablation is the name of the spec. Baseline is the configuration with which the others are compared. Both
	// are "" if there is only one configuration.
	Ablation       string            `json:"ablation"`
	Baseline       string            `json:"baseline"`
	Configurations []Configuration   `json:"configurations"`
	Comparisons    []Comparison      `json:"comparisons"` // of every other configuration with the baseline
	Family         *Family           `json:"family"`      // nil without comparisons
	Versions       map[string]string `json:"versions"`    // of rules and prompts, as in the run's manifest
	Warnings       []string          `json:"warnings"`
	Remarks        []string          `json:"remarks"` // about the whole run, in addition to the warnings
}

// RunRef is one of the runs of a comparison, with the letter that is put before the names of its configurations.
type RunRef struct {
	Label   string  `json:"label"`
	Run     string  `json:"run"`
	Seed    int64   `json:"seed"`
	Dataset Dataset `json:"dataset"`
}

// Dataset identifies the dataset of the run.
type Dataset struct {
	Name       string   `json:"name"`
	Queries    int      `json:"queries"`
	Of         int      `json:"of"` // queries before filters
	Hash       string   `json:"hash"`
	Categories []string `json:"categories"` // in the order of the dataset and of reports
}

// Configuration holds the figures of one configuration: a row of the tables.
type Configuration struct {
	Name string `json:"name"`
	// Title is the name of the configuration for people (see Titles). In a comparison of two runs, it says how
	// the runs differ.
	Title string `json:"title"`
	// Command is the command or address of an external agent; "" if the agent is concur's own. ModelUnused is
	// true if the external agent never called Model through the recording proxy.
	Command     string `json:"command"`
	ModelUnused bool   `json:"model_unused"`
	Model       string `json:"model"`
	K           int    `json:"k"`
	Agent       string `json:"agent"`
	// Sent is a digest of the settings of the requests as they were sent; "" if unknown. Rows with equal
	// digests have the same agent, even if Agent differs. Unset lists settings that were not sent because the
	// model does not accept them. If an earlier row sent the same requests and is counted in the same way,
	// SameAs is the name of the first such row; otherwise it is "".
	Sent   string     `json:"sent,omitempty"`
	Unset  []string   `json:"unset,omitempty"`
	SameAs string     `json:"same_as,omitempty"`
	Note   string     `json:"note"` // remark by the author of the spec
	Pass   judge.Mode `json:"pass"` // source of the verdicts that count: gold, correctness, quality, both
	Counts Counts     `json:"counts"`
	// PassRate is correct/queries. It is nil if there are no queries, and for an incomplete run; such a run has
	// only Bounds.
	PassRate *float64    `json:"pass_rate"`
	Bounds   *[2]float64 `json:"bounds"` // the pass rates if all unscored queries were wrong, or right (Manski)
	// CI is the interval of PassRate; nil if PassRate is nil. Unscored queries count as wrong. If queries have
	// clusters, clusters are the units.
	CI *Interval `json:"ci"`
	// BoundsCI covers the intervals of both bounds; nil if no query is unscored, and if CI is nil.
	BoundsCI *Interval `json:"bounds_ci"`
	// Clustered has the figures with clusters as units. It is nil if no queries depend on each other, and for
	// an incomplete run.
	Clustered  *Clustered        `json:"clustered"`
	Singles    *Singles          `json:"single_traces"` // nil for an incomplete run, and if no trace has a verdict
	ByCategory map[string]Counts `json:"by_category"`
	Labels     *Labels           `json:"labels"` // nil if people gave no labels
	Judged     *Rate             `json:"judged"` // pass rate before people's labels; nil for an incomplete run
	// Corrected is the rate of right answers if a judge decides; it is then the main figure of the row. It is
	// Judge.Corrected or Labels.Corrected, whichever has the narrower interval. It is nil if both are nil, and
	// if the gold decides all queries.
	Corrected *Corrected `json:"corrected"`
	Judge     Judge      `json:"judge"`
	Consensus Consensus  `json:"consensus"`
	Reading   *Reading   `json:"reading,omitempty"` // nil if rules read every answer, and no other type reads more
	Citations Citations  `json:"citations"`
	Calls     *Calls     `json:"calls"` // nil unless queries expect tool calls
	// Extras holds the figures of optional features that the agent used, by the feature's name
	// (runner/feature/registry). In JSON they are fields of the configuration.
	Extras map[string]any     `json:"-"`
	Tools  map[string]ToolUse `json:"tools,omitempty"` // of the tools that were called, by their names
	// Recovery is nil if no tool call failed. Forms is nil if the agent's model gave no reply.
	Recovery *Recovery `json:"recovery,omitempty"`
	Forms    *Forms    `json:"forms,omitempty"`
	// Stated is nil if the confidence check asked for no percentage, or if the model gave none.
	Stated *Stated `json:"stated_confidence,omitempty"`
	// Protocol says how tools are called: strategy and protocol, such as "react native"; "" for an external agent.
	Protocol    string      `json:"protocol,omitempty"`
	Reliability Reliability `json:"reliability"`
	Vote        *VoteWorth  `json:"vote"`    // nil for K=1, and if KCurve is nil
	KCurve      *KCurve     `json:"k_curve"` // nil if undefined; NoKCurve has the reason
	NoKCurve    string      `json:"no_k_curve"`
	Efficiency  Efficiency  `json:"efficiency"`
	Confidence  *Confidence `json:"confidence"` // nil for K=1, if no query is scored, and for an incomplete run
	Traces      Traces      `json:"traces"`
	Usage       store.Usage `json:"usage"`
	// USDPerQuery is the cost per query with a record, and USDPerCorrect the cost per correct query. They are
	// nil if the model has no price, or if there are no such queries.
	USDPerQuery   *float64 `json:"usd_per_query"`
	USDPerCorrect *float64 `json:"usd_per_correct"`
	Timing        Timing   `json:"timing"`
}

// Counts counts queries by verdict. Correct, Incorrect and Unscored add up to Queries.
type Counts struct {
	Queries   int `json:"queries"`
	Correct   int `json:"correct"`
	Incorrect int `json:"incorrect"`
	Unscored  int `json:"unscored"`
	Missing   int `json:"missing"` // unscored queries without a record, in an incomplete run
}

// missing returns the counts with n more queries without a record.
func (c Counts) missing(n int) Counts {
	c.Queries += n
	c.Unscored += n
	c.Missing += n
	return c
}

func (c Counts) plus(d Counts) Counts {
	return Counts{c.Queries + d.Queries, c.Correct + d.Correct, c.Incorrect + d.Incorrect, c.Unscored + d.Unscored,
		c.Missing + d.Missing}
}

// With returns the counts after adding one query with this verdict.
func (c Counts) With(v judge.Ruling) Counts {
	c.Queries++
	switch v {
	case judge.Correct:
		c.Correct++
	case judge.Unscored:
		c.Unscored++
	default:
		c.Incorrect++
	}
	return c
}

// SoFar returns the pass rate of the queries that have a record; nil before the first record. It does not
// predict the rate of the complete run, because slow queries are still missing.
func (c Counts) SoFar() *Rate { return newRate(c.Correct, c.Queries-c.Missing) }

// Clustered is the pass rate with clusters of queries as units (docs/method.md §5.3). A query without a cluster
// is a cluster by itself.
type Clustered struct {
	Clusters  int      `json:"clusters"`
	Effective float64  `json:"effective"` // number of clusters of equal size that carry the same information
	SE        *float64 `json:"se"`        // standard error of the pass rate, CR2; nil for a single cluster
	// CI uses the effective number of queries. It is nil if there are fewer than ten clusters or five effective
	// clusters, because SE is then too uncertain.
	CI       *Interval `json:"ci"`
	BoundsCI *Interval `json:"bounds_ci"` // as Configuration.BoundsCI
}

// Judge sums up the judges that ask a model. Rates are shares of all queries. A query does not pass if it has
// no decided answer, or if its judgement is unscored. Figures are nil if no such judge gave a verdict.
type Judge struct {
	// CorrectnessModel and QualityModel are the models of the configured judges; "" if there is no such judge.
	// Threshold is the lowest score that passes, 1 to 5; nil without judges.
	CorrectnessModel string `json:"correctness_model"`
	// Decides counts the queries that a judge, and not the gold, decides. The reason is the setting pass, or a
	// condition in the gold. Passed counts how many of these the judge passed; labels do not change it.
	Decides      int    `json:"decides"`
	Passed       int    `json:"passed"`
	QualityModel string `json:"quality_model"`
	Threshold    *int   `json:"threshold"`

	QualityMean         *float64 `json:"quality_mean"` // mean of the scores given, 1 to 5
	QualityPassRate     *float64 `json:"quality_pass_rate"`
	CorrectnessPassRate *float64 `json:"correctness_pass_rate"`
	// CorrectnessRead counts the correctness verdicts that a model gave. CorrectnessFollowed counts those that
	// followed from a rule: for an equal answer, an empty answer, or because of the outcome.
	CorrectnessRead     int    `json:"correctness_read"`
	CorrectnessFollowed int    `json:"correctness_followed"`
	Unscored            int    `json:"unscored"` // judgements of both kinds without a usable verdict
	Unread              Unread `json:"unread"`   // replies of the judges that could not be parsed
	// Calibration is the calibration of the correctness judge; nil without a calibration. Corrected is the pass rate
	// after a correction for the judge's errors, which the calibration shows. It is nil if there is no calibration, if
	// the judge does not decide every query, if the judge is no better than chance, and if a verdict is missing.
	Calibration *judge.Calibration  `json:"calibration"`
	Corrected   *Corrected          `json:"corrected"`
	Canaries    *judge.CanaryResult `json:"canaries"` // nil if no judge was asked canaries
	// Repeated counts the answers that were judged more than once. Flips counts how many of these got different
	// verdicts. FlipRate is nil if Repeated is 0.
	Repeated int          `json:"repeated"`
	Flips    int          `json:"flips"`
	FlipRate *float64     `json:"flip_rate"`
	Panel    *Panel       `json:"panel"`  // nil for a single judge
	Rubric   []RubricItem `json:"rubric"` // nil if there is no rubric
	// RubricScore is the weighted share of the rubric's questions that were answered with yes, over all
	// queries. It is nil if no question was answered.
	RubricScore *float64 `json:"rubric_score"`
	// Disagree counts queries on which gold and correctness judge have different verdicts, both scored. If you
	// doubt the gold or the judge, look at these queries first.
	Disagree int `json:"correctness_disagrees"`
}

// Consensus counts the decisions by method, and the work of verifier and picker.
type Consensus struct {
	Quorum  consensus.Quorum         `json:"quorum"`  // the number of votes that a majority is taken of
	Methods map[consensus.Method]int `json:"methods"` // queries by method
	// CorrectByMethod has, for each method in Methods, the number of correct queries. It shows how reliable
	// each method is.
	CorrectByMethod map[consensus.Method]int `json:"correct_by_method"`
	// MeanAgreement is the mean of m1/K (the share of traces in the largest class) over the queries that lost
	// no trace and no vote. It is nil for K=1, and if there are no such queries.
	MeanAgreement *float64 `json:"mean_agreement"`
	// WithoutKCurve counts queries that a model decided before votes were counted. For such queries, the votes
	// do not show what fewer traces would have decided.
	WithoutKCurve  int    `json:"without_k_curve"`
	VerifierErrors int    `json:"verifier_errors"` // questions for which the verifier's model failed
	VerifierUnread Unread `json:"verifier_unread"` // replies of verifier and picker that could not be parsed
	// VerifierCanaries is the verifier's result on its canaries; nil if it was asked none. If it missed a
	// canary, it was asked nothing else.
	VerifierCanaries *consensus.CanaryResult `json:"verifier_canaries,omitempty"`
	PickCanaries     *consensus.CanaryResult `json:"pick_canaries,omitempty"` // as VerifierCanaries, for the picker
}

// Unread counts the replies that could not be parsed.
type Unread struct {
	Replies int      `json:"replies"`
	Of      int      `json:"of"`
	Tokens  *float64 `json:"tokens"` // their share of all tokens of the row; nil if the row has no tokens
}

// Traces counts single traces.
type Traces struct {
	Total       int                      `json:"total"`
	Outcomes    map[trace.Outcome]int    `json:"outcomes"`
	StopReasons map[trace.StopReason]int `json:"stop_reasons"`
	Replies     int                      `json:"replies"`      // replies of the agent's model
	Format      trace.Format             `json:"format"`       // faults of form, summed over the traces
	FormatRates *FormatRates             `json:"format_rates"` // nil without replies
	// FreeText counts answers that are compared as text, not as values of a type.
	FreeText int `json:"free_text"`
	// Unsteady counts, by check, the traces for which the program of the check gave different results on the
	// same message.
	Unsteady            map[string]int `json:"unsteady_checks,omitempty"`
	Correct             int            `json:"correct"`               // traces with a correct verdict
	QueriesWithoutValid int            `json:"queries_without_valid"` // queries whose traces all failed as infra
	// Causes are the most frequent reasons why traces failed, the most frequent first; at most five.
	Causes []Cause `json:"causes"`
	// QueriesUndecided counts queries that have no verdict because the program or the model of a check failed.
	// Undecided has the most frequent reasons, at most five; nil without such queries.
	QueriesUndecided int     `json:"queries_undecided,omitempty"`
	Undecided        []Cause `json:"undecided_checks,omitempty"`
}

// FormatRates are the faults of form per reply.
type FormatRates struct {
	Errors   float64 `json:"errors"`
	Repaired float64 `json:"repaired"`
	Invented float64 `json:"invented"`
}

// Timing has durations in seconds. Two equal runs may have different durations. Lost traces are left out.
type Timing struct {
	TraceP50S *float64 `json:"trace_p50_s"`
	TraceP95S *float64 `json:"trace_p95_s"`
	WallS     *float64 `json:"wall_s"` // whole run without pauses; nil while the run has not ended
	// TracesS is the sum of the durations of traces. If rows ran at the same time, this is the only duration
	// that can be measured for one row. It is nil without traces.
	TracesS   *float64 `json:"traces_s"`
	CallsSent int      `json:"calls_sent"`
	// VerifierUnread and JudgesUnread are the times that replies took which could not be parsed, as shares of
	// the total time of traces, verifier and judges. Both are nil if the total is 0.
	VerifierUnread *float64 `json:"verifier_unread"`
	JudgesUnread   *float64 `json:"judges_unread"`
}
