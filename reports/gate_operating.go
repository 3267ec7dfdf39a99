package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// operating says how good the gate is on this pool.
func operating(g Gate) []fact {
	o := g.Operating
	if o == nil {
		return []fact{told("finds", "not simulated for this pool; concur gate simulate does it")}
	}
	drop := "not even a drop to 0 % over all queries in four of five runs"
	if o.MDE != nil {
		drop = fmt.Sprintf("a drop of %.1f points over all queries in four of five runs (MDE)", tenth(*o.MDE))
	}
	out := []fact{told("finds", drop)}
	if b := breaks(o.Broken, o.Guarded); b != "" {
		out = append(out, told("finds", b))
	}
	return append(out,
		told("false alarms", fmt.Sprintf("%s per unchanged run, %s per 20 of them", simulated(o.Unchanged.Regression), simulated(o.Per20))),
		told("simulated", fmt.Sprintf("from this pool, %d runs each; undecided %s, %.1f fresh traces a run", o.Runs, simulated(o.Unchanged.Inconclusive), o.Unchanged.Fresh)))
}

// simulated is a rate with its interval. Rates of false alarms are small, so tenths count.
func simulated(e gate.Estimate) string {
	return fmt.Sprintf("%.1f %% [%.1f, %.1f]", e.Value*100, e.Low*100, e.High*100)
}

// breaks says how often one, two and three broken queries are found, among those that are
// guarded.
func breaks(scenarios []gate.Scenario, guarded int) string {
	var out []string
	for i, s := range scenarios {
		if i == 0 {
			out = append(out, fmt.Sprintf("%s of the %d guarded in %.1f %% of runs", plural(s.Change.Broken, "broken query", "broken queries"), guarded, s.Regression.Value*100))
		} else {
			out = append(out, fmt.Sprintf("%d in %.1f %%", s.Change.Broken, s.Regression.Value*100))
		}
	}
	return strings.Join(out, ", ")
}

// checked are the plain thresholds and the floor, with how often they fail what did not
// change.
func checked(g Gate) []fact {
	var out []fact
	for _, c := range g.Checks[:min(len(g.Checks), mostGateReasons)] {
		out = append(out, fact{"check", checkSentence(c)})
	}
	if n := g.NonInferiority; n != nil {
		state := "not shown"
		if n.Shown {
			state = "shown"
		}
		out = append(out, told("not worse", fmt.Sprintf("by %s points: %s; %d losses and %d gains over %d pairs, the difference is %s points or more (95 %%)",
			wholePoints(n.Margin), state, n.Losses, n.Gains, n.Pairs, points(n.Lower))))
	}
	return out
}

// checkSentence says what a threshold asks for, what the run has, and what it is worth.
func checkSentence(c gate.Check) line {
	value := 0.0
	if c.Value != nil {
		value = *c.Value
	}
	var rule line
	has := ""
	switch c.Name {
	case "floor":
		rule = plain("the pass rate is below the floor of " + finePercent(c.Limit) + " where even its upper bound (95 %) is")
		has = "that is " + finePercent(value)
	case "min_pass_rate":
		rule, has = plain("the pass rate has to be "+finePercent(c.Limit)+" or more"), "it is "+finePercent(value)
	case "max_losses":
		rule, has = plain(plural(int(c.Limit), "query", "queries")+" may be lost against the last accepted run"), plural(int(value), "is", "are")
	case "max_usd":
		rule, has = plain("the run may cost $"+short(c.Limit)), "it cost $"+short(value)
	case "max_p95_s":
		rule, has = plain("95 % of traces have to end within "+short(c.Limit)+" s"), "they do within "+short(value)+" s"
	default:
		rule, has = say(blend(c.Name), plain(" "+short(c.Limit))), "the run has "+short(value)
	}
	if c.Value == nil {
		return say(rule, plain("; what the run has is not known"+unchangedFails(c)))
	}
	state := "holds"
	if c.Fails {
		state = "FAILS"
	}
	return say(rule, plain("; "+has+": "+state+unchangedFails(c)))
}

// finePercent keeps what is just below a limit apart from it.
func finePercent(x float64) string { return short(100*x) + " %" }

// unchangedFails is how often a threshold fails what did not change. A floor is not said to:
// it fails what is provably below it alone.
func unchangedFails(c gate.Check) string {
	switch {
	case c.Unchanged != nil:
		return fmt.Sprintf("; an unchanged system fails it in %.1f %% of runs", *c.Unchanged*100)
	case c.Name == "floor":
		return ""
	}
	return "; how often an unchanged system fails it is not known"
}

// needed is what is still to be run, or would have been if it had been allowed.
func needed(g Gate) []fact {
	ask := func(a gate.Ask) line { return say(plain(fmt.Sprintf("%d of ", a.Traces)), brief(a.Query)) }
	var out []fact
	if asks := slices.Concat(g.Need.Confirm, g.Need.Safety); len(asks) > 0 {
		out = append(out, fact{"not run", say(plain("fresh traces: "), names(asks, ask))})
	}
	if g.Need.Replicate {
		out = append(out, told("not run", "a second full pass"))
	}
	return out
}
