package result

import (
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Schema is the name of the JSON form of a Result.
const Schema = "concur/summary/v1"

// Result holds all figures of a run: it is summary.json, and the output of --format json. A figure that is
// undefined is nil.
type Result struct {
	Schema  string      `json:"schema"`
	Run     string      `json:"run"`
	State   store.State `json:"state"`
	Dataset Dataset     `json:"dataset"`
	Seed    int64       `json:"seed"`
	Runs    []RunRef    `json:"runs,omitempty"` // of a comparison of runs, the baseline first; nil otherwise
	// Ablation names the spec of an ablation, Baseline the configuration that the others are
	// compared with; both "" for a single configuration.
	Ablation       string            `json:"ablation"`
	Baseline       string            `json:"baseline"`
	Configurations []Configuration   `json:"configurations"`
	Comparisons    []Comparison      `json:"comparisons"` // of every other configuration with the baseline
	Family         *Family           `json:"family"`      // nil without comparisons
	Versions       map[string]string `json:"versions"`    // of rules and prompts, as in the run's manifest
	Warnings       []string          `json:"warnings"`
	Remarks        []string          `json:"remarks"` // about the whole run, in addition to the warnings
}

// RunRef names a run by the letter that precedes its configurations.
type RunRef struct {
	Label   string  `json:"label"`
	Run     string  `json:"run"`
	Seed    int64   `json:"seed"`
	Dataset Dataset `json:"dataset"`
}

// Dataset names the dataset of the run.
type Dataset struct {
	Name       string   `json:"name"`
	Queries    int      `json:"queries"`
	Of         int      `json:"of"` // queries before filters
	Hash       string   `json:"hash"`
	Categories []string `json:"categories"` // in the dataset's order, in which reports show them
}

// Configuration is the row of one configuration.
type Configuration struct {
	Name string `json:"name"`
	// Title is the name for people, see Titles. In a comparison of two runs it names their difference.
	Title string `json:"title"`
	// Command is the command or address of an external agent; "" for another agent. ModelUnused reports that
	// such an agent never called Model through the recording proxy.
	Command     string `json:"command"`
	ModelUnused bool   `json:"model_unused"`
	Model       string `json:"model"`
	K           int    `json:"k"`
	Agent       string `json:"agent"`
	// Sent is a digest of the requests' settings as sent. Rows with the same digest are the same agent, even
	// if Agent differs; "" if unknown. Unset lists settings that were not sent, because the model does not
	// accept them. SameAs names the first row that sent the same and is counted in the same way; "" for that
	// row itself.
	Sent   string     `json:"sent,omitempty"`
	Unset  []string   `json:"unset,omitempty"`
	SameAs string     `json:"same_as,omitempty"`
	Note   string     `json:"note"` // a remark of the spec's author
	Pass   judge.Mode `json:"pass"` // source of the verdicts that are counted: gold, correctness, quality, both
	Counts Counts     `json:"counts"`
	// PassRate is correct/queries; nil without queries, and for an incomplete run, which has only Bounds.
	PassRate *float64    `json:"pass_rate"`
	Bounds   *[2]float64 `json:"bounds"` // the pass rates if all unscored queries were wrong, or right (Manski)
	// CI is of PassRate, nil with it; unscored queries count as wrong. It is by clusters where there are any.
	CI *Interval `json:"ci"`
	// BoundsCI reaches over the intervals of both bounds; nil if nothing is unscored, and with CI.
	BoundsCI *Interval `json:"bounds_ci"`
	// Clustered allows for dependent queries; nil without any, and for an incomplete run.
	Clustered  *Clustered        `json:"clustered"`
	Singles    *Singles          `json:"single_traces"` // nil for an incomplete run, and without a verdict on a trace
	ByCategory map[string]Counts `json:"by_category"`
	Labels     *Labels           `json:"labels"` // nil without labels of people
	Judged     *Rate             `json:"judged"` // the pass rate before labels of people; nil for an incomplete run
	// Corrected is the rate of right answers if a judge decides, which is the row's headline. It is
	// Judge.Corrected or Labels.Corrected, whichever has the narrower interval. Nil without either, and if the
	// gold decides all.
	Corrected *Corrected `json:"corrected"`
	Judge     Judge      `json:"judge"`
	Consensus Consensus  `json:"consensus"`
	Reading   *Reading   `json:"reading,omitempty"` // nil if rules read every answer that any type would
	Citations Citations  `json:"citations"`
	Calls     *Calls     `json:"calls"` // nil unless queries expect tool calls
	// Extras holds the figures of features that the agent used, by name (runner/feature/registry). In JSON they are
	// fields of the configuration.
	Extras map[string]any `json:"-"`
	// Recovery is nil unless a tool call failed, Forms without a reply of the agent's model.
	Recovery *Recovery `json:"recovery,omitempty"`
	Forms    *Forms    `json:"forms,omitempty"`
	// Stated is nil unless the confidence check asked for a percentage and got one.
	Stated *Stated `json:"stated_confidence,omitempty"`
	// Protocol is the way in which tools are called: strategy and protocol, such as "react native"; "" for an agent
	// that is another program.
	Protocol    string      `json:"protocol,omitempty"`
	Reliability Reliability `json:"reliability"`
	Vote        *VoteWorth  `json:"vote"`    // nil for K=1, and if KCurve is nil
	KCurve      *KCurve     `json:"k_curve"` // nil if undefined; NoKCurve says why
	NoKCurve    string      `json:"no_k_curve"`
	Efficiency  Efficiency  `json:"efficiency"`
	Confidence  *Confidence `json:"confidence"` // nil for K=1, if nothing is scored, or incomplete
	Traces      Traces      `json:"traces"`
	Usage       store.Usage `json:"usage"`
	// USDPerQuery is the cost per query with a record, USDPerCorrect per correct query; nil
	// without a price or without such queries.
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
	Missing   int `json:"missing"` // unscored queries without a record: the run is incomplete
}

// missing returns the counts with n more queries that have no record.
func (c Counts) missing(n int) Counts {
	c.Queries += n
	c.Unscored += n
	c.Missing += n
	return c
}

// With returns the counts with one more query of a verdict.
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

// SoFar returns the pass rate of the queries that have a record; nil before the first. It does not predict the
// rate of the complete run, because the queries that take longest are missing.
func (c Counts) SoFar() *Rate { return newRate(c.Correct, c.Queries-c.Missing) }

// Interval is a confidence interval of a rate.
type Interval struct {
	Method string  `json:"method"`
	Level  float64 `json:"level"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// Clustered is the pass rate with queries of one cluster as a unit (docs/method.md §5.3). A
// query without a cluster is a cluster of its own.
type Clustered struct {
	Clusters  int      `json:"clusters"`
	Effective float64  `json:"effective"` // number of clusters of equal size with the same information
	SE        *float64 `json:"se"`        // of the pass rate, CR2; nil for a single cluster
	// CI uses the effective number of queries; nil with fewer than ten clusters or five effective ones, when
	// SE is too uncertain.
	CI       *Interval `json:"ci"`
	BoundsCI *Interval `json:"bounds_ci"` // as that of the configuration
}

// Judge summarises the judges that ask a model. Rates are over all queries: a query without a decided
// answer, or with an unscored judgement, does not pass. Figures are nil if no such judge gave a verdict.
type Judge struct {
	// CorrectnessModel and QualityModel are the configured judges; "" without one. Threshold
	// is the lowest score, 1 to 5, that passes; nil without judges.
	CorrectnessModel string `json:"correctness_model"`
	// Decides counts the queries that a judge and not the gold decides, because of the setting pass or a
	// condition in the gold. Passed counts those that the judge passed, regardless of labels.
	Decides      int    `json:"decides"`
	Passed       int    `json:"passed"`
	QualityModel string `json:"quality_model"`
	Threshold    *int   `json:"threshold"`

	QualityMean         *float64 `json:"quality_mean"` // of the existing scores, 1 to 5
	QualityPassRate     *float64 `json:"quality_pass_rate"`
	CorrectnessPassRate *float64 `json:"correctness_pass_rate"`
	// CorrectnessRead counts the correctness verdicts of a model, CorrectnessFollowed those
	// that a rule decided: an equal answer, an empty one, or the outcome.
	CorrectnessRead     int    `json:"correctness_read"`
	CorrectnessFollowed int    `json:"correctness_followed"`
	Unscored            int    `json:"unscored"` // judgements of either kind without a usable verdict
	Unread              Unread `json:"unread"`   // replies of the judges that could not be parsed
	// Calibration of the correctness judge; nil without one. Corrected is the pass rate corrected for the
	// judge's errors by it. It is nil also if the judge does not decide every query, is no better than chance,
	// or a verdict is missing.
	Calibration *judge.Calibration  `json:"calibration"`
	Corrected   *Corrected          `json:"corrected"`
	Canaries    *judge.CanaryResult `json:"canaries"` // nil if no judge was on probation
	// Repeated counts the answers that were judged more than once, Flips those on which the
	// judge then differed from itself; FlipRate is nil without repeats.
	Repeated int          `json:"repeated"`
	Flips    int          `json:"flips"`
	FlipRate *float64     `json:"flip_rate"`
	Panel    *Panel       `json:"panel"`  // nil for a single judge
	Rubric   []RubricItem `json:"rubric"` // nil without one
	// RubricScore is the share of the rubric's points that hold, each by its weight, over all
	// queries; nil without a point that was answered.
	RubricScore *float64 `json:"rubric_score"`
	// Disagree counts queries on which gold and correctness judge, both scored, differ: the
	// first place to look if either is in doubt.
	Disagree int `json:"correctness_disagrees"`
}

// Consensus counts how decisions were made.
type Consensus struct {
	Quorum  consensus.Quorum         `json:"quorum"`  // the base of a majority
	Methods map[consensus.Method]int `json:"methods"` // queries by method
	// CorrectByMethod counts the correct ones of Methods: how far agreement can be trusted.
	CorrectByMethod map[consensus.Method]int `json:"correct_by_method"`
	// MeanAgreement is the mean of m1/K over the queries that lost no trace; nil for K=1, and without such queries.
	MeanAgreement *float64 `json:"mean_agreement"`
	// WithoutKCurve counts queries whose votes do not define the decision of fewer traces,
	// because a model picks before votes are counted.
	WithoutKCurve  int    `json:"without_k_curve"`
	VerifierErrors int    `json:"verifier_errors"` // questions on which the verifier's model failed
	VerifierUnread Unread `json:"verifier_unread"` // of verifier and picker
	// VerifierCanaries are the verifier's canaries; nil if there were none. If it missed one, it was asked
	// nothing else.
	VerifierCanaries *consensus.CanaryResult `json:"verifier_canaries,omitempty"`
	PickCanaries     *consensus.CanaryResult `json:"pick_canaries,omitempty"` // of the picker
}

// Unread counts the replies that could not be parsed, of all replies.
type Unread struct {
	Replies int      `json:"replies"`
	Of      int      `json:"of"`
	Tokens  *float64 `json:"tokens"` // their share of all tokens of the row; nil without tokens
}

// Traces counts single traces.
type Traces struct {
	Total       int                      `json:"total"`
	Outcomes    map[trace.Outcome]int    `json:"outcomes"`
	StopReasons map[trace.StopReason]int `json:"stop_reasons"`
	Replies     int                      `json:"replies"`      // of the agent's model
	Format      trace.Format             `json:"format"`       // faults of form, summed over traces
	FormatRates *FormatRates             `json:"format_rates"` // nil without replies
	// answers that are compared as text, and not as values of a type
	FreeText            int `json:"free_text"`
	Correct             int `json:"correct"`               // by the verdict on each trace
	QueriesWithoutValid int `json:"queries_without_valid"` // all of whose traces failed as infra
	// why traces failed, the commonest first; at most five
	Causes []Cause `json:"causes"`
}

// FormatRates are faults of form per reply.
type FormatRates struct {
	Errors   float64 `json:"errors"`
	Repaired float64 `json:"repaired"`
	Invented float64 `json:"invented"`
}

// Timing holds durations in seconds. They may differ between equal runs. Lost traces are left out.
type Timing struct {
	TraceP50S *float64 `json:"trace_p50_s"`
	TraceP95S *float64 `json:"trace_p95_s"`
	WallS     *float64 `json:"wall_s"` // of the whole run without pauses; nil while it has not ended
	// TracesS is the sum of the traces' times. It is the only time that belongs to one row
	// if rows ran concurrently. Nil without traces.
	TracesS   *float64 `json:"traces_s"`
	CallsSent int      `json:"calls_sent"`
	// VerifierUnread and JudgesUnread are the shares of time that unparseable replies took. The whole is the
	// time of traces, verifier and judges, added up. Both are nil if that is 0.
	VerifierUnread *float64 `json:"verifier_unread"`
	JudgesUnread   *float64 `json:"judges_unread"`
}
