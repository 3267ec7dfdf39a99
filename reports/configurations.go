package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/trace"
)

// topic is a question that a table of configurations answers, with the columns that answer it.
type topic struct {
	title   string // the header of the first column
	figures []figure[row]
}

// topics returns the columns of a result for every format: each is in the tables, in CSV in this order, or in
// both.
func topics(r *result.Result, rows []row, n *notes) []topic {
	out := []topic{
		{"right answers", slices.Concat(identity(rows, n), comparison(rows))},
		{"single traces", singleTraces(rows)},
		{"reliability", reliability(rows)},
		{"answers", quality(n)},
		{"tool calls", toolCalls()},
		{"effort", effort(rows)},
		{"advice, side requests, explanations, sub-agents", agents()},
	}
	if len(compared(rows)) > 0 {
		out[1].figures = slices.Insert(out[1].figures, 0,
			singlesRate(rows, tracesOf(rows, "right [95 %]", "passed [95 %]", "right, corrected [95 %]")))
	} else {
		out[2].figures = slices.Insert(out[2].figures, 0,
			singlesRate(rows, tracesOf(rows, "single traces\n[95 %]", "single traces\npassed [95 %]",
				"single traces\nright [95 %]")))
	}
	if len(r.Comparisons) == 0 {
		out[0].figures = append(out[0].figures, categories(r.Dataset.Categories,
			func(r row) result.Configuration { return r.Configuration })...)
	}
	return out
}

// identity returns the columns that name a configuration and give its rate of right answers.
func identity(rows []row, n *notes) []figure[row] {
	model := quantity("model", "", func(r row) string { return r.Model }, nil)
	if !alike(rows, agentOf) && !namedByModel(rows) {
		model.header, model.cell = plain("model"), func(r row) line { return n.agent(r.Configuration) }
		model.leaves = 4
	}
	header := "" // a value that all rows share is printed once, above the table
	if !alike(rows, func(r row) int { return r.K }) {
		header = "K"
	}
	rates, counted := "pass rate [95 %]", "correct"
	if all := slices.IndexFunc(rows, func(r row) bool {
		return r.Judge.Decides < r.Counts.Queries ||
			r.Judge.Decides == 0
	}) < 0; all && len(rows) > 0 {
		rates, counted = "judge passes [95 %]", "passed"
		if slices.ContainsFunc(rows, func(r row) bool { return r.Corrected != nil }) {
			rates = "right, corrected [95 %]"
		}
	}
	if len(rows) > 0 && alike(rows, func(r row) bool { return r.Counts.Missing > 0 }) && rows[0].Counts.Missing > 0 {
		rates = "pass rate, bounds" // for an incomplete run only bounds are known
	}
	if by := byClusters(rows, func(r row) int {
		if r.Clustered == nil {
			return 0
		}
		return r.Clustered.Clusters
	}); by != "" {
		rates += "\n" + by
	}
	return []figure[row]{
		model,
		quantity("k", header, func(r row) int { return r.K }, whole).leaving(3),
		raw("queries", func(r row) []any { return []any{r.Counts.Queries} }),
		{header: plain(counted), number: true, names: []string{"correct"},
			cell:   func(r row) line { return correct(r.Counts) },
			values: func(r row) []any { return []any{r.Counts.Correct} }},
		raw("incorrect unscored missing", func(r row) []any {
			return []any{r.Counts.Incorrect, r.Counts.Unscored,
				r.Counts.Missing}
		}),
		count(rates, func(r row) string { return passRate(r.Configuration) }).leaving(1).
			readAs(raw("pass_rate ci_low ci_high",
				func(r row) []any { return slices.Concat([]any{r.PassRate}, ends(r.CI)) })),
		rawOf("clusters clustered_effective clustered_se clustered_low clustered_high",
			func(r row) *result.Clustered { return r.Clustered },
			func(c result.Clustered) []any { return slices.Concat([]any{c.Clusters, c.Effective, c.SE}, ends(c.CI)) }),
		rawOf("bound_low bound_high", func(r row) *[2]float64 { return r.Bounds },
			func(b [2]float64) []any { return []any{b[0], b[1]} }),
		raw("judge_decides judge_passed", func(r row) []any { return []any{r.Judge.Decides, r.Judge.Passed} }),
		rawOf("corrected corrected_low corrected_high corrected_method corrected_labels",
			func(r row) *result.Corrected { return r.Corrected },
			func(c result.Corrected) []any {
				return slices.Concat([]any{c.Rate}, ends(&c.CI), []any{c.Method, c.Labels})
			}),
		raw("agent sent pass", func(r row) []any { return []any{r.Agent, r.Sent, r.Pass} }),
	}
}

// reliability returns the columns on single traces, on their agreement, and on how both relate to right
// answers.
func reliability(rows []row) []figure[row] {
	unanimous := "correct if unanimous"
	if slices.ContainsFunc(rows, byJudge) {
		unanimous = "passed if unanimous"
	}
	of := func(name, header string, e func(result.Reliability) result.Estimate) figure[row] {
		names := fmt.Sprintf("%s %[1]s_low %[1]s_high %[1]s_queries %[1]s_dropped", name)
		return measure(header, func(r row) string { return share(e(r.Reliability)) }).readAs(raw(names,
			func(r row) []any {
				x := e(r.Reliability)
				return slices.Concat([]any{x.Value}, ends(x.CI), []any{x.Queries, x.Dropped})
			}))
	}
	return []figure[row]{
		of("pass_at_k", "pass@K", func(r result.Reliability) result.Estimate { return r.PassAtK }),
		of("pass_hat_k", "pass^K", func(r result.Reliability) result.Estimate { return r.PassHatK }),
		quantity("mean_agreement", "agreement", func(r row) *float64 { return r.Consensus.MeanAgreement }, hundredths),
		raw("unanimous unanimous_correct", func(r row) []any {
			return []any{r.Reliability.Unanimous,
				r.Reliability.UnanimousCorrect}
		}),
		measure(unanimous, func(r row) string { return ifUnanimous(r.Reliability) }).leaving(1).
			readAs(rawOf("accuracy_if_unanimous accuracy_if_unanimous_low accuracy_if_unanimous_high",
				func(r row) *result.Rate { return r.Reliability.AccuracyIfUnanimous },
				func(a result.Rate) []any { return slices.Concat([]any{a.Value}, ends(&a.CI)) })),
		quantity("icc", "ICC", func(r row) *float64 { return r.Reliability.ICC }, hundredths).full(),
		measure("decided by, correct of all", func(r row) string { return methods(r.Configuration) }).full(),
		rawOf("ece brier auroc aurc augrc", func(r row) *result.Confidence { return r.Confidence },
			func(c result.Confidence) []any {
				return []any{c.ECE, c.Brier, c.AUROC, c.AURC, c.AUGRC}
			}),
	}
}

// quality returns the columns on citations, quality judges and the form of replies. They do not decide a verdict,
// so only the full table shows them.
func quality(n *notes) []figure[row] {
	form := func(header string, of func(trace.Format) int) figure[row] {
		return measure(header, func(r row) string { return unlessNone(of(r.Traces.Format)) }).full()
	}
	unread := func(header string, of func(row) result.Unread) figure[row] {
		return measure(header, func(r row) string {
			u := of(r)
			if u.Replies == 0 {
				return undefined
			}
			return fmt.Sprintf("%d/%d, %s of tokens", u.Replies, u.Of, percent(u.Tokens))
		}).full()
	}
	return []figure[row]{
		quantity("grounded_share", "grounded", func(r row) *float64 { return r.Citations.Share }, percent).full(),
		measure("citations\nprecise", func(r row) string { return percent(r.Citations.Precision) }).full(),
		measure("claims\ncited", func(r row) string { return percent(r.Citations.Recall) }).full(),
		measure("grounded\nbut wrong", func(r row) string { return unlessNone(r.Citations.IncorrectGrounded) }).full(),
		measure("correct, not\ngrounded", func(r row) string { return unlessNone(r.Citations.CorrectUngrounded) }).full(),
		raw("correctness_model quality_model judge_threshold", func(r row) []any {
			return []any{r.Judge.CorrectnessModel, r.Judge.QualityModel, r.Judge.Threshold}
		}),
		raw("correctness_read correctness_followed",
			func(r row) []any { return []any{r.Judge.CorrectnessRead, r.Judge.CorrectnessFollowed} }),
		quantity("correctness_pass_rate", "judged\ncorrect",
			func(r row) *float64 { return r.Judge.CorrectnessPassRate }, percent).full(),
		raw("quality_pass_rate", func(r row) []any { return []any{r.Judge.QualityPassRate} }),
		{header: plain("quality,\n1 to 5"), number: true, optional: true, wide: true, names: []string{"quality_mean"},
			cell: func(r row) line {
				mean := tenths(r.Judge.QualityMean)
				if mean != undefined && n.on(r.Judge.QualityModel).FormOnly {
					mean += " of form"
				}
				return plain(mean)
			}, values: func(r row) []any { return []any{r.Judge.QualityMean} }},
		form("replies wrong\nin form", func(f trace.Format) int { return f.Errors }),
		form("mended", func(f trace.Format) int { return f.Repaired }),
		form("observation\ninvented", func(f trace.Format) int { return f.Invented }),
		form("actions\ndropped", func(f trace.Format) int { return f.Dropped }),
		form("answer line\nasked again", func(f trace.Format) int { return f.Reminders }),
		form("answers\nguessed", func(f trace.Format) int { return f.Guessed }),
		form("cut off", func(f trace.Format) int { return f.CutOff }),
		unread("verifier's replies\nnot readable", func(r row) result.Unread { return r.Consensus.VerifierUnread }),
		unread("judges' replies\nnot readable", func(r row) result.Unread { return r.Judge.Unread }),
	}
}

// toolCalls returns the columns that compare the tool calls with the calls that queries expect.
func toolCalls() []figure[row] {
	of := func(name, header string, f func(result.Calls) *float64) figure[row] {
		return quantity(name, header, func(r row) *float64 {
			if r.Calls == nil {
				return nil
			}
			return f(*r.Calls)
		}, percent)
	}
	return []figure[row]{
		of("calls_right", "traces with\nright calls", func(c result.Calls) *float64 { return c.Right }),
		of("calls_precision", "precision", func(c result.Calls) *float64 { return c.Precision }),
		of("calls_recall", "recall", func(c result.Calls) *float64 { return c.Recall }),
		of("calls_ordered", "in order", func(c result.Calls) *float64 { return c.Ordered }),
		of("calls_irrelevance", "none where\nnone is due", func(c result.Calls) *float64 { return c.Irrelevance }),
	}
}

// methods lists the rules that decided for a configuration, and how often each led to a right answer.
func methods(c result.Configuration) string {
	var parts []string
	for _, m := range consensus.Methods() {
		if n := c.Consensus.Methods[m]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d/%d", m, c.Consensus.CorrectByMethod[m], n))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), undefined)
}

// effort returns the columns on steps, calls, tokens, cost and time.
func effort(rows []row) []figure[row] {
	wall := quantity("wall_s", "", func(r row) *float64 { return r.Timing.WallS }, nil)
	if len(rows) < 2 || sameTime(rows) == "" {
		wall = quantity("wall_s", "time", func(r row) *float64 { return r.Timing.WallS }, seconds)
	}
	return slices.Concat([]figure[row]{
		count("single traces\ncorrect", func(r row) string {
			return fmt.Sprintf("%d/%d", r.Traces.Correct,
				r.Traces.Total)
		}).full().
			readAs(raw("traces traces_correct", func(r row) []any { return []any{r.Traces.Total, r.Traces.Correct} })),
		quantity("steps_per_trace", "steps\na trace",
			func(r row) *float64 { return r.Efficiency.StepsPerTrace }, tenths),
		quantity("tool_calls_per_trace", "tool calls\na trace",
			func(r row) *float64 { return r.Efficiency.ToolCallsPerTrace }, tenths).leaving(3),
		raw("step_waste tool_call_waste repeated_share", func(r row) []any {
			return []any{r.Efficiency.StepWaste, r.Efficiency.ToolCallWaste, r.Efficiency.RepeatedShare}
		}),
		quantity("model_calls", "model\ncalls", func(r row) int { return r.Usage.ModelCalls }, thousands),
		raw("tool_calls", func(r row) []any { return []any{r.Usage.ToolCalls} }),
		quantity("calls_sent", "calls\nsent", func(r row) int { return r.Timing.CallsSent }, thousands).leaving(7),
		count("tokens", func(r row) string { return thousands(r.Usage.InputTokens + r.Usage.OutputTokens) }).
			readAs(raw("input_tokens output_tokens cached_tokens", func(r row) []any {
				return []any{r.Usage.InputTokens, r.Usage.OutputTokens, r.Usage.CachedTokens}
			})),
		quantity("usd", "cost", func(r row) *float64 { return r.Usage.USD }, dollars),
		quantity("usd_per_query", "per\nquery", func(r row) *float64 { return r.USDPerQuery }, dollars).full(),
		quantity("usd_per_correct", "per\ncorrect", func(r row) *float64 { return r.USDPerCorrect },
			dollars).leaving(2),
		quantity("trace_p50_s", "time,\nmedian", func(r row) *float64 { return r.Timing.TraceP50S }, seconds),
		quantity("trace_p95_s", "time,\n95 %", func(r row) *float64 { return r.Timing.TraceP95S }, seconds).leaving(4),
		quantity("traces_s", "time of\ntraces", func(r row) *float64 { return r.Timing.TracesS }, seconds).leaving(6),
		wall.leaving(5),
	}, moreEffort(), []figure[row]{
		words("note", "note", func(r row) string { return r.Note }).atMost(maxReason).leaving(1),
	})
}

// sameTime returns the time of the run if all rows have the same, as the rows of one run do, which take turns;
// else "".
func sameTime(rows []row) string {
	first := rows[0].Timing.WallS
	if first == nil || slices.ContainsFunc(rows,
		func(r row) bool { return r.Timing.WallS == nil || *r.Timing.WallS != *first }) {
		return ""
	}
	return seconds(first)
}

// categoryLeaves is the order of the first category among the columns that a narrow terminal omits. The last
// category is omitted first, before any other column.
const categoryLeaves = 10

// categories returns columns of correct queries by category.
func categories[R any](names []string, of func(R) result.Configuration) []figure[R] {
	out := make([]figure[R], len(names))
	for i, name := range names {
		out[i] = figure[R]{header: quoted(name), number: true, leaves: categoryLeaves + i, cell: func(r R) line {
			return correct(of(r).ByCategory[name])
		}}
	}
	return out
}
