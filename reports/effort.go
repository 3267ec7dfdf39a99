package reports

import (
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
)

// effort is the table of what every configuration took.
func effort(rows []row, configurations []result.Configuration, notes remarks) *table {
	quality := qualityHeader(configurations, notes)
	figures := []figure[row]{
		word("configuration", func(r row) line { return quoted(r.Name) }),
		measure("grounded", func(r row) string { return percent(r.Citations.Share) }),
		measure("judged\ncorrect", func(r row) string { return percent(r.Judge.CorrectnessPassRate) }),
		measure(quality, func(r row) string { return qualityMean(r.Configuration, quality, notes) }),
		measure("steps\na trace", func(r row) string { return decimal(r.Efficiency.StepsPerTrace, 1) }),
		measure("tool calls\na trace", func(r row) string { return decimal(r.Efficiency.ToolCallsPerTrace, 1) }),
		count("calls\nsent", func(r row) string { return thousands(r.Timing.CallsSent) }),
		count("tokens", func(r row) string { return thousands(r.Usage.InputTokens + r.Usage.OutputTokens) }),
		measure("cost", func(r row) string { return dollars(r.Usage.USD) }),
		measure("per\ncorrect", func(r row) string { return dollars(r.USDPerCorrect) }),
		measure("p50", func(r row) string { return seconds(r.Timing.TraceP50S) }),
		measure("p95", func(r row) string { return seconds(r.Timing.TraceP95S) }),
		measure("time of\ntraces", func(r row) string { return seconds(r.Timing.TracesS) }),
	}
	if sameTime(rows) == "" {
		figures = append(figures, measure("time", func(r row) string { return seconds(r.Timing.WallS) }))
	}
	figures = append(figures, figure[row]{header: plain("note"), most: maxReason, optional: true, cell: func(r row) line { return quoted(r.Note) }})
	return tabulate(plain("Effort"), figures, rows)
}

// effortDifferences is the table of what every configuration takes more than the baseline,
// beside what it gains; nil where nothing is paired.
func effortDifferences(rows []row) *table {
	rows = slices.DeleteFunc(compared(rows), func(r row) bool { return r.against.Effort == nil })
	if len(rows) == 0 {
		return nil
	}
	of := func(header string, decimals int, shift func(result.EffortDifference) result.Shift) figure[row] {
		return measure(header, func(r row) string {
			s := shift(*r.against.Effort)
			text := signed(s.Difference, decimals)
			if s.CI != nil {
				text += " [" + signed(s.CI.Low, decimals) + ", " + signed(s.CI.High, decimals) + "]"
			}
			return text
		})
	}
	return tabulate(plain("Against the baseline, per query [95 %]"), []figure[row]{
		word("configuration", func(r row) line { return quoted(r.Name) }),
		measure("Δ points", func(r row) string { return points(*r.against.Difference) }),
		of("Δ steps a trace", 1, func(e result.EffortDifference) result.Shift { return e.Steps }),
		of("Δ model calls", 1, func(e result.EffortDifference) result.Shift { return e.Calls }),
		of("Δ tokens", 0, func(e result.EffortDifference) result.Shift { return e.Tokens }),
	}, rows)
}

// sameTime is the time of the run where it is that of every row, since rows of one run
// take turns; "" elsewhere.
func sameTime(rows []row) string {
	first := rows[0].Timing.WallS
	if first == nil || slices.ContainsFunc(rows, func(r row) bool { return r.Timing.WallS == nil || *r.Timing.WallS != *first }) {
		return ""
	}
	return seconds(first)
}
