package result

// Interval is a confidence interval of a rate.
type Interval struct {
	Method string  `json:"method"`
	Level  float64 `json:"level"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// Estimate is a mean over queries, with its interval.
type Estimate struct {
	Value   *float64  `json:"value"` // nil if undefined; CI is then nil too
	CI      *Interval `json:"ci"`
	Queries int       `json:"queries"` // number of queries in the mean
	Dropped int       `json:"dropped"` // queries left out, because a trace was lost to the infrastructure or has no gold
}

// Reliability relates single traces and their agreement to correctness (docs/method.md §4). A single trace is
// right if its own verdict says so (store.Answer). All figures are undefined for an incomplete run.
type Reliability struct {
	PassAtK  Estimate `json:"pass_at_k"`  // share of queries with at least one right trace of K
	PassHatK Estimate `json:"pass_hat_k"` // pass^K: share of queries with all K traces right
	// Unanimous counts the queries on which all K traces gave one answer; refusals and abstentions are answers
	// here. UnanimousCorrect counts how many of these have a correct verdict, of any source. Both are nil for
	// K=1.
	Unanimous           *int  `json:"unanimous"`
	UnanimousCorrect    *int  `json:"unanimous_correct"`
	AccuracyIfUnanimous *Rate `json:"accuracy_if_unanimous"` // nil if no query is unanimous
	// ICC is the share of the variance of single traces that is between queries. It uses queries with K valid
	// traces. It is nil for K=1, for fewer than two queries, and if all traces have the same result. Read a
	// negative value as 0.
	ICC *float64 `json:"icc"`
}

// Rate is a share with its interval.
type Rate struct {
	Value float64   `json:"value"`
	CI    *Interval `json:"ci"` // by clusters if there are any; nil if these are too few or too unequal
}

// KCurve is the result that fewer traces would have given. It is computed without further calls, as the exact
// mean over all subsets of k of the K traces (docs/method.md §4). Each trace counts with the class that it has
// in the vote, after classes were merged.
type KCurve struct {
	Points []KPoint `json:"points"` // every k up to 16, some beyond, and K
	Gain   *KGain   `json:"gain"`   // gain of K traces over one; nil for K=1
}

// KPoint holds the figures for one k of the curve.
type KPoint struct {
	K int `json:"k"`
	// Accuracy is the accuracy of the vote of k traces. A tie counts as the share of its leading classes that
	// are right, although in a run the tie-break chooses one class. Accuracy and the shares below use only the
	// queries with k valid traces. So points with different Dropped are about different queries.
	Accuracy Estimate `json:"accuracy"`
	// Unanimous is the share of the subsets of k traces in which all traces agree; nil for k=1.
	// AccuracyIfUnanimous is the share of these subsets in which the answer is right. PassAtK and PassHatK use
	// the verdict on each trace, and not the verdict on its class.
	Unanimous           *float64 `json:"unanimous"`
	AccuracyIfUnanimous *float64 `json:"accuracy_if_unanimous"`
	PassAtK             *float64 `json:"pass_at_k"`
	PassHatK            *float64 `json:"pass_hat_k"`
	// ModelCalls, Tokens (input and output) and USD are the cost of k traces of one query: k times the mean
	// over all traces. Verifier and judges are not counted. USD is nil if the model has no price.
	ModelCalls float64  `json:"model_calls"`
	Tokens     float64  `json:"tokens"`
	USD        *float64 `json:"usd"`
}

// KGain says how much more accurate the vote of K traces is than a single trace. It uses the queries with K
// traces.
type KGain struct {
	Difference float64 `json:"difference"`
	// CI is Student's interval. It is nil for fewer than two queries, and if all differences are equal. If
	// there are clusters, the interval is tango-cr2; it is nil if there are too few clusters, or if their sizes
	// differ too much.
	CI      *Interval `json:"ci"`
	P       *float64  `json:"p"` // of a sign-flip test over queries or clusters, two-sided; nil if clusters are too few
	Queries int       `json:"queries"`
}

// Efficiency compares the effort of correct traces with the minimum over all correct traces of the same query,
// in all configurations of the run. Wrong traces are left out: an agent that gives up early is not efficient.
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
	// Steps and ToolCalls are means over solved queries; the value of a query is the mean over its correct
	// traces. FewestSteps and FewestToolCalls are means over solved queries of the query's minimum. All are nil
	// if no query is solved.
	Steps           *float64 `json:"steps"`
	FewestSteps     *float64 `json:"fewest_steps"`
	ToolCalls       *float64 `json:"tool_calls"`
	FewestToolCalls *float64 `json:"fewest_tool_calls"`
	// StepWaste is the share of Steps that is above FewestSteps; every query has the same weight. ToolCallWaste
	// is the corresponding share of tool calls. They are nil if there are no steps or no calls.
	StepWaste     *float64 `json:"step_waste"`
	ToolCallWaste *float64 `json:"tool_call_waste"`
	// Actions counts the tool calls that the model requested in all traces, whether the trace is right or
	// wrong, and whether the call was executed or not. Repeated counts the calls with the same tool and
	// arguments as an earlier call of their trace. RepeatedShare is nil if Actions is 0.
	Actions       int      `json:"actions"`
	Repeated      int      `json:"repeated"`
	RepeatedShare *float64 `json:"repeated_share"`
}

// Confidence says how well the agreement of traces predicts a correct verdict, over scored queries
// (docs/method.md §3.5).
type Confidence struct {
	Unscored int               `json:"unscored"` // queries left out
	Levels   []ConfidenceLevel `json:"levels"`   // highest agreement first
	ECE      float64           `json:"ece"`      // expected calibration error, by level
	Brier    float64           `json:"brier"`
	AUROC    *float64          `json:"auroc"` // nil unless there are both right and wrong queries
	// AURC is the area under the curve of risk against coverage. ExcessAURC is how much AURC is above the AURC
	// of the best possible order. AUGRC is the rate of failures that come without a warning. Lower values are
	// better.
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
