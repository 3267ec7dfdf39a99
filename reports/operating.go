package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// WriteOperating writes how good the gate is, simulated, as a table or as JSON.
func WriteOperating(w io.Writer, f Format, o gate.Operating) error {
	if f == FormatJSON {
		return JSON(w, o)
	}
	rows := slices.Concat([]gate.Scenario{{Found: o.Unchanged}}, o.Changes)
	figures := []figure[gate.Scenario]{
		word("what changed", func(s gate.Scenario) line { return plain(changed(s.Change)) }),
		count("alarms [95 %]", func(s gate.Scenario) string { return simulated(s.Found.Found) }),
		count("fresh traces\nmean", func(s gate.Scenario) string { return fmt.Sprintf("%.1f", s.Fresh) }),
		count("95 % of\nruns", func(s gate.Scenario) string { return fmt.Sprint(s.FreshP95) }),
	}
	return writeText(w, document{headline: []part{
		{table: tabulate(nil, figures, rows)},
		{lines: []line{
			plain(smallestLoss(o) + " (MDE)"),
			plain(simulatedOn(o)),
			plain("traces are drawn independently: weather that hits a whole run, safety queries and plain thresholds are not simulated"),
		}},
	}})
}

// operating says how good the gate is on this pool.
func operating(o *gate.Operating) []fact {
	if o == nil {
		return []fact{{"finds", plain("not simulated for this pool; concur gate simulate does it")}}
	}
	var found []string
	for _, s := range o.Changes {
		found = append(found, fmt.Sprintf("%s %.0f %%", changed(s.Change), s.Found.Found.Value*100))
	}
	return []fact{
		{"finds", plain(strings.Join(found, "; "))},
		{"finds", plain(smallestLoss(*o))},
		{"false alarms", plain(fmt.Sprintf("%s per unchanged run; %.1f fresh traces a run", simulated(o.Unchanged.Found), o.Unchanged.Fresh))},
		{"simulated", plain(simulatedOn(*o))},
	}
}

// simulated is a rate with its interval. Rates of false alarms are small, so tenths count.
func simulated(e gate.Estimate) string {
	return fmt.Sprintf("%.1f %% [%.1f, %.1f]", e.Value*100, e.Low*100, e.High*100)
}

func smallestLoss(o gate.Operating) string {
	if o.MDE == nil {
		return "not even a loss of everything over all queries is found in four of five runs"
	}
	return fmt.Sprintf("a loss of %.1f points over all queries is found in four of five runs", *o.MDE*100)
}

// simulatedOn says which truth and which gate were simulated.
func simulatedOn(o gate.Operating) string {
	gated := fmt.Sprintf("%s with a mean rate of %.3f, K=%d against %s from %s", counted(o.Queries, "query", "queries"), o.Mean, o.K, extent(o.History), counted(o.PoolRuns, "run", "runs"))
	if o.Frozen {
		gated += " beside a frozen baseline, which is not simulated"
	}
	if o.Strict {
		gated += ", strict"
	}
	return fmt.Sprintf("%s, alpha %g, %d simulated runs a figure, seed %d; cautious where the rates are a pool's, since a query that was always right counts as (m+1/2)/(m+1)", gated, o.Alpha, o.Runs, o.Seed)
}

// changed says what happened to the queries.
func changed(c gate.Change) string {
	kind := "steady"
	if c.Flaky {
		kind = "flaky"
	}
	switch {
	case c.Broken == 1:
		return fmt.Sprintf("one %s query falls to %.0f %%", kind, c.To*100)
	case c.Broken > 1:
		return fmt.Sprintf("%d %s queries fall to %.0f %%", c.Broken, kind, c.To*100)
	case c.Drop > 0:
		return fmt.Sprintf("every query loses %.0f points", c.Drop*100)
	}
	return "nothing (false alarms)"
}
