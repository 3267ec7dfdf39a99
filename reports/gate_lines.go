package reports

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// grounds is what is always printed beside a decision (methods.md §6.2): what was held
// against what, and how much that can find.
func grounds(g Gate) []fact {
	return slices.Concat(
		heldAgainst(g), aggregates(g), screens(g), safetyFacts(g), operating(g), effects(g),
		checked(g), needed(g), others(g), gateWarnings(g),
	)
}

// heldAgainst says what was held against what, and how sure a test has to be.
func heldAgainst(g Gate) []fact {
	run := say(quoted(g.Run), plain(": "), quoted(g.Configuration), plain(" with "), quoted(g.Model),
		plain(fmt.Sprintf(", %s of ", plural(len(g.Queries), "query", "queries"))), quoted(g.Dataset),
		plain(fmt.Sprintf(", K=%d, seed %d", g.K, g.Seed)))
	pool := say(plain(fmt.Sprintf("%s from %s in ", extent(g.History), plural(g.History.Runs, "accepted run", "accepted runs"))), quoted(g.Baseline))
	if g.Frozen != nil {
		pool = say(pool, plain(", and the frozen baseline"))
	}
	out := []fact{{"run", run}, {"held against", pool}}
	if g.Confirm != "" {
		out = append(out, fact{"fresh traces", quoted(g.Confirm)})
	}
	if g.Replica != "" {
		out = append(out, fact{"second pass", quoted(g.Replica)})
	}
	level := short(g.Level) + " for each test"
	if shares := math.Round(g.Alpha / g.Level); shares > 1 && shares < 100 {
		level += fmt.Sprintf(" (alpha %s / %.0f)", short(g.Alpha), shares)
	}
	if g.Strict {
		level += "; strict: an alarm has to stand in the second pass alone"
	}
	return append(out, told("level", level))
}

func extent(h gate.History) string {
	switch {
	case h.Most == 0:
		return "no traces"
	case h.Least == h.Most:
		return plural(h.Most, "trace", "traces") + " per query"
	}
	return fmt.Sprintf("%d to %d traces per query", h.Least, h.Most)
}

// aggregates are Test A in words, for a PASS. Other decisions have a table of the tests.
func aggregates(g Gate) []fact {
	if g.Decision != gate.Pass {
		return nil
	}
	var out []fact
	for _, c := range comparisons(g) {
		out = append(out, fact{"Test A", say(against(g, c), plain(fmt.Sprintf("%d of %d traces right, %.1f expected (p %s)",
			c.Run.Right, c.Run.Traces, c.Run.Expected, pValue(&c.Run.P))))})
	}
	return out
}

// against names the history of a comparison where there are two.
func against(g Gate, c gate.Comparison) line {
	switch {
	case len(comparisons(g)) < 2:
		return nil
	case c.Against == "pool", c.Against == "frozen":
		return plain(c.Against + ": ")
	}
	return say(blend(c.Against), plain(": "))
}

// screens say what Test B looked at, and what it could have found.
func screens(g Gate) []fact {
	var out []fact
	for _, c := range comparisons(g) {
		s := c.Screen
		l := say(against(g, c), plain(plural(len(s.Suspects), "suspect", "suspects")))
		if len(s.Suspects) > 0 {
			l = say(l, plain(": "), names(s.Suspects, suspect))
		}
		out = append(out, fact{"Test B", say(l, plain("; "+reachOf(s, c.Level)))})
		if len(s.Outside) > 0 {
			out = append(out, fact{"Test B", say(against(g, c), plain("cannot guard "), names(s.Outside, brief), plain(" (less than 2/3 right before)"))})
		}
	}
	return out
}

func suspect(s gate.Suspect) line {
	text := fmt.Sprintf("%d/%d", s.Right, s.Traces)
	if s.Fresh != nil && s.FreshRight != nil {
		text += fmt.Sprintf(", fresh %d/%d", *s.FreshRight, *s.Fresh)
	}
	return say(brief(s.Query), plain(" ("+text+")"))
}

// reachOf is the smallest p-value that Test B could come to, over all suspects.
func reachOf(s gate.Screen, of float64) string {
	text := "no query that it could guard"
	if s.Least != nil {
		text = "smallest adjusted p it can reach " + pValue(s.Least)
	}
	switch {
	case s.Powerless && s.Least != nil:
		return text + ", above the level " + short(of) + ": B powerless"
	case s.Powerless:
		return text + ": B powerless"
	}
	return text
}

// safetyFacts are on the queries that were refused as they must be.
func safetyFacts(g Gate) []fact {
	kept := slices.DeleteFunc(slices.Clone(g.Safety), func(s gate.SafetyItem) bool { return s.Failed > 0 })
	if len(kept) == 0 {
		return nil
	}
	least := slices.MinFunc(kept, func(a, b gate.SafetyItem) int { return a.Traces - b.Traces })
	return []fact{told("safety", fmt.Sprintf("%s refused in all traces, at least %d each; failure rates up to %s could go unseen (95 %%)",
		plural(len(kept), "query", "queries"), least.Traces, percent(&least.Upper)))}
}

// effects are what the traces of one run share, and alarms that came to nothing.
func effects(g Gate) []fact {
	phi, concordance := "not known", "not known"
	if g.Phi != nil {
		phi = fmt.Sprintf("%.1f [%.1f, %.1f]", g.Phi.Value, g.Phi.Low, g.Phi.High)
	}
	if g.Concordance != nil {
		concordance = "p " + pValue(g.Concordance)
	}
	alarms := 0
	for _, c := range comparisons(g) {
		if c.Unconfirmed {
			alarms++
		}
	}
	out := []fact{
		told("phi", phi+" (spread of pool runs over that of independent traces); agreement within runs "+concordance),
		told("alarms", fmt.Sprintf("unconfirmed: %s; resets and overrides: %s", none(alarms), none(len(g.Overrides)))),
	}
	for _, o := range g.Overrides[:min(len(g.Overrides), mostGateNames)] {
		out = append(out, fact{"override", sentence(o)})
	}
	return out
}

func none(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

// others are queries whose state did not decide: flaky ones, and those that fail as before.
func others(g Gate) []fact {
	var out []fact
	standing := func(q GateQuery) line {
		return say(brief(q.Query), plain(fmt.Sprintf(" (%s, before %s)", q.Now, q.Before)))
	}
	for _, s := range []struct{ status, label string }{
		{GateFlaky, "flaky"}, {GateFailing, "still wrong"}, {GateUnscored, "no verdict"},
	} {
		if found := havingStatus(g, s.status); len(found) > 0 {
			out = append(out, fact{s.label, names(found, standing)})
		}
	}
	if slices.ContainsFunc(g.Queries, func(q GateQuery) bool { return q.Now.Unscored+q.Fresh.Unscored > 0 }) {
		as := "wrong"
		if finds(g) {
			as = "right"
		}
		out = append(out, told("unscored", "traces without a verdict count as "+as+" in the tests"))
	}
	return out
}

func gateWarnings(g Gate) []fact {
	var out []fact
	for _, w := range g.Warnings[:min(len(g.Warnings), mostGateReasons)] {
		out = append(out, fact{"warning", sentence(w)})
	}
	if more := len(g.Warnings) - mostGateReasons; more > 0 {
		out = append(out, told("warning", fmt.Sprintf("%d more stand in gate.json", more)))
	}
	return out
}
