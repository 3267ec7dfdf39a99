package reports

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// operating says how good the gate is on this pool.
func operating(g Gate) []fact {
	o := g.Operating
	if o == nil {
		return []fact{told("finds", "not simulated for this pool; concur gate simulate does it")}
	}
	var found []string
	for _, s := range o.Changes {
		found = append(found, fmt.Sprintf("%s %.0f %%", changed(s.Change), s.Found.Found.Value*100))
	}
	return []fact{
		told("finds", strings.Join(found, "; ")),
		told("finds", smallestLoss(*o)),
		told("false alarms", fmt.Sprintf("%s per unchanged run, %s per 20 of them; %.1f fresh traces a run", simulated(o.Unchanged.Found), simulated(o.Per20), o.Unchanged.Fresh)),
		told("simulated", simulatedOn(*o)),
	}
}

// simulated is a rate with its interval. Rates of false alarms are small, so tenths count.
func simulated(e gate.Estimate) string {
	return fmt.Sprintf("%.1f %% [%.1f, %.1f]", e.Value*100, e.Low*100, e.High*100)
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
