package result

// Estimate is a mean over queries with its interval.
type Estimate struct {
	// Value is nil where it is undefined, and CI with it.
	Value *float64  `json:"value"`
	CI    *Interval `json:"ci"`
	// Queries is the number that it rests on; Dropped are those left out because traces of
	// theirs were lost to the infrastructure, or have no gold. Nothing is padded.
	Queries int `json:"queries"`
	Dropped int `json:"dropped"`
}

// Reliability says how single traces and their agreement go with being right
// (methods.md §4). Single traces are right by the verdict of the gold on each, whatever
// Pass is. All of it is undefined for a run that is not complete.
type Reliability struct {
	// PassAtK is the share of queries that at least one of K traces has right, and PassHatK
	// (pass^K) the share that all K have right.
	PassAtK  Estimate `json:"pass_at_k"`
	PassHatK Estimate `json:"pass_hat_k"`
	// Unanimous is the number of queries on which all K traces gave one answer, refusals
	// and abstentions included, and UnanimousCorrect of how many of these the verdict is
	// correct, by whomever it is. Nil for K=1.
	Unanimous        *int `json:"unanimous"`
	UnanimousCorrect *int `json:"unanimous_correct"`
	// AccuracyIfUnanimous is the second over the first; nil where nothing is unanimous.
	AccuracyIfUnanimous *Rate `json:"accuracy_if_unanimous"`
	// ICC is the share of the variance of single traces that lies between queries, over
	// those with K valid traces; nil for K=1, for fewer than two queries, or where nothing
	// varies. It may come out below 0, which reads as 0.
	ICC *float64 `json:"icc"`
}

// Rate is a share with its interval.
type Rate struct {
	Value float64  `json:"value"`
	CI    Interval `json:"ci"`
}

// KCurve is what fewer traces would have given, read off the K traces that there are: the
// mean over all subsets of k traces, exactly, without a further call (methods.md §4). A
// trace counts with its class as the vote had it, merged or not.
type KCurve struct {
	// Points has every k up to 16, beyond that some, and K.
	Points []KPoint `json:"points"`
	// Gain compares K with 1; nil for K=1.
	Gain *KGain `json:"gain"`
}

// KPoint is one k of the curve.
type KPoint struct {
	K int `json:"k"`
	// Accuracy is that of the vote of k traces; a tie counts as the share of its leaders that
	// are right, where a run's own tie-break chooses one. It rests on the queries that have
	// k valid traces, and so do the shares below: points that dropped different numbers
	// speak of different queries.
	Accuracy Estimate `json:"accuracy"`
	// Unanimous is the share of k traces that all agree; nil at k=1. AccuracyIfUnanimous is
	// how often they are right then. PassAtK and PassHatK go by the gold on each trace,
	// whatever its class.
	Unanimous           *float64 `json:"unanimous"`
	AccuracyIfUnanimous *float64 `json:"accuracy_if_unanimous"`
	PassAtK             *float64 `json:"pass_at_k"`
	PassHatK            *float64 `json:"pass_hat_k"`
	// ModelCalls, Tokens (of input and output) and USD are what the agent's k traces take
	// per query in the mean, without verifier and judges. USD is nil without a price.
	ModelCalls float64  `json:"model_calls"`
	Tokens     float64  `json:"tokens"`
	USD        *float64 `json:"usd"`
}

// KGain is the difference in accuracy between the vote of all K traces and a single one,
// over the queries that have K traces.
type KGain struct {
	Difference float64 `json:"difference"`
	// CI is Student's; nil for fewer than two queries, and where the difference is the same
	// on each, since a spread of nothing is no proof of certainty.
	CI      *Interval `json:"ci"`
	P       float64   `json:"p"` // of a sign-flip test over queries, two-sided
	Queries int       `json:"queries"`
}

// Efficiency says how much of what correct traces did was needed: what they took against
// the fewest that any correct trace of the same query took, in any configuration of the
// run. Wrong traces are left out, since giving up early is not efficient.
type Efficiency struct {
	Effort
	ByCategory map[string]Effort `json:"by_category"`
	// StepsPerTrace and ToolCallsPerTrace are means over all traces, right, wrong or lost;
	// nil without traces.
	StepsPerTrace     *float64 `json:"steps_per_trace"`
	ToolCallsPerTrace *float64 `json:"tool_calls_per_trace"`
}

// Effort is what the correct traces of some queries took.
type Effort struct {
	// Solved counts the queries with a correct trace, and CorrectTraces these traces.
	Solved        int `json:"solved"`
	CorrectTraces int `json:"correct_traces"`
	// Steps and ToolCalls are means over solved queries of the mean of their correct
	// traces, FewestSteps and FewestToolCalls of the fewest. Nil where nothing is solved.
	Steps           *float64 `json:"steps"`
	FewestSteps     *float64 `json:"fewest_steps"`
	ToolCalls       *float64 `json:"tool_calls"`
	FewestToolCalls *float64 `json:"fewest_tool_calls"`
	// StepWaste is the share of Steps beyond FewestSteps, every query weighing the same, and
	// ToolCallWaste likewise; nil where there were none.
	StepWaste     *float64 `json:"step_waste"`
	ToolCallWaste *float64 `json:"tool_call_waste"`
	// Actions counts the tool calls that the model asked for in all traces, right or wrong,
	// executed or not, and Repeated those that had the tool and the arguments of an earlier
	// one of their trace. RepeatedShare is nil without actions, and all three where an older
	// run did not count them.
	Actions       *int     `json:"actions"`
	Repeated      *int     `json:"repeated"`
	RepeatedShare *float64 `json:"repeated_share"`
}

// Confidence says how far agreement among the K traces can be trusted (methods.md §3.5),
// over the queries that are scored: whether agreement was right cannot be told of others.
type Confidence struct {
	Unscored int               `json:"unscored"` // queries that are left out
	Levels   []ConfidenceLevel `json:"levels"`   // the highest agreement first
	ECE      float64           `json:"ece"`      // expected calibration error, by level
	Brier    float64           `json:"brier"`
	AUROC    *float64          `json:"auroc"` // nil unless there are both right and wrong queries
	// AURC is the area under risk against coverage, ExcessAURC what it is above that of the
	// best order; AUGRC is the rate of failures that nobody was warned of. Lower is better.
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
	// Coverage is the share of scored queries with at least this agreement, and Risk the share of
	// them that is wrong.
	Coverage float64 `json:"coverage"`
	Risk     float64 `json:"risk"`
}
