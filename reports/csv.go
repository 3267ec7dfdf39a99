package reports

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
)

// field is a column of the CSV form, by the name that its figure has in JSON.
type field struct {
	name string
	cell func(row) string
}

// writeCSV writes one row per configuration, in full precision, empty where undefined.
func writeCSV(w io.Writer, r *result.Result) error {
	all := fields(r.Dataset.Categories)
	lines := [][]string{make([]string, len(all))}
	for i, f := range all {
		lines[0][i] = f.name
	}
	for _, row := range rowsOf(r) {
		cells := make([]string, len(all))
		for i, f := range all {
			cells[i] = f.cell(row)
		}
		lines = append(lines, cells)
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
		return fmt.Errorf("encode CSV: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func fields(categories []string) []field {
	out := append(identity(), comparison()...)
	out = append(out, quality()...)
	out = append(out, cost()...)
	for _, name := range categories {
		out = append(out,
			field{sheet("correct:" + name), func(r row) string { return unlessMissing(r.ByCategory[name]) }},
			field{sheet("queries:" + name), func(r row) string { return whole(r.ByCategory[name].Queries) }},
			field{sheet("missing:" + name), func(r row) string { return whole(r.ByCategory[name].Missing) }})
	}
	return out
}

// identity is which configuration it is and how often it is right.
func identity() []field {
	return []field{
		{"name", func(r row) string { return sheet(r.Name) }},
		{"model", func(r row) string { return sheet(r.Model) }},
		{"k", func(r row) string { return whole(r.K) }},
		{"queries", func(r row) string { return whole(r.Counts.Queries) }},
		{"correct", func(r row) string { return whole(r.Counts.Correct) }},
		{"incorrect", func(r row) string { return whole(r.Counts.Incorrect) }},
		{"unscored", func(r row) string { return whole(r.Counts.Unscored) }},
		{"missing", func(r row) string { return whole(r.Counts.Missing) }},
		{"pass_rate", func(r row) string { return number(r.PassRate) }},
		{"ci_low", func(r row) string { return low(r.CI) }},
		{"ci_high", func(r row) string { return high(r.CI) }},
		{"clusters", clusteredOf(func(c result.Clustered) string { return whole(c.Clusters) })},
		{"clustered_se", clusteredOf(func(c result.Clustered) string { return number(c.SE) })},
		{"clustered_low", clusteredOf(func(c result.Clustered) string { return low(c.CI) })},
		{"clustered_high", clusteredOf(func(c result.Clustered) string { return high(c.CI) })},
		{"bound_low", func(r row) string { return bound(r.Bounds, 0) }},
		{"bound_high", func(r row) string { return bound(r.Bounds, 1) }},
		{"agent", func(r row) string { return sheet(r.Agent) }},
		{"pass", func(r row) string { return sheet(r.Pass) }},
	}
}

// comparison is how a configuration compares with the baseline.
func comparison() []field {
	of := func(cell func(result.Comparison) string) func(row) string {
		return func(r row) string {
			if r.against == nil {
				return ""
			}
			return cell(*r.against)
		}
	}
	shift := func(name string, figure func(result.EffortDifference) result.Shift) []field {
		cell := func(value func(result.Shift) string) func(row) string {
			return of(func(c result.Comparison) string {
				if c.Effort == nil {
					return ""
				}
				return value(figure(*c.Effort))
			})
		}
		return []field{
			{name + "_difference", cell(func(s result.Shift) string { return number(&s.Difference) })},
			{name + "_difference_low", cell(func(s result.Shift) string { return low(s.CI) })},
			{name + "_difference_high", cell(func(s result.Shift) string { return high(s.CI) })},
		}
	}
	return slices.Concat([]field{
		{"baseline", of(func(c result.Comparison) string { return sheet(c.Baseline) })},
		{"pairing", of(func(c result.Comparison) string { return sheet(string(c.Pairing)) })},
		{"compared", of(func(c result.Comparison) string { return unlessRefused(c, whole(c.Queries)) })},
		{"correct_before", of(func(c result.Comparison) string { return maybe(c.CorrectBefore) })},
		{"correct_now", of(func(c result.Comparison) string { return maybe(c.CorrectNow) })},
		{"losses", of(func(c result.Comparison) string { return maybe(c.Losses) })},
		{"gains", of(func(c result.Comparison) string { return maybe(c.Gains) })},
		{"difference", of(func(c result.Comparison) string { return number(c.Difference) })},
		{"difference_low", of(func(c result.Comparison) string { return low(c.CI) })},
		{"difference_high", of(func(c result.Comparison) string { return high(c.CI) })},
		{"difference_low_90", of(func(c result.Comparison) string { return low(c.CI90) })},
		{"difference_high_90", of(func(c result.Comparison) string { return high(c.CI90) })},
		{"p", of(func(c result.Comparison) string { return number(c.P) })},
		{"p_holm", of(func(c result.Comparison) string { return number(c.PHolm) })},
		{"call", of(func(c result.Comparison) string { return sheet(string(c.Call)) })},
		{"call_as_counted", of(func(c result.Comparison) string { return sheet(string(zeroIfNil(c.CallAsCounted))) })},
		{"call_if_scored", of(func(c result.Comparison) string { return sheet(string(zeroIfNil(c.CallIfScored))) })},
		{"margin", of(func(c result.Comparison) string { return unlessRefused(c, number(&c.Margin)) })},
		{"mde", of(func(c result.Comparison) string { return number(c.MDE) })},
		{"refused", of(func(c result.Comparison) string { return sheet(zeroIfNil(c.Refused)) })},
		{"left_out", of(func(c result.Comparison) string { return sheet(zeroIfNil(c.LeftOut)) })},
	},
		shift("steps", func(e result.EffortDifference) result.Shift { return e.Steps }),
		shift("calls", func(e result.EffortDifference) result.Shift { return e.Calls }),
		shift("tokens", func(e result.EffortDifference) result.Shift { return e.Tokens }))
}

// quality is how far agreement, citations and judges bear the answers out.
func quality() []field {
	return []field{
		{"pass_at_k", func(r row) string { return number(r.Reliability.PassAtK.Value) }},
		{"pass_at_k_low", func(r row) string { return low(r.Reliability.PassAtK.CI) }},
		{"pass_at_k_high", func(r row) string { return high(r.Reliability.PassAtK.CI) }},
		{"pass_at_k_queries", func(r row) string { return whole(r.Reliability.PassAtK.Queries) }},
		{"pass_at_k_dropped", func(r row) string { return whole(r.Reliability.PassAtK.Dropped) }},
		{"pass_hat_k", func(r row) string { return number(r.Reliability.PassHatK.Value) }},
		{"pass_hat_k_low", func(r row) string { return low(r.Reliability.PassHatK.CI) }},
		{"pass_hat_k_high", func(r row) string { return high(r.Reliability.PassHatK.CI) }},
		{"pass_hat_k_queries", func(r row) string { return whole(r.Reliability.PassHatK.Queries) }},
		{"pass_hat_k_dropped", func(r row) string { return whole(r.Reliability.PassHatK.Dropped) }},
		{"mean_agreement", func(r row) string { return number(r.Consensus.MeanAgreement) }},
		{"unanimous", func(r row) string { return maybe(r.Reliability.Unanimous) }},
		{"unanimous_correct", func(r row) string { return maybe(r.Reliability.UnanimousCorrect) }},
		{"accuracy_if_unanimous", ifUnanimousOf(func(a result.Rate) *float64 { return &a.Value })},
		{"accuracy_if_unanimous_low", ifUnanimousOf(func(a result.Rate) *float64 { return &a.CI.Low })},
		{"accuracy_if_unanimous_high", ifUnanimousOf(func(a result.Rate) *float64 { return &a.CI.High })},
		{"icc", func(r row) string { return number(r.Reliability.ICC) }},
		{"ece", confidenceOf(func(c result.Confidence) *float64 { return &c.ECE })},
		{"brier", confidenceOf(func(c result.Confidence) *float64 { return &c.Brier })},
		{"auroc", confidenceOf(func(c result.Confidence) *float64 { return c.AUROC })},
		{"aurc", confidenceOf(func(c result.Confidence) *float64 { return &c.AURC })},
		{"augrc", confidenceOf(func(c result.Confidence) *float64 { return &c.AUGRC })},
		{"grounded_share", func(r row) string { return number(r.Citations.Share) }},
		{"correctness_model", func(r row) string { return sheet(r.Judge.CorrectnessModel) }},
		{"quality_model", func(r row) string { return sheet(r.Judge.QualityModel) }},
		{"judge_threshold", func(r row) string { return maybe(r.Judge.Threshold) }},
		{"correctness_read", func(r row) string { return whole(r.Judge.CorrectnessRead) }},
		{"correctness_followed", func(r row) string { return whole(r.Judge.CorrectnessFollowed) }},
		{"correctness_pass_rate", func(r row) string { return number(r.Judge.CorrectnessPassRate) }},
		{"quality_pass_rate", func(r row) string { return number(r.Judge.QualityPassRate) }},
		{"quality_mean", func(r row) string { return number(r.Judge.QualityMean) }},
	}
}

// cost is what a configuration took.
func cost() []field {
	return []field{
		{"traces", func(r row) string { return whole(r.Traces.Total) }},
		{"traces_correct", func(r row) string { return whole(r.Traces.Correct) }},
		{"steps_per_trace", func(r row) string { return number(r.Efficiency.StepsPerTrace) }},
		{"tool_calls_per_trace", func(r row) string { return number(r.Efficiency.ToolCallsPerTrace) }},
		{"step_waste", func(r row) string { return number(r.Efficiency.StepWaste) }},
		{"tool_call_waste", func(r row) string { return number(r.Efficiency.ToolCallWaste) }},
		{"repeated_share", func(r row) string { return number(r.Efficiency.RepeatedShare) }},
		{"model_calls", func(r row) string { return whole(r.Usage.ModelCalls) }},
		{"tool_calls", func(r row) string { return whole(r.Usage.ToolCalls) }},
		{"calls_sent", func(r row) string { return whole(r.Timing.CallsSent) }},
		{"input_tokens", func(r row) string { return whole(r.Usage.InputTokens) }},
		{"output_tokens", func(r row) string { return whole(r.Usage.OutputTokens) }},
		{"cached_tokens", func(r row) string { return whole(r.Usage.CachedTokens) }},
		{"usd", func(r row) string { return number(r.Usage.USD) }},
		{"usd_per_query", func(r row) string { return number(r.USDPerQuery) }},
		{"usd_per_correct", func(r row) string { return number(r.USDPerCorrect) }},
		{"trace_p50_s", func(r row) string { return number(r.Timing.TraceP50S) }},
		{"trace_p95_s", func(r row) string { return number(r.Timing.TraceP95S) }},
		{"traces_s", func(r row) string { return number(r.Timing.TracesS) }},
		{"wall_s", func(r row) string { return number(r.Timing.WallS) }},
		{"note", func(r row) string { return sheet(r.Note) }},
	}
}
