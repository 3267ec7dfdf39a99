package result

// Estimate is a mean over queries, with its interval.
type Estimate struct {
	Value   *float64  `json:"value"` // nil if undefined; CI is then nil too
	CI      *Interval `json:"ci"`
	Queries int       `json:"queries"` // number of queries in the mean
	Dropped int       `json:"dropped"` // queries left out, because a trace was lost to the infrastructure or has no gold
}

// Reliability relates single traces and their agreement to correctness (docs/method.md §4). Whether a single
// trace is right depends on its own verdict (store.Answer). All figures are undefined for an incomplete run.
type Reliability struct {
	PassAtK  Estimate `json:"pass_at_k"`  // share of queries with at least one right trace of K
	PassHatK Estimate `json:"pass_hat_k"` // pass^K: share of queries with all K traces right
	// Unanimous counts the queries on which all K traces gave one answer, refusals and abstentions included;
	// UnanimousCorrect counts those of them with a correct verdict, of any source. Nil for K=1.
	Unanimous           *int  `json:"unanimous"`
	UnanimousCorrect    *int  `json:"unanimous_correct"`
	AccuracyIfUnanimous *Rate `json:"accuracy_if_unanimous"` // nil if no query is unanimous
	// ICC is the share of the variance of single traces that lies between queries, over queries with K valid
	// traces; nil for K=1, for fewer than two queries, and if all traces have the same result. A negative value
	// means 0.
	ICC *float64 `json:"icc"`
}

// Rate is a share with its interval.
type Rate struct {
	Value float64   `json:"value"`
	CI    *Interval `json:"ci"` // by clusters if there are any; nil if these are too few or too unequal
}

// KCurve is the result that fewer traces would have given. It is computed without further calls, as the exact
// mean over all subsets of k of the K traces (docs/method.md §4). A trace counts with its class in the vote,
// merged or not.
type KCurve struct {
	Points []KPoint `json:"points"` // every k up to 16, some beyond, and K
	Gain   *KGain   `json:"gain"`   // gain of K traces over one; nil for K=1
}

// KPoint holds the figures for one k of the curve.
type KPoint struct {
	K int `json:"k"`
	// Accuracy is the accuracy of the vote of k traces. A tie counts as the share of its leaders that are
	// right, although the tie-break of a run chooses one. Accuracy covers the queries with k valid traces, and
	// so do the shares below: points with different Dropped are about different queries.
	Accuracy Estimate `json:"accuracy"`
	// Unanimous is the share of the subsets of k traces that all agree; nil for k=1. AccuracyIfUnanimous is the
	// share of these in which the answer is right. PassAtK and PassHatK use the verdict on each trace, not on
	// its class.
	Unanimous           *float64 `json:"unanimous"`
	AccuracyIfUnanimous *float64 `json:"accuracy_if_unanimous"`
	PassAtK             *float64 `json:"pass_at_k"`
	PassHatK            *float64 `json:"pass_hat_k"`
	// ModelCalls, Tokens (input and output) and USD are the mean costs per query of the agent's k traces,
	// without verifier and judges. USD is nil if the model has no price.
	ModelCalls float64  `json:"model_calls"`
	Tokens     float64  `json:"tokens"`
	USD        *float64 `json:"usd"`
}

// KGain is the gain in accuracy of the vote of K traces over a single trace, on queries with K traces.
type KGain struct {
	Difference float64 `json:"difference"`
	// CI is Student's; nil for fewer than two queries and without spread. If there are clusters, it is
	// tango-cr2; nil if the clusters are too few or too unequal.
	CI      *Interval `json:"ci"`
	P       *float64  `json:"p"` // of a sign-flip test over queries or clusters, two-sided; nil if clusters are too few
	Queries int       `json:"queries"`
}

// Efficiency compares the effort of correct traces with the minimum over all correct traces of the same query,
// in all configurations of the run. Wrong traces are left out, because to give up early is not efficient.
type Efficiency struct {
	Effort
	ByCategory map[string]Effort `json:"by_category"`
	// StepsPerTrace and ToolCallsPerTrace are means over the traces, right or wrong, that were not lost to the
	// infrastructure; nil if all were lost.
	StepsPerTrace     *float64 `json:"steps_per_trace"`
	ToolCallsPerTrace *float64 `json:"tool_calls_per_trace"`
}

// Effort is the effort of the correct traces of some queries.
type Effort struct {
	SolvedQueries int `json:"solved"` // queries with a correct trace
	CorrectTraces int `json:"correct_traces"`
	// Steps and ToolCalls are means over solved queries of the mean over the query's correct traces.
	// FewestSteps and FewestToolCalls are means over solved queries of the query's minimum. Nil without solved
	// queries.
	Steps           *float64 `json:"steps"`
	FewestSteps     *float64 `json:"fewest_steps"`
	ToolCalls       *float64 `json:"tool_calls"`
	FewestToolCalls *float64 `json:"fewest_tool_calls"`
	// StepWaste is the share of Steps above FewestSteps, with equal weight for every query. ToolCallWaste is
	// this share for tool calls. Each is nil without steps or calls.
	StepWaste     *float64 `json:"step_waste"`
	ToolCallWaste *float64 `json:"tool_call_waste"`
	// Actions counts the tool calls that the model requested in all traces, right or wrong, executed or not.
	// Repeated counts those that repeat the tool and arguments of an earlier call of their trace. RepeatedShare
	// is nil without actions.
	Actions       int      `json:"actions"`
	Repeated      int      `json:"repeated"`
	RepeatedShare *float64 `json:"repeated_share"`
}

// Confidence relates the agreement of traces to correctness, over scored queries (docs/method.md §3.5).
type Confidence struct {
	Unscored int               `json:"unscored"` // queries left out
	Levels   []ConfidenceLevel `json:"levels"`   // highest agreement first
	ECE      float64           `json:"ece"`      // expected calibration error, by level
	Brier    float64           `json:"brier"`
	AUROC    *float64          `json:"auroc"` // nil unless there are both right and wrong queries
	// AURC is the area under the curve of risk against coverage. ExcessAURC is its excess over the best
	// possible order. AUGRC is the rate of failures without a warning. Lower is better.
	AURC       float64 `json:"aurc"`
	ExcessAURC float64 `json:"excess_aurc"`
	AUGRC      float64 `json:"augrc"`
}

// ConfidenceLevel is one level of agreement.
type ConfidenceLevel struct {
	Agreement float64 `json:"agreement"`
	Queries   int     `json:"queries"`
	Correct   int     `json:"correct"`
	Accuracy  Rate    `json:"accuracy"`
	Coverage  float64 `json:"coverage"` // share of scored queries with at least this agreement
	Risk      float64 `json:"risk"`     // share of wrong queries among them
}
