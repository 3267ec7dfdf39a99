package reports

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// grounds is what is always printed beside a decision (methods.md §6.2): what was compared
// with what, and how much that can find.
func grounds(g Gate) []fact {
	return slices.Concat(
		matchup(g), notGated(g), looks(g), safetyFacts(g), operating(g), effects(g),
		checked(g), needed(g), others(g), gateWarnings(g),
	)
}

// matchup says what was compared with what.
func matchup(g Gate) []fact {
	if g.Run == "" { // no run could be read
		return nil
	}
	run := say(quoted(g.Run), plain(": "), quoted(g.Configuration), plain(" with "), quoted(g.Model),
		plain(fmt.Sprintf(", %s of ", plural(len(g.Queries), "query", "queries"))), quoted(g.Dataset),
		plain(fmt.Sprintf(", K=%d, seed %d", g.K, g.Seed)))
	pool := say(plain(fmt.Sprintf("%s from %s in ", extent(g.History), plural(g.History.Runs, "accepted run", "accepted runs"))), quoted(g.Baseline))
	if g.Frozen != nil {
		pool = say(pool, plain(", and the frozen baseline"))
	}
	out := []fact{{"run", run}, {"compared with", pool}}
	if g.As != "" {
		out = append(out, fact{"asked as", say(quoted(g.As), plain(": beside the run's own decision, which stays"))})
	}
	if len(g.Fresh) > 0 {
		out = append(out, fact{"fresh traces", names(g.Fresh, brief)})
	}
	return out
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

// notGated are the queries without history.
func notGated(g Gate) []fact {
	if len(g.NotGated) == 0 {
		return nil
	}
	each := func(n gate.NotGated) line {
		return say(brief(n.Query), plain(fmt.Sprintf(" (%d of 4 traces, %d of 2 runs)", n.Traces, n.Runs)))
	}
	return []fact{{"not gated yet", say(plain(plural(len(g.NotGated), "query", "queries")+": "), names(g.NotGated, each), plain("; they block nothing, and accepting this run brings them history"))}}
}

// looks are what Tests A and B saw.
func looks(g Gate) []fact {
	var out []fact
	for _, c := range comparisons(g) {
		level := fmt.Sprintf("alpha %s, %s for single queries and %s for the total", levelText(g.Alpha), levelText(c.AlphaB), levelText(c.AlphaA))
		if g.Strict {
			level += " (strict)"
		}
		out = append(out, fact{"levels", say(against(g, c), plain(level))})
		suspects := slices.DeleteFunc(slices.Clone(c.Slips), func(s gate.Slip) bool { return !s.Suspect })
		l := say(against(g, c), plain(fmt.Sprintf("%s lost traces, %s", plural(len(c.Slips), "query", "queries"), plural(len(suspects), "suspect", "suspects"))))
		if len(suspects) > 0 {
			l = say(l, plain(": "), names(suspects, suspect))
		}
		reach := fmt.Sprintf("; smallest p × queries that fresh traces can reach %s", pValue(&c.Least))
		if c.Powerless() {
			reach += fmt.Sprintf(", above %s: no query can be named", levelText(c.AlphaB))
		}
		out = append(out, fact{"single queries", say(l, plain(reach))})
		if len(c.Blind) > 0 && !c.Powerless() {
			out = append(out, fact{"single queries", say(against(g, c), plain("too little or too poor a history to be named: "), names(c.Blind, brief))})
		}
		for _, look := range c.Looks {
			text := fmt.Sprintf("%d of %d traces right, %.1f expected, p %s", look.Right, look.Traces, look.Expected, pValue(&look.P))
			if look.Fresh > 0 {
				text = fmt.Sprintf("looked again with %s of every query: ", plural(look.Fresh, "fresh trace", "fresh traces")) + text
			}
			if look.Level > 0 {
				text += fmt.Sprintf(" (alarm at %s)", levelText(look.Level))
			}
			out = append(out, fact{"total", say(against(g, c), plain(text))})
		}
	}
	return out
}

// against names the history of a comparison where there are two.
func against(g Gate, c gate.Comparison) line {
	if len(comparisons(g)) < 2 {
		return nil
	}
	return say(blend(c.Against), plain(": "))
}

func suspect(s gate.Slip) line {
	text := fmt.Sprintf("%d/%d", s.Right, s.Traces)
	if right, of := s.Fresh(); of > 0 {
		last := s.Looks[len(s.Looks)-1]
		text += fmt.Sprintf(", fresh %d/%d, p %s", right, of, pValue(&last.P))
		if last.Level > 0 {
			text += fmt.Sprintf(", named at %s", levelText(last.Level))
		}
	}
	return say(brief(s.Query), plain(" ("+text+")"))
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

// effects are what the traces of one run share, and overrides.
func effects(g Gate) []fact {
	phi, concordance := "not known", "not known"
	if g.Phi != nil {
		phi = fmt.Sprintf("%.1f [%.1f, %.1f]", g.Phi.Value, g.Phi.Low, g.Phi.High)
	}
	if g.Concordance != nil {
		concordance = "p " + pValue(g.Concordance)
	}
	out := []fact{told("phi", phi+" (spread of accepted runs over that of independent traces); agreement within runs "+concordance)}
	for _, o := range g.Overrides[:min(len(g.Overrides), mostGateNames)] {
		out = append(out, fact{"override", sentence(o)})
	}
	return out
}

// needed is what is still to be run, or would have been if it had been allowed.
func needed(g Gate) []fact {
	if len(g.Need) == 0 {
		return nil
	}
	return []fact{{"not run", say(plain("fresh traces, in all: "), names(g.Need, func(a gate.Ask) line { return say(plain(fmt.Sprintf("%d of ", a.Traces)), brief(a.Query)) }))}}
}

// others are queries whose state did not decide: flaky ones, and those that fail as before.
func others(g Gate) []fact {
	var out []fact
	rates := func(q GateQuery) line {
		return say(brief(q.Query), plain(fmt.Sprintf(" (%s, before %s)", q.Now, q.Before)))
	}
	for _, s := range []struct{ status, label string }{
		{GateFlaky, "flaky"}, {GateFailing, "still wrong"}, {GateUnscored, "no verdict"},
	} {
		if found := havingStatus(g, s.status); len(found) > 0 {
			out = append(out, fact{s.label, names(found, rates)})
		}
	}
	if slices.ContainsFunc(g.Queries, func(q GateQuery) bool { return q.Now.Unscored+q.Fresh.Unscored > 0 }) {
		as := "wrong"
		if g.Decision.Alarm() {
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
		out = append(out, told("warning", fmt.Sprintf("%d more are in gate.json", more)))
	}
	return out
}
