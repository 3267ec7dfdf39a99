package reports

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
)

// effort returns the columns on steps, calls, tokens, cost and time.
func effort(rows []row) []Column[row] {
	return slices.Concat(calls(), costAndTime(rows), moreEffort(), []Column[row]{{
		Header: "note", When: ifFilled, Most: maxReason, Leaves: 1,
		Text: func(r row) line { return quoted(r.Note) },
		Name: "note", Value: func(r row) any { return r.Note },
	}})
}

// calls returns the columns on steps, calls and tokens.
func calls() []Column[row] {
	return []Column[row]{
		{
			Header: "single traces\ncorrect", When: ifWide,
			Show: func(r row) string { return fmt.Sprintf("%d/%d", r.Traces.Correct, r.Traces.Total) },
		},
		{Name: "traces", Value: func(r row) any { return r.Traces.Total }},
		{Name: "traces_correct", Value: func(r row) any { return r.Traces.Correct }},
		{
			Header: "steps\na trace", When: ifFilled,
			Show: func(r row) string { return tenths(r.Efficiency.StepsPerTrace) },
			Name: "steps_per_trace", Value: func(r row) any { return r.Efficiency.StepsPerTrace },
		},
		{
			Header: "tool calls\na trace", When: ifFilled, Leaves: 3,
			Show: func(r row) string { return tenths(r.Efficiency.ToolCallsPerTrace) },
			Name: "tool_calls_per_trace", Value: func(r row) any { return r.Efficiency.ToolCallsPerTrace },
		},
		{Name: "step_waste", Value: func(r row) any { return r.Efficiency.StepWaste }},
		{Name: "tool_call_waste", Value: func(r row) any { return r.Efficiency.ToolCallWaste }},
		{Name: "repeated_share", Value: func(r row) any { return r.Efficiency.RepeatedShare }},
		{
			Header: "model\ncalls", When: ifFilled,
			Show: func(r row) string { return thousands(r.Usage.ModelCalls) },
			Name: "model_calls", Value: func(r row) any { return r.Usage.ModelCalls },
		},
		{Name: "tool_calls", Value: func(r row) any { return r.Usage.ToolCalls }},
		{
			Header: "calls\nsent", When: ifFilled, Leaves: 7,
			Show: func(r row) string { return thousands(r.Timing.CallsSent) },
			Name: "calls_sent", Value: func(r row) any { return r.Timing.CallsSent },
		},
		{
			Header: "tokens",
			Show:   func(r row) string { return thousands(r.Usage.InputTokens + r.Usage.OutputTokens) },
		},
		{Name: "input_tokens", Value: func(r row) any { return r.Usage.InputTokens }},
		{Name: "output_tokens", Value: func(r row) any { return r.Usage.OutputTokens }},
		{Name: "cached_tokens", Value: func(r row) any { return r.Usage.CachedTokens }},
	}
}

// costAndTime returns the columns on cost and time.
func costAndTime(rows []row) []Column[row] {
	wall := Column[row]{Leaves: 5, Name: "wall_s", Value: func(r row) any { return r.Timing.WallS }}
	if len(rows) < 2 || sameTime(rows) == "" {
		wall.Header, wall.When = "time", ifFilled
		wall.Show = func(r row) string { return seconds(r.Timing.WallS) }
	}
	return []Column[row]{
		{
			Header: "cost", When: ifFilled,
			Show: func(r row) string { return dollars(r.Usage.USD) },
			Name: "usd", Value: func(r row) any { return r.Usage.USD },
		},
		{
			Header: "per\nquery", When: ifWide,
			Show: func(r row) string { return dollars(r.USDPerQuery) },
			Name: "usd_per_query", Value: func(r row) any { return r.USDPerQuery },
		},
		{
			Header: "per\ncorrect", When: ifFilled, Leaves: 2,
			Show: func(r row) string { return dollars(r.USDPerCorrect) },
			Name: "usd_per_correct", Value: func(r row) any { return r.USDPerCorrect },
		},
		{
			Header: "time,\nmedian", When: ifFilled,
			Show: func(r row) string { return seconds(r.Timing.TraceP50S) },
			Name: "trace_p50_s", Value: func(r row) any { return r.Timing.TraceP50S },
		},
		{
			Header: "time,\n95 %", When: ifFilled, Leaves: 4,
			Show: func(r row) string { return seconds(r.Timing.TraceP95S) },
			Name: "trace_p95_s", Value: func(r row) any { return r.Timing.TraceP95S },
		},
		{
			Header: "time of\ntraces", When: ifFilled, Leaves: 6,
			Show: func(r row) string { return seconds(r.Timing.TracesS) },
			Name: "traces_s", Value: func(r row) any { return r.Timing.TracesS },
		},
		wall,
	}
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

// moreEffort returns the columns with the differences in effort per query to the baseline.
func moreEffort() []Column[row] {
	of := func(name, header string, decimals int, shift func(result.EffortDifference) result.Shift) []Column[row] {
		at := func(r row) *result.Shift {
			if r.against == nil || r.against.Effort == nil {
				return nil
			}
			s := shift(*r.against.Effort)
			return &s
		}
		name += "_difference"
		return []Column[row]{
			{
				Header: header, When: ifFilled, Leaves: 8 + decimals,
				Show: showOf(at, func(s result.Shift) string { return moved(s, decimals) }),
				Name: name, Value: valueOf(at, func(s result.Shift) any { return s.Difference }),
			},
			{Name: name + "_low", Value: valueOf(at, func(s result.Shift) any { return low(s.CI) })},
			{Name: name + "_high", Value: valueOf(at, func(s result.Shift) any { return high(s.CI) })},
		}
	}
	return slices.Concat(
		of("steps", "Δ steps\na trace", 1, func(e result.EffortDifference) result.Shift { return e.Steps }),
		of("calls", "Δ model calls\na query", 1, func(e result.EffortDifference) result.Shift { return e.Calls }),
		of("tokens", "Δ tokens\na query", 0, func(e result.EffortDifference) result.Shift { return e.Tokens }),
	)
}

// moved formats a difference with its interval.
func moved(s result.Shift, decimals int) string {
	text := signed(s.Difference, decimals)
	if s.CI != nil {
		text += " (" + signed(s.CI.Low, decimals) + " … " + signed(s.CI.High, decimals) + ")"
	}
	return text
}
