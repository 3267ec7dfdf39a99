package gatereport

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// WriteOperating writes the simulated performance of the gate, as a table or as JSON.
func WriteOperating(w io.Writer, f document.Format, o gate.Operating, s document.Screen) error {
	if f == document.FormatJSON {
		return document.WriteJSON(w, o)
	}
	rows := slices.Concat([]gate.Scenario{{Found: o.Unchanged}}, o.Changes)
	columns := []document.Column[gate.Scenario]{
		{
			Header: "what changed",
			Text:   func(s gate.Scenario) document.RichText { return document.Plain(describeChange(s.Change)) },
		},
		{Header: "alarms [95 %]", Show: func(s gate.Scenario) string { return simulated(s.Found.Found) }},
		{Header: "fresh traces\nmean", Show: func(s gate.Scenario) string { return fmt.Sprintf("%.1f", s.Fresh) }},
		{Header: "95 % of\nruns", Show: func(s gate.Scenario) string { return fmt.Sprint(s.FreshP95) }},
	}
	return s.Write(w, document.Document{Headline: []document.Section{
		{Table: document.Tabulate(nil, columns, rows)},
		{Lines: []document.RichText{
			document.Plain(smallestLoss(o) + " (MDE)"),
			document.Plain(simulatedOn(o)),
			document.Plain(
				"traces are drawn independently: shared disturbances, such as a provider outage, safety queries and plain " +
					"thresholds are not simulated",
			),
		}},
	}})
}

// describeOperating describes the gate's performance on this pool.
func describeOperating(o *gate.Operating) []document.LabelledText {
	if o == nil {
		return []document.LabelledText{
			{Label: "finds", Text: document.Plain("not simulated for this pool: run concur gate simulate")},
		}
	}
	var found []string
	for _, s := range o.Changes {
		found = append(found, describeChange(s.Change)+": "+figures.FormatRate(s.Found.Found.Value, 0)+" %")
	}
	return []document.LabelledText{
		{Label: "finds", Text: document.Plain(strings.Join(found, "; "))},
		{Label: "finds", Text: document.Plain(smallestLoss(*o))},
		{Label: "false alarms", Text: document.Phrase("%s per unchanged run; %.1f fresh traces a run",
			simulated(o.Unchanged.Found), o.Unchanged.Fresh)},
		{Label: "simulated", Text: document.Plain(simulatedOn(*o))},
	}
}

// simulated formats a rate with its interval. It has a decimal, because rates of false alarms are small.
func simulated(e gate.Estimate) string {
	return fmt.Sprintf("%.1f %% %s", e.Value*100, text.Bracketed(e.Low, e.High, 1))
}

func smallestLoss(o gate.Operating) string {
	if o.MDE == nil {
		return "even the loss of all right answers is found in fewer than four of five runs"
	}
	return fmt.Sprintf("a loss of %.1f points over all queries is found in four of five runs", *o.MDE*100)
}

// simulatedOn describes the simulated truth and gate.
func simulatedOn(o gate.Operating) string {
	gated := fmt.Sprintf("%s with a mean rate of %.3f, K=%d against %s from %s", text.Counted(o.Queries, "query"),
		o.Mean, o.K, historyExtent(o.History), text.Counted(o.PoolRuns, "run"))
	if o.Frozen {
		gated += " beside a frozen baseline, which is not simulated"
	}
	if o.Strict {
		gated += ", strict"
	}
	return fmt.Sprintf("%s, alpha %g, %d simulated runs per figure, seed %d; cautious if the rates are those of a pool: "+
		"a query that was right in all m traces is simulated with the rate (m+1/2)/(m+1)", gated, o.Alpha, o.Runs, o.Seed)
}
