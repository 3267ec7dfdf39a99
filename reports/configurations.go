package reports

import (
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// topic is a table of configurations that answers one question.
type topic struct {
	title   string // the header of the first column
	columns []document.Column[tableRow]
}

// topics returns the columns of a result for every format. Each column is in the tables, in CSV in this order,
// or in both.
func topics(r *result.Result, rows []tableRow, n *notes) []topic {
	out := []topic{
		{"right answers", slices.Concat(identity(rows, n), comparison(rows))},
		{"single traces", singleTraces(rows)},
		{"reliability", reliability(rows)},
		{"answers", quality(n)},
		{"tool calls", slices.Concat(toolCalls(), afterFailures())},
		{"form of replies", formRates(rows)},
		{"effort", effort(rows)},
		{"advice, side requests, explanations, sub-agents", features()},
	}
	if len(compared(rows)) > 0 {
		out[1].columns = slices.Concat(
			singlesRate(rows, tracesOf(rows, "right [95 %]", "passed [95 %]", "right, corrected [95 %]")), out[1].columns)
	} else {
		out[2].columns = slices.Concat(
			singlesRate(rows, tracesOf(rows, "single traces\n[95 %]", "single traces\npassed [95 %]",
				"single traces\nright [95 %]")), out[2].columns)
	}
	if len(r.Comparisons) == 0 {
		out[0].columns = append(out[0].columns, categories(r.Dataset.Categories,
			func(r tableRow) result.Configuration { return r.Configuration })...)
	}
	return out
}

// identity returns the columns with the name of a configuration and its rate of right answers.
func identity(rows []tableRow, n *notes) []document.Column[tableRow] {
	model := document.Column[tableRow]{Name: "model", Value: func(r tableRow) any { return r.Model }}
	if !alike(rows, agentOf) && !namedByModel(rows) {
		model.Header, model.Text = "model", func(r tableRow) document.RichText { return n.describeAgent(r.Configuration) }
		model.When, model.Leaves = document.Always, 4
	}
	header := "" // a value that all rows share is printed once, above the table
	if !alike(rows, func(r tableRow) int { return r.K }) {
		header = "K"
	}
	rates, counted := "pass rate [95 %]", "correct"
	if all := slices.IndexFunc(rows, func(r tableRow) bool {
		return r.Judge.Decides < r.Counts.Queries ||
			r.Judge.Decides == 0
	}) < 0; all && len(rows) > 0 {
		rates, counted = "judge passes [95 %]", "passed"
		if slices.ContainsFunc(rows, func(r tableRow) bool { return r.Corrected != nil }) {
			rates = "right, corrected [95 %]"
		}
	}
	if len(rows) > 0 && alike(rows, func(r tableRow) bool { return r.Counts.Missing > 0 }) && rows[0].Counts.Missing > 0 {
		rates = "pass rate, bounds" // for an incomplete run only bounds are known
	}
	if by := byClusters(rows, func(r tableRow) int {
		if r.Clustered == nil {
			return 0
		}
		return r.Clustered.Clusters
	}); by != "" {
		rates += "\n" + by
	}
	return slices.Concat([]document.Column[tableRow]{
		model,
		{
			Header: header, When: document.IfFilled, Leaves: 3,
			Show: func(r tableRow) string { return figures.Whole(r.K) },
			Name: "k", Value: func(r tableRow) any { return r.K },
		},
		{Name: "queries", Value: func(r tableRow) any { return r.Counts.Queries }},
		{
			Header: counted, Right: true,
			Text: func(r tableRow) document.RichText { return formatCorrect(r.Counts) },
			Name: "correct", Value: func(r tableRow) any { return r.Counts.Correct },
		},
		{Name: "incorrect", Value: func(r tableRow) any { return r.Counts.Incorrect }},
		{Name: "unscored", Value: func(r tableRow) any { return r.Counts.Unscored }},
		{Name: "missing", Value: func(r tableRow) any { return r.Counts.Missing }},
		{
			Header: rates, Leaves: 1,
			Show: func(r tableRow) string { return passRate(r.Configuration) },
			Name: "pass_rate", Value: func(r tableRow) any { return r.PassRate },
		},
		{Name: "ci_low", Value: func(r tableRow) any { return lowEnd(r.CI) }},
		{Name: "ci_high", Value: func(r tableRow) any { return highEnd(r.CI) }},
	}, bounds(), []document.Column[tableRow]{
		{Name: "agent", Value: func(r tableRow) any { return r.Agent }},
		{Name: "sent", Value: func(r tableRow) any { return r.Sent }},
		{Name: "pass", Value: func(r tableRow) any { return r.Pass }},
	})
}

// bounds returns the columns on clusters, on queries without a verdict, and on errors of a judge, which limit a
// rate.
func bounds() []document.Column[tableRow] {
	clustered := func(r tableRow) *result.Clustered { return r.Clustered }
	ends := func(r tableRow) *[2]float64 { return r.Bounds }
	corrected := func(r tableRow) *result.Corrected { return r.Corrected }
	return []document.Column[tableRow]{
		{Name: "clusters", Value: document.ValuePart(clustered, func(c result.Clustered) any { return c.Clusters })},
		{
			Name:  "clustered_effective",
			Value: document.ValuePart(clustered, func(c result.Clustered) any { return c.Effective }),
		},
		{Name: "clustered_se", Value: document.ValuePart(clustered, func(c result.Clustered) any { return c.SE })},
		{Name: "clustered_low", Value: document.ValuePart(clustered, func(c result.Clustered) any { return lowEnd(c.CI) })},
		{Name: "clustered_high", Value: document.ValuePart(clustered, func(c result.Clustered) any { return highEnd(c.CI) })},
		{Name: "bound_low", Value: document.ValuePart(ends, func(b [2]float64) any { return b[0] })},
		{Name: "bound_high", Value: document.ValuePart(ends, func(b [2]float64) any { return b[1] })},
		{Name: "judge_decides", Value: func(r tableRow) any { return r.Judge.Decides }},
		{Name: "judge_passed", Value: func(r tableRow) any { return r.Judge.Passed }},
		{Name: "corrected", Value: document.ValuePart(corrected, func(c result.Corrected) any { return c.Rate })},
		{Name: "corrected_low", Value: document.ValuePart(corrected, func(c result.Corrected) any { return lowEnd(&c.CI) })},
		{
			Name:  "corrected_high",
			Value: document.ValuePart(corrected, func(c result.Corrected) any { return highEnd(&c.CI) }),
		},
		{Name: "corrected_method", Value: document.ValuePart(corrected, func(c result.Corrected) any { return c.Method })},
		{Name: "corrected_labels", Value: document.ValuePart(corrected, func(c result.Corrected) any { return c.Labels })},
	}
}

// categories returns columns of correct queries by category.
func categories[R any](names []string, of func(R) result.Configuration) []document.Column[R] {
	out := make([]document.Column[R], len(names))
	for i, name := range names {
		out[i] = document.Column[R]{
			Heading: document.Quoted(name), Right: true, Leaves: document.CategoryLeaves + i,
			Text: func(r R) document.RichText { return formatCorrect(of(r).ByCategory[name]) },
		}
	}
	return out
}
