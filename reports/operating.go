package reports

import (
	"fmt"
	"io"
	"slices"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// WriteOperating writes how good the gate is, simulated, for a terminal.
func WriteOperating(w io.Writer, o gate.Operating) error {
	rows := []gate.Scenario{{Found: o.Unchanged}}
	rows = slices.Concat(rows, o.Broken, []gate.Scenario{o.Halved}, o.Drops)
	figures := []figure[gate.Scenario]{
		word("what changed", func(s gate.Scenario) line { return plain(changed(s.Change)) }),
		{header: plain("REGRESSION [95 %]"), number: true, cell: func(s gate.Scenario) line { return plain(simulated(s.Regression)) }},
		{header: plain("INCONCLUSIVE"), number: true, cell: func(s gate.Scenario) line { return plain(simulated(s.Inconclusive)) }},
		{header: plain("fresh traces\na run"), number: true, cell: func(s gate.Scenario) line { return plain(fmt.Sprintf("%.1f", s.Fresh)) }},
	}
	mde := "not even a drop to 0 % over all queries is found in four of five runs"
	if o.MDE != nil {
		mde = fmt.Sprintf("a drop of %.1f points over all queries is found in four of five runs (MDE)", *o.MDE*100)
	}
	return writeText(w, document{headline: []part{
		{table: tabulate(nil, figures, rows)},
		{lines: []line{
			plain(fmt.Sprintf("at least one false alarm in 20 unchanged runs: %s", simulated(o.Per20))),
			plain(mde),
			plain(fmt.Sprintf("%s, %d of them guarded one by one, K=%d against %s from %s%s, alpha %g, %d simulated runs a figure (the MDE fewer), seed %d",
				plural(o.Queries, "gated query", "gated queries"), o.Guarded, o.K, extent(o.History), plural(o.PoolRuns, "pool run", "pool runs"), besides(o), o.Alpha, o.Runs, o.Seed)),
			plain("traces are drawn independently: weather that hits a whole run, safety queries and plain thresholds are not simulated"),
		}},
	}})
}

// besides is what else the gate that was simulated has.
func besides(o gate.Operating) string {
	text := ""
	if o.Frozen {
		text += " and a frozen baseline"
	}
	if o.Strict {
		text += ", strict"
	}
	return text
}

// changed says what happened to the queries.
func changed(c gate.Change) string {
	switch {
	case c.Broken == 1:
		return fmt.Sprintf("one guarded query falls to %.0f %%", c.To*100)
	case c.Broken > 1:
		return fmt.Sprintf("%d guarded queries fall to %.0f %%", c.Broken, c.To*100)
	case c.Drop > 0:
		return fmt.Sprintf("every query loses %.0f points", c.Drop*100)
	}
	return "nothing (false alarms)"
}
