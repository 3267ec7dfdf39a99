package reports

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// estimateText formats an estimate with its interval.
func estimateText(e result.Estimate) string {
	if e.Value == nil {
		return document.Undefined
	}
	return within(*e.Value, e.CI, e.Queries)
}

// estimateColumns returns the columns of an estimate that is nil in some rows. If header is "", the columns are
// for programs only.
func estimateColumns(name, header string, leaves int, of func(tableRow) *result.Estimate) []document.Column[tableRow] {
	value := func(name string, value func(result.Estimate) any) document.Column[tableRow] {
		return document.Column[tableRow]{Name: name, Value: func(r tableRow) any {
			if e := of(r); e != nil {
				return value(*e)
			}
			return nil
		}}
	}
	end := func(of func(result.Interval) float64) func(result.Estimate) any {
		return func(e result.Estimate) any {
			if e.CI == nil {
				return nil
			}
			return of(*e.CI)
		}
	}
	first := value(name, func(e result.Estimate) any { return e.Value })
	if header != "" {
		first.Header, first.When, first.Leaves = header, document.IfFilled, leaves
		first.Show = func(r tableRow) string { return document.FormatDefined(of(r), estimateText) }
	}
	return []document.Column[tableRow]{
		first,
		value(name+"_low", end(func(i result.Interval) float64 { return i.Low })),
		value(name+"_high", end(func(i result.Interval) float64 { return i.High })),
		value(name+"_queries", func(e result.Estimate) any { return e.Queries }),
	}
}

// afterFailures returns the columns on traces in which a tool call failed.
func afterFailures() []document.Column[tableRow] {
	of := func(count func(result.Recovery) int) func(tableRow) *int {
		return func(r tableRow) *int {
			if r.Recovery == nil {
				return nil
			}
			n := count(*r.Recovery)
			return &n
		}
	}
	traces := of(func(x result.Recovery) int { return x.Traces })
	calls := of(func(x result.Recovery) int { return x.Calls })
	right := func(r tableRow) *result.Estimate {
		if r.Recovery == nil {
			return nil
		}
		return &r.Recovery.Estimate
	}
	return append(estimateColumns("right_after_failure", "right after\na failed call", 0, right),
		document.Column[tableRow]{
			Header: "traces with\na failed call", When: document.IfFilled, Leaves: 4,
			Show: func(r tableRow) string { return figures.Count(traces(r)) },
			Name: "failed_call_traces", Value: func(r tableRow) any { return traces(r) },
		},
		document.Column[tableRow]{Name: "failed_calls", Value: func(r tableRow) any { return calls(r) }})
}

// formRates returns the columns on replies with a wrong form. People see them only if the rows differ in model
// or protocol, because these determine the form.
func formRates(rows []tableRow) (out []document.Column[tableRow]) {
	same := alike(rows, func(r tableRow) string { return r.Model }) &&
		alike(rows, func(r tableRow) string { return r.Protocol })
	for _, c := range []struct {
		name, header string
		leaves       int
		part         func(*result.Forms) *result.Estimate
	}{
		{"errors", "wrong in form", 0, func(f *result.Forms) *result.Estimate { return &f.Errors }},
		{"repaired", "mended", 2, func(f *result.Forms) *result.Estimate { return &f.Repaired }},
		{"invented", "observation\ninvented", 3, func(f *result.Forms) *result.Estimate { return &f.Invented }},
		{"dropped", "action\ndropped", 5, func(f *result.Forms) *result.Estimate { return &f.Dropped }},
		{"no_line", "no answer\nline", 1, func(f *result.Forms) *result.Estimate { return &f.NoLine }},
		{"cut_off", "cut off", 4, func(f *result.Forms) *result.Estimate { return &f.CutOff }},
	} {
		if same {
			c.header = ""
		}
		out = append(out, estimateColumns("form_"+c.name, c.header, c.leaves, func(r tableRow) *result.Estimate {
			if r.Forms == nil {
				return nil
			}
			return c.part(r.Forms)
		})...)
	}
	return out
}

// stated returns the table that compares the confidence that the model stated with how often it was right; nil
// if the model was not asked for its confidence.
func stated(r *result.Result) []document.Section {
	type bin = result.StatedBin
	var rows ownedRows[bin]
	var lines []document.RichText
	for _, c := range r.Configurations {
		f := c.Stated
		if f == nil {
			continue
		}
		rows.add(c.Name, f.Bins...)
		about := fmt.Sprintf(
			": Brier %s, ECE %s, AUROC %s over %d single traces; asked in %d, no percentage from 0 to 100 in %d",
			figures.Decimal(&f.Brier, 3), figures.Decimal(&f.ECE, 3), figures.Decimal(f.AUROC, 3), f.Graded, f.Checks, f.Unread)
		lines = append(lines, document.Concat(document.Quoted(c.Name), document.Plain(about)))
	}
	if len(lines) == 0 {
		return nil
	}
	const title = "Confidence that the model stated, of single traces"
	return document.Captioned(tabulateOwned(title, owner(r), rows, []document.Column[bin]{
		{Header: "stated", Show: func(b bin) string { return fmt.Sprintf("%d–%d %%", b.From, b.From+10) }},
		{Header: "mean", Show: func(b bin) string { return figures.Percent(&b.Claim) }},
		{Header: "correct", Show: func(b bin) string { return fmt.Sprintf("%d/%d", b.Right, b.Traces) }},
		{Header: "accuracy [95 %]", Show: func(b bin) string { return within(b.Mean.Value, b.Mean.CI, b.Traces) }},
	}), lines...)
}
