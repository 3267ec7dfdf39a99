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
	if b := breaks(o.Broken); b != "" {
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

// breaks says how often one, two and three broken queries are found.
func breaks(scenarios []gate.Scenario) string {
	var out []string
	for i, s := range scenarios {
		if i == 0 {
			out = append(out, fmt.Sprintf("%s in %.1f %% of runs", plural(s.Change.Broken, "broken query", "broken queries"), s.Regression.Value*100))
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
		text := fmt.Sprintf(" %s: %s", short(c.Limit), checkState(c))
		if c.Unchanged != nil {
			text += fmt.Sprintf("; an unchanged system fails it in %.1f %% of runs", *c.Unchanged*100)
		} else {
			text += "; how often an unchanged system fails it is not known"
		}
		out = append(out, fact{"check", say(blend(c.Name), plain(text))})
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

func checkState(c gate.Check) string {
	if c.Value == nil {
		return "not known"
	}
	value := short(*c.Value)
	if c.Name == "floor" { // which only fails what is provably below it
		value = "at most " + value
	}
	if c.Fails {
		return value + " FAILS"
	}
	return value + " holds"
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
