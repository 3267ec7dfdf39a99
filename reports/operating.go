package reports

import (
	"fmt"
	"io"
	"slices"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// WriteOperating writes how good the gate is, simulated, for a terminal.
func WriteOperating(w io.Writer, o gate.Operating) error {
	rows := slices.Concat([]gate.Scenario{{Found: o.Unchanged}}, o.Changes)
	figures := []figure[gate.Scenario]{
		word("what changed", func(s gate.Scenario) line { return plain(changed(s.Change)) }),
		{header: plain("alarms [95 %]"), number: true, cell: func(s gate.Scenario) line { return plain(simulated(s.Found.Found)) }},
		{header: plain("fresh traces\nmean"), number: true, cell: func(s gate.Scenario) line { return plain(fmt.Sprintf("%.1f", s.Fresh)) }},
		{header: plain("95 % of\nruns"), number: true, cell: func(s gate.Scenario) line { return plain(fmt.Sprint(s.FreshP95)) }},
	}
	return writeText(w, document{headline: []part{
		{table: tabulate(nil, figures, rows)},
		{lines: []line{
			plain(fmt.Sprintf("at least one false alarm in 20 unchanged runs: %s", simulated(o.Per20))),
			plain(smallestLoss(o) + " (MDE)"),
			plain(simulatedOn(o)),
			plain("traces are drawn independently: weather that hits a whole run, safety queries and plain thresholds are not simulated"),
		}},
	}})
}

func smallestLoss(o gate.Operating) string {
	if o.MDE == nil {
		return "not even a loss of everything over all queries is found in four of five runs"
	}
	return fmt.Sprintf("a loss of %.1f points over all queries is found in four of five runs", *o.MDE*100)
}

// simulatedOn says which truth and which gate were simulated.
func simulatedOn(o gate.Operating) string {
	gated := fmt.Sprintf("%s with a mean rate of %.3f, K=%d against %s from %s", plural(o.Queries, "query", "queries"), o.Mean, o.K, extent(o.History), plural(o.PoolRuns, "run", "runs"))
	if o.Frozen {
		gated += " and a frozen baseline"
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
