package result

import (
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Schema is the name of the JSON form of a Result.
const Schema = "concur/summary/v1"

// Result is everything that is known of a run in numbers: summary.json, and what
// --format json prints. Undefined figures are nil.
type Result struct {
	Schema  string      `json:"schema"`
	Run     string      `json:"run"`
	State   store.State `json:"state"`
	Dataset Dataset     `json:"dataset"`
	Seed    int64       `json:"seed"`
	// Runs are the two that a comparison of runs is of, the baseline first; nil elsewhere.
	Runs []RunRef `json:"runs,omitempty"`
	// Ablation names the spec that an ablation was made from, and Baseline the configuration
	// that the others are held against; both "" for a single configuration.
	Ablation       string          `json:"ablation"`
	Baseline       string          `json:"baseline"`
	Configurations []Configuration `json:"configurations"`
	Comparisons    []Comparison    `json:"comparisons"` // of every other configuration with the baseline
	// Family says what the adjustment over all comparisons costs; nil without any.
	Family *Family `json:"family"`
	// Versions are those of rules and prompts in force, as in the run's manifest.
	Versions map[string]string `json:"versions"`
	Warnings []string          `json:"warnings"`
}

// RunRef names a run by the letter that stands before its configurations.
type RunRef struct {
	Label   string  `json:"label"`
	Run     string  `json:"run"`
	Seed    int64   `json:"seed"`
	Dataset Dataset `json:"dataset"`
}

// Dataset names what the run was over.
type Dataset struct {
	Name    string `json:"name"`
	Queries int    `json:"queries"`
	// Of is the number of queries before filters.
	Of   int    `json:"of"`
	Hash string `json:"hash"`
	// Categories are in the dataset's order, in which reports show them.
	Categories []string `json:"categories"`
}

// Configuration is the row of one configuration.
type Configuration struct {
	Name   string `json:"name"`
	Model  string `json:"model"`
	K      int    `json:"k"`
	Agent  string `json:"agent"`
	Note   string `json:"note"` // a remark of the spec's author
	Pass   string `json:"pass"` // whose verdict the counts are by: gold, correctness, quality, both
	Counts Counts `json:"counts"`
	// PassRate is correct/queries; nil without queries, and for a part of a run, of which only
	// Bounds are known.
	PassRate *float64 `json:"pass_rate"`
	// Bounds are the pass rates if all unscored queries were wrong, and right (Manski).
	Bounds *[2]float64 `json:"bounds"`
	CI     *Interval   `json:"ci"` // of PassRate, and nil with it; unscored queries count as wrong
	// Clustered allows for queries that stand or fall together; nil where each is one of its
	// own, and for a part of a run.
	Clustered   *Clustered        `json:"clustered"`
	ByCategory  map[string]Counts `json:"by_category"`
	Judge       Judge             `json:"judge"`
	Consensus   Consensus         `json:"consensus"`
	Citations   Citations         `json:"citations"`
	Reliability Reliability       `json:"reliability"`
	// KCurve is nil where it cannot be told from the votes; NoKCurve says why.
	KCurve     *KCurve    `json:"k_curve"`
	NoKCurve   string     `json:"no_k_curve"`
	Efficiency Efficiency `json:"efficiency"`
	// Confidence is nil for K=1, where no query is scored, and for a part of a run.
	Confidence *Confidence `json:"confidence"`
	Traces     Traces      `json:"traces"`
	Usage      store.Usage `json:"usage"`
	// USDPerQuery and USDPerCorrect are what a query with a record, and a correct one, cost;
	// nil without a price, or without any.
	USDPerQuery   *float64 `json:"usd_per_query"`
	USDPerCorrect *float64 `json:"usd_per_correct"`
	Timing        Timing   `json:"timing"`
}

// Counts counts queries by verdict; correct, incorrect and unscored sum to queries.
type Counts struct {
	Queries   int `json:"queries"`
	Correct   int `json:"correct"`
	Incorrect int `json:"incorrect"`
	Unscored  int `json:"unscored"`
	// Missing counts those of the unscored that have no record: the run is not complete.
	Missing int `json:"missing"`
}

// Interval is a confidence interval of a rate.
type Interval struct {
	Method string  `json:"method"`
	Level  float64 `json:"level"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// Clustered is the pass rate with queries of one cluster taken as a unit (methods.md §5.3).
// A query without a cluster is one of its own.
type Clustered struct {
	Clusters int      `json:"clusters"`
	SE       *float64 `json:"se"` // of the pass rate; nil of a single cluster
	// CI is at the effective number of queries; nil below ten clusters, whose error is not
	// known well enough.
	CI *Interval `json:"ci"`
}

// Judge is what judges that ask a model said. Rates are over all queries: one without a
// decided answer, or with an unscored judgement, does not pass. Figures are nil where no
// such judge gave a verdict.
type Judge struct {
	// CorrectnessModel and QualityModel are the judges that were configured; "" where there
	// is none. Threshold is the score, 1 to 5, from which they let an answer pass; nil without
	// either.
	CorrectnessModel string `json:"correctness_model"`
	QualityModel     string `json:"quality_model"`
	Threshold        *int   `json:"threshold"`

	QualityMean         *float64 `json:"quality_mean"` // of the scores there are, 1 to 5
	QualityPassRate     *float64 `json:"quality_pass_rate"`
	CorrectnessPassRate *float64 `json:"correctness_pass_rate"`
	// CorrectnessRead counts the verdicts of the correctness judge that its model was asked
	// for, CorrectnessFollowed those that followed from an equal answer, an empty one or the
	// outcome.
	CorrectnessRead     int `json:"correctness_read"`
	CorrectnessFollowed int `json:"correctness_followed"`
	// Unscored counts the judgements of either kind that gave no usable verdict.
	Unscored int `json:"unscored"`
	// Unread is what went to replies of the judges that could not be read.
	Unread Unread `json:"unread"`
	// Disagree counts the queries of which gold and correctness judge, both scored, say
	// different things: where to look first when either is doubted.
	Disagree int `json:"correctness_disagrees"`
}

// Consensus says how decisions came about.
type Consensus struct {
	Quorum  consensus.Quorum         `json:"quorum"`  // what a majority was of
	Methods map[consensus.Method]int `json:"methods"` // queries by method
	// CorrectByMethod counts the correct queries of each method: agreement is stability,
	// and only this tells how far it can be trusted.
	CorrectByMethod map[consensus.Method]int `json:"correct_by_method"`
	// MeanAgreement is the mean of m1/K over queries; nil for K=1.
	MeanAgreement *float64 `json:"mean_agreement"`
	// WithoutKCurve counts the queries whose votes alone do not tell what fewer traces
	// would have decided, since a model picked or picks before they are counted.
	WithoutKCurve int `json:"without_k_curve"`
	// VerifierErrors counts the questions that the verifier's model failed on.
	VerifierErrors int `json:"verifier_errors"`
	// VerifierUnread is what went to replies of verifier and picker that could not be read.
	VerifierUnread Unread `json:"verifier_unread"`
}

// Unread counts the replies that could not be read among all there were.
type Unread struct {
	Replies int `json:"replies"`
	Of      int `json:"of"`
	// Tokens is their share of all that the row took; nil where it took none.
	Tokens *float64 `json:"tokens"`
}

// Traces counts single traces.
type Traces struct {
	Total       int                      `json:"total"`
	Outcomes    map[trace.Outcome]int    `json:"outcomes"`
	StopReasons map[trace.StopReason]int `json:"stop_reasons"`
	Replies     int                      `json:"replies"` // of the agent's model
	Format      trace.Format             `json:"format"`  // faults of form, summed over traces
	// FormatRates are the faults of form per reply; nil without replies.
	FormatRates *FormatRates `json:"format_rates"`
	// Correct counts the traces that are right by the gold on their own, whatever Pass is.
	Correct int `json:"correct"`
	// QueriesWithoutValid counts the queries all of whose traces failed as infra.
	QueriesWithoutValid int `json:"queries_without_valid"`
}

// FormatRates are shares of the replies.
type FormatRates struct {
	Errors   float64 `json:"errors"`
	Repaired float64 `json:"repaired"`
	Invented float64 `json:"invented"`
}

// Timing is what may differ between equal runs, in seconds.
type Timing struct {
	TraceP50S *float64 `json:"trace_p50_s"`
	TraceP95S *float64 `json:"trace_p95_s"`
	WallS     *float64 `json:"wall_s"` // of the whole run without pauses; nil while it has no end
	// TracesS is what the traces took in sum, one after another: of rows that ran side by
	// side it is the only time that is one row's own. Nil without traces.
	TracesS   *float64 `json:"traces_s"`
	CallsSent int      `json:"calls_sent"`
	// VerifierUnread and JudgesUnread are the shares of the time of traces, verifier and judges,
	// one after another, that went to unreadable replies; nil where they took none.
	VerifierUnread *float64 `json:"verifier_unread"`
	JudgesUnread   *float64 `json:"judges_unread"`
}
