package reports

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/internal/text"
)

// grounds returns the facts that --explain adds to a decision (docs/method.md §6.2): the data of the
// comparison and its power.
func grounds(g Gate) []fact {
	out := matchup(g)
	add := func(label string, parts ...line) { out = append(out, fact{label, say(parts...)}) }
	if n := g.NotGated; len(n) > 0 {
		add("not gated yet", plain(text.Counted(len(n), "query")+": "), names(n, ", ", func(n gate.NotGated) line {
			return say(brief(n.Query), plain(fmt.Sprintf(" (%d of 4 traces, %d of 2 runs)", n.Traces, n.Runs)))
		}), plain("; they block nothing, and accepting this run brings them history"))
	}
	for _, c := range []*gate.Comparison{g.Rolling, g.Frozen} {
		if c != nil {
			out = append(out, looks(g, *c)...)
		}
	}
	if kept := slices.DeleteFunc(slices.Clone(g.Safety),
		func(s gate.SafetyItem) bool { return s.Failed > 0 }); len(kept) > 0 {
		least := slices.MinFunc(kept, func(a, b gate.SafetyItem) int { return a.Traces - b.Traces })
		add("safety", plain(fmt.Sprintf("%s refused in all traces, at least %d each; failure rates up to %s could "+
			"go unseen (95 %%)",
			text.Counted(len(kept), "query"), least.Traces, percent(&least.Upper))))
	}
	if g.Decision == gate.Pass && len(g.Differs) > 0 {
		add("differs", differs(g))
	}
	out = append(out, operating(g.Operating)...)
	phi, concordance := "not known", "not known"
	if g.Phi != nil {
		phi = fmt.Sprintf("%.1f [%.1f, %.1f]", g.Phi.Value, g.Phi.Low, g.Phi.High)
	}
	if g.Concordance != nil {
		concordance = "p " + pValue(g.Concordance)
	}
	add("phi", plain(phi+" (spread of accepted runs over that of independent traces); agreement within runs "+
		concordance))
	for _, o := range few(g.Overrides, mostGateNames, "overrides") {
		add("override", o)
	}
	for _, c := range g.Checks[:min(len(g.Checks), mostGateReasons)] {
		state := ": holds"
		switch {
		case c.Value == nil:
			state = ""
		case c.Fails:
			state = ": FAILS"
		}
		add("check", blend(c.String()), plain(state))
	}
	if n := g.NonInferiority; n != nil {
		shown := "not shown"
		if n.Shown {
			shown = "shown"
		}
		add("not worse", plain(fmt.Sprintf("by %s points: %s; %s and %s over %s, the difference is %s points or "+
			"more (95 %%)",
			wholePoints(n.Margin), shown,
			text.Counted(n.Losses, "loss"), text.Counted(n.Gains, "gain"), text.Counted(n.Pairs, "pair"),
			points(n.Lower))))
	}
	if slices.ContainsFunc(g.Queries, func(q GateQuery) bool { return q.Now.Unscored+q.Fresh.Unscored > 0 }) {
		as := "wrong"
		if g.Decision.Alarm() {
			as = "right"
		}
		add("unscored", plain("traces without a verdict count as "+as+" in the tests"))
	}
	return out
}

// matchup states which runs were compared.
func matchup(g Gate) []fact {
	if g.Run == "" { // the run could not be read
		return nil
	}
	pool := say(plain(fmt.Sprintf("%s from %s in ", extent(g.History), text.Counted(g.History.Runs, "accepted run"))),
		quoted(g.Baseline))
	if g.Frozen != nil {
		pool = say(pool, plain(", and the frozen baseline"))
	}
	of := quoted(cmp.Or(g.Title, g.Configuration))
	if agent := cmp.Or(g.Command, g.Model); of.String() != agent {
		of = say(of, plain(" with "), quoted(agent))
	}
	out := []fact{{"run", say(quoted(g.Run), plain(": "), of,
		plain(fmt.Sprintf(", %s of ", text.Counted(len(g.Queries), "query"))), quoted(g.Dataset),
		plain(fmt.Sprintf(", K=%d, seed %d", g.K, g.Seed)))}, {"compared with", pool}}
	if g.As != "" {
		out = append(out, fact{"asked as", say(quoted(g.As), plain(": beside the run's own decision, which stays"))})
	}
	if len(g.Fresh) > 0 {
		out = append(out, fact{"fresh traces", names(g.Fresh, ", ", brief)})
	}
	return out
}

func extent(h gate.History) string {
	switch {
	case h.Most == 0:
		return "no traces"
	case h.Least == h.Most:
		return text.Counted(h.Most, "trace") + " per query"
	}
	return fmt.Sprintf("%d to %d traces per query", h.Least, h.Most)
}

// looks describes the results of Tests A and B.
func looks(g Gate, c gate.Comparison) (out []fact) {
	var against line // the history, if there are two
	if g.Rolling != nil && g.Frozen != nil {
		against = say(blend(c.Against), plain(": "))
	}
	add := func(label string, parts ...line) { out = append(out, fact{label, say(against, say(parts...))}) }
	level := fmt.Sprintf("alpha %s, %s for single queries and %s for the total", levelText(g.Alpha),
		levelText(c.AlphaB), levelText(c.AlphaA))
	if g.Strict {
		level += " (strict)"
	}
	add("levels", plain(level+"; a bound on false alarms for traces that are exchangeable between sessions of the "+
		"provider"))
	suspects := slices.DeleteFunc(slices.Clone(c.Slips), func(s gate.QueryLoss) bool { return !s.Suspect })
	var named line
	if len(suspects) > 0 {
		named = say(plain(": "), names(suspects, ", ", suspect))
	}
	reach := fmt.Sprintf("; smallest p × queries that fresh traces can reach %s", pValue(&c.Least))
	if c.Powerless() {
		reach += fmt.Sprintf(", above %s: no query can be named", levelText(c.AlphaB))
	}
	add("single queries", plain(fmt.Sprintf("%s lost traces, %s", text.Counted(len(c.Slips), "query"),
		text.Counted(len(suspects), "suspect"))), named, plain(reach))
	if len(c.Blind) > 0 && !c.Powerless() {
		add("single queries", plain("too little or too poor a history to be named: "), names(c.Blind, ", ", brief))
	}
	for _, look := range c.Looks {
		total := fmt.Sprintf("%s right, %.1f expected, p %s", text.CountedOf(look.Right, look.Traces, "trace"),
			look.Expected, pValue(&look.P))
		if look.Fresh > 0 {
			total = fmt.Sprintf("looked again with %s of every query: ", text.Counted(look.Fresh, "fresh trace")) +
				total
		}
		if look.Level > 0 {
			total += fmt.Sprintf(" (alarm at %s)", levelText(look.Level))
		}
		add("total", plain(total))
	}
	return out
}

func suspect(s gate.QueryLoss) line {
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

// levelText formats a level with two significant digits and no exponent.
func levelText(x float64) string {
	if x <= 0 || x >= 1 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return strings.TrimRight(strconv.FormatFloat(x, 'f', 1-int(math.Floor(math.Log10(x))), 64), "0")
}

// WriteOperating writes the simulated performance of the gate, as a table or as JSON.
func WriteOperating(w io.Writer, f Format, o gate.Operating, s Screen) error {
	if f == FormatJSON {
		return JSON(w, o)
	}
	rows := slices.Concat([]gate.Scenario{{Found: o.Unchanged}}, o.Changes)
	columns := []Column[gate.Scenario]{
		{Header: "what changed", Text: func(s gate.Scenario) line { return plain(changed(s.Change)) }},
		{Header: "alarms [95 %]", Show: func(s gate.Scenario) string { return simulated(s.Found.Found) }},
		{Header: "fresh traces\nmean", Show: func(s gate.Scenario) string { return fmt.Sprintf("%.1f", s.Fresh) }},
		{Header: "95 % of\nruns", Show: func(s gate.Scenario) string { return fmt.Sprint(s.FreshP95) }},
	}
	return s.write(w, document{headline: []part{
		{table: tabulate(nil, columns, rows)},
		{lines: []line{
			plain(smallestLoss(o) + " (MDE)"),
			plain(simulatedOn(o)),
			plain("traces are drawn independently: weather that hits a whole run, safety queries and plain " +
				"thresholds are not simulated"),
		}},
	}})
}

// operating describes the gate's performance on this pool.
func operating(o *gate.Operating) []fact {
	if o == nil {
		return []fact{{"finds", plain("not simulated for this pool; concur gate simulate does it")}}
	}
	var found []string
	for _, s := range o.Changes {
		found = append(found, changed(s.Change)+": "+rate(s.Found.Found.Value, 0)+" %")
	}
	return []fact{
		{"finds", plain(strings.Join(found, "; "))},
		{"finds", plain(smallestLoss(*o))},
		{"false alarms", plain(fmt.Sprintf("%s per unchanged run; %.1f fresh traces a run",
			simulated(o.Unchanged.Found), o.Unchanged.Fresh))},
		{"simulated", plain(simulatedOn(*o))},
	}
}

// simulated formats a rate with its interval. It has a decimal, because rates of false alarms are small.
func simulated(e gate.Estimate) string {
	return fmt.Sprintf("%.1f %% [%.1f, %.1f]", e.Value*100, e.Low*100, e.High*100)
}

func smallestLoss(o gate.Operating) string {
	if o.MDE == nil {
		return "not even a loss of everything over all queries is found in four of five runs"
	}
	return fmt.Sprintf("a loss of %.1f points over all queries is found in four of five runs", *o.MDE*100)
}

// simulatedOn describes the simulated truth and gate.
func simulatedOn(o gate.Operating) string {
	gated := fmt.Sprintf("%s with a mean rate of %.3f, K=%d against %s from %s", text.Counted(o.Queries, "query"),
		o.Mean, o.K, extent(o.History), text.Counted(o.PoolRuns, "run"))
	if o.Frozen {
		gated += " beside a frozen baseline, which is not simulated"
	}
	if o.Strict {
		gated += ", strict"
	}
	return fmt.Sprintf("%s, alpha %g, %d simulated runs a figure, seed %d; cautious where the rates are a pool's, "+
		"since a query that was always right counts as (m+1/2)/(m+1)", gated, o.Alpha, o.Runs, o.Seed)
}

// changed describes a simulated change of the queries.
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

// mostGateClusters is the number of clusters that are listed.
const mostGateClusters = 3

// together lists the clusters whose queries fell together.
func (g Gate) together() (out []line) {
	for _, c := range g.Clusters[:min(len(g.Clusters), mostGateClusters)] {
		out = append(out, say(plain("cluster "), brief(c.Cluster),
			plain(fmt.Sprintf(" fell together: %d of its %s, which is a hint and no test", c.Fell,
				text.Counted(c.Queries, "query")))))
	}
	if more := len(g.Clusters) - mostGateClusters; more > 0 {
		out = append(out, plain(fmt.Sprintf("%s more fell together, see gate.json", text.Counted(more, "cluster"))))
	}
	return out
}
