package reports

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
	"github.com/seed-5817661a/concur/runner/feature/registry"
)

// effort returns the columns on steps, calls, tokens, cost and time.
func effort(rows []tableRow) []document.Column[tableRow] {
	return slices.Concat(calls(), fewerSteps(rows), costAndTime(rows), moreEffort(), []document.Column[tableRow]{{
		Header: "note", When: document.IfFilled, Most: document.MaxReason, Leaves: 1,
		Text: func(r tableRow) document.RichText { return document.Quoted(r.Note) },
		Name: "note", Value: func(r tableRow) any { return r.Note },
	}})
}

// calls returns the columns on steps, calls and tokens.
func calls() []document.Column[tableRow] {
	return []document.Column[tableRow]{
		{
			Header: "single traces\ncorrect", When: document.IfWide,
			Show: func(r tableRow) string { return fmt.Sprintf("%d/%d", r.Traces.Correct, r.Traces.Total) },
		},
		{Name: "traces", Value: func(r tableRow) any { return r.Traces.Total }},
		{Name: "traces_correct", Value: func(r tableRow) any { return r.Traces.Correct }},
		{
			Header: "steps\na trace", When: document.IfFilled,
			Show: func(r tableRow) string { return figures.Tenths(r.Efficiency.StepsPerTrace) },
			Name: "steps_per_trace", Value: func(r tableRow) any { return r.Efficiency.StepsPerTrace },
		},
		{
			Header: "tool calls\na trace", When: document.IfFilled, Leaves: 3,
			Show: func(r tableRow) string { return figures.Tenths(r.Efficiency.ToolCallsPerTrace) },
			Name: "tool_calls_per_trace", Value: func(r tableRow) any { return r.Efficiency.ToolCallsPerTrace },
		},
		{Name: "step_waste", Value: func(r tableRow) any { return r.Efficiency.StepWaste }},
		{Name: "tool_call_waste", Value: func(r tableRow) any { return r.Efficiency.ToolCallWaste }},
		{Name: "repeated_share", Value: func(r tableRow) any { return r.Efficiency.RepeatedShare }},
		{
			Header: "model\ncalls", When: document.IfFilled,
			Show: func(r tableRow) string { return figures.Thousands(r.Usage.ModelCalls) },
			Name: "model_calls", Value: func(r tableRow) any { return r.Usage.ModelCalls },
		},
		{Name: "tool_calls", Value: func(r tableRow) any { return r.Usage.ToolCalls }},
		{
			Header: "calls\nsent", When: document.IfFilled, Leaves: 7,
			Show: func(r tableRow) string { return figures.Thousands(r.Timing.CallsSent) },
			Name: "calls_sent", Value: func(r tableRow) any { return r.Timing.CallsSent },
		},
		{
			Header: "tokens",
			Show:   func(r tableRow) string { return figures.Thousands(r.Usage.InputTokens + r.Usage.OutputTokens) },
		},
		{Name: "input_tokens", Value: func(r tableRow) any { return r.Usage.InputTokens }},
		{Name: "output_tokens", Value: func(r tableRow) any { return r.Usage.OutputTokens }},
		{Name: "cached_tokens", Value: func(r tableRow) any { return r.Usage.CachedTokens }},
	}
}

// costAndTime returns the columns on cost and time.
func costAndTime(rows []tableRow) []document.Column[tableRow] {
	wall := document.Column[tableRow]{Leaves: 5, Name: "wall_s", Value: func(r tableRow) any { return r.Timing.WallS }}
	if len(rows) < 2 || sameTime(rows) == "" {
		wall.Header, wall.When = "time", document.IfFilled
		wall.Show = func(r tableRow) string { return figures.Seconds(r.Timing.WallS) }
	}
	return []document.Column[tableRow]{
		{
			Header: "cost", When: document.IfFilled,
			Show: func(r tableRow) string { return figures.Dollars(r.Usage.USD) },
			Name: "usd", Value: func(r tableRow) any { return r.Usage.USD },
		},
		{
			Header: "per\nquery", When: document.IfWide,
			Show: func(r tableRow) string { return figures.Dollars(r.USDPerQuery) },
			Name: "usd_per_query", Value: func(r tableRow) any { return r.USDPerQuery },
		},
		{
			Header: "per\ncorrect", When: document.IfFilled, Leaves: 2,
			Show: func(r tableRow) string { return figures.Dollars(r.USDPerCorrect) },
			Name: "usd_per_correct", Value: func(r tableRow) any { return r.USDPerCorrect },
		},
		{
			Header: "time,\nmedian", When: document.IfFilled,
			Show: func(r tableRow) string { return figures.Seconds(r.Timing.TraceP50S) },
			Name: "trace_p50_s", Value: func(r tableRow) any { return r.Timing.TraceP50S },
		},
		{
			Header: "time,\n95 %", When: document.IfFilled, Leaves: 4,
			Show: func(r tableRow) string { return figures.Seconds(r.Timing.TraceP95S) },
			Name: "trace_p95_s", Value: func(r tableRow) any { return r.Timing.TraceP95S },
		},
		{
			Header: "time of\ntraces", When: document.IfFilled, Leaves: 6,
			Show: func(r tableRow) string { return figures.Seconds(r.Timing.TracesS) },
			Name: "traces_s", Value: func(r tableRow) any { return r.Timing.TracesS },
		},
		wall,
	}
}

// sameTime returns the time of the run if all rows have the same time, and otherwise "". Rows of one run have
// the same time, because their traces take turns.
func sameTime(rows []tableRow) string {
	first := rows[0].Timing.WallS
	if first == nil || slices.ContainsFunc(rows,
		func(r tableRow) bool { return r.Timing.WallS == nil || *r.Timing.WallS != *first }) {
		return ""
	}
	return figures.Seconds(first)
}

// fewerSteps returns the columns with the difference in steps to the baseline, as a share of the baseline's
// steps. Tables for people have them if some rows have a playbook and others do not, because one aim of a
// playbook is fewer steps.
func fewerSteps(rows []tableRow) []document.Column[tableRow] {
	advised := func(r tableRow) bool { return registry.UsesPlaybook(r.Extras) }
	share := func(r tableRow) *result.Shift {
		if r.against == nil || r.against.Effort == nil {
			return nil
		}
		return r.against.Effort.StepsShare
	}
	first := document.Column[tableRow]{
		Name: "steps_share", Value: document.ValuePart(share, func(s result.Shift) any { return s.Difference }),
	}
	if !alike(rows, advised) {
		first.Header, first.When = "Δ steps,\n%", document.IfFilled
		first.Show = document.ShowPart(share, func(s result.Shift) string { return formatShift(s, 100, 0) })
	}
	return []document.Column[tableRow]{
		first,
		{Name: "steps_share_low", Value: document.ValuePart(share, func(s result.Shift) any { return lowEnd(s.CI) })},
		{Name: "steps_share_high", Value: document.ValuePart(share, func(s result.Shift) any { return highEnd(s.CI) })},
	}
}

// moreEffort returns the columns with the differences in effort per query to the baseline.
func moreEffort() []document.Column[tableRow] {
	type shiftOf = func(result.EffortDifference) result.Shift
	of := func(name, header string, decimals int, shift shiftOf) []document.Column[tableRow] {
		at := func(r tableRow) *result.Shift {
			if r.against == nil || r.against.Effort == nil {
				return nil
			}
			s := shift(*r.against.Effort)
			return &s
		}
		name += "_difference"
		return []document.Column[tableRow]{
			{
				Header: header, When: document.IfFilled, Leaves: 8 + decimals,
				Show: document.ShowPart(at, func(s result.Shift) string { return formatShift(s, 1, decimals) }),
				Name: name, Value: document.ValuePart(at, func(s result.Shift) any { return s.Difference }),
			},
			{Name: name + "_low", Value: document.ValuePart(at, func(s result.Shift) any { return lowEnd(s.CI) })},
			{Name: name + "_high", Value: document.ValuePart(at, func(s result.Shift) any { return highEnd(s.CI) })},
		}
	}
	return slices.Concat(
		of("steps", "Δ steps\na trace", 1, func(e result.EffortDifference) result.Shift { return e.Steps }),
		of("calls", "Δ model calls\na query", 1, func(e result.EffortDifference) result.Shift { return e.Calls }),
		of("tokens", "Δ tokens\na query", 0, func(e result.EffortDifference) result.Shift { return e.Tokens }),
	)
}

// formatShift formats a difference with its interval, in units of 1/unit.
func formatShift(s result.Shift, unit float64, decimals int) string {
	shown := figures.Signed(unit*s.Difference, decimals)
	if s.CI != nil {
		low, high := text.SignedEnds(unit*s.CI.Low, unit*s.CI.High, decimals)
		shown += " (" + low + " … " + high + ")"
	}
	return shown
}
