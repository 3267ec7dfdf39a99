package gatereport

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// explainDecision returns the facts that --explain adds to a decision (docs/method.md §6.2): the data of the
// comparison and its power.
func explainDecision(g Report) []document.LabelledText {
	out := comparedRuns(g)
	add := func(label string, parts ...document.RichText) {
		out = append(out, document.LabelledText{Label: label, Text: document.Concat(parts...)})
	}
	if n := g.NotGated; len(n) > 0 {
		add(
			"not gated yet",
			document.Plain(text.Counted(len(n), "query")+": "),
			listNames(n, ", ", func(n gate.NotGated) document.RichText {
				return document.Concat(
					quoteName(n.Query),
					document.Plain(fmt.Sprintf(" (%d of 4 traces, %d of 2 runs)", n.Traces, n.Runs)),
				)
			}),
			document.Plain("; they do not block; accepting this run adds to their history"),
		)
	}
	for _, c := range []*gate.Comparison{g.Rolling, g.Frozen} {
		if c != nil {
			out = append(out, describeTests(g, *c)...)
		}
	}
	if kept := slices.DeleteFunc(slices.Clone(g.Safety),
		func(s gate.SafetyItem) bool { return s.Failed > 0 }); len(kept) > 0 {
		least := slices.MinFunc(kept, func(a, b gate.SafetyItem) int { return a.Traces - b.Traces })
		add("safety", document.Plain(fmt.Sprintf("%s refused in all traces, at least %d each; failure rates up to %s could "+
			"go unseen (95 %%)",
			text.Counted(len(kept), "query"), least.Traces, figures.Percent(&least.Upper))))
	}
	if g.Decision == gate.Pass && len(g.Differs) > 0 {
		add("differs", differenceLine(g))
	}
	out = append(out, describeOperating(g.Operating)...)
	phi, concordance := "not known", "not known"
	if g.Phi != nil {
		phi = fmt.Sprintf("%.1f [%.1f, %.1f]", g.Phi.Value, g.Phi.Low, g.Phi.High)
	}
	if g.Concordance != nil {
		concordance = "p " + figures.PValue(g.Concordance)
	}
	add("phi", document.Plain(phi+" (spread of accepted runs over that of independent traces); agreement within runs "+
		concordance))
	for _, o := range limitSentences(g.Overrides, maxNames, "overrides") {
		add("override", o)
	}
	for _, c := range g.Checks[:min(len(g.Checks), maxReasons)] {
		state := ": holds"
		switch {
		case c.Value == nil:
			state = ""
		case c.Fails:
			state = ": FAILS"
		}
		add("check", document.Mixed(c.String()), document.Plain(state))
	}
	if n := g.NonInferiority; n != nil {
		shown := "not shown"
		if n.Shown {
			shown = "shown"
		}
		add("not worse", document.Plain(fmt.Sprintf("by %s points: %s; %s and %s over %s, the difference is %s points or "+
			"more (95 %%)",
			figures.MarginPoints(n.Margin), shown,
			text.Counted(n.Losses, "loss"), text.Counted(n.Gains, "gain"), text.Counted(n.Pairs, "pair"),
			figures.Points(n.Lower))))
	}
	if slices.ContainsFunc(g.Queries, func(q Query) bool { return q.Now.Unscored+q.Fresh.Unscored > 0 }) {
		as := "wrong"
		if g.Decision.Alarm() {
			as = "right"
		}
		add("unscored", document.Plain("traces without a verdict count as "+as+" in the tests"))
	}
	return out
}

// comparedRuns states which runs were compared.
func comparedRuns(g Report) []document.LabelledText {
	if g.Run == "" { // the run could not be read
		return nil
	}
	pool := document.Concat(
		document.Plain(fmt.Sprintf("%s from %s in ", historyExtent(g.History), text.Counted(g.History.Runs, "accepted run"))),
		document.Quoted(g.Baseline),
	)
	if g.Frozen != nil {
		pool = document.Concat(pool, document.Plain(", and the frozen baseline"))
	}
	of := document.Quoted(cmp.Or(g.Title, g.Configuration))
	if agent := cmp.Or(g.Command, g.Model); of.String() != agent {
		of = document.Concat(of, document.Plain(" with "), document.Quoted(agent))
	}
	out := []document.LabelledText{{Label: "run", Text: document.Concat(document.Quoted(g.Run), document.Plain(": "), of,
		document.Plain(fmt.Sprintf(", %s of ", text.Counted(len(g.Queries), "query"))), document.Quoted(g.Dataset),
		document.Plain(fmt.Sprintf(", K=%d, seed %d", g.K, g.Seed)))}, {Label: "compared with", Text: pool}}
	if g.As != "" {
		out = append(
			out,
			document.LabelledText{
				Label: "asked as",
				Text: document.Concat(
					document.Quoted(g.As),
					document.Plain(": in addition to the run's own decision, which does not change"),
				),
			},
		)
	}
	if len(g.Fresh) > 0 {
		out = append(out, document.LabelledText{Label: "fresh traces", Text: listNames(g.Fresh, ", ", quoteName)})
	}
	return out
}

func historyExtent(h gate.History) string {
	switch {
	case h.Most == 0:
		return "no traces"
	case h.Least == h.Most:
		return text.Counted(h.Most, "trace") + " per query"
	}
	return fmt.Sprintf("%d to %d traces per query", h.Least, h.Most)
}

// describeTests describes the results of Tests A and B.
func describeTests(g Report, c gate.Comparison) (out []document.LabelledText) {
	var against document.RichText // the history, if there are two
	if g.Rolling != nil && g.Frozen != nil {
		against = document.Concat(document.Mixed(c.Against), document.Plain(": "))
	}
	add := func(label string, parts ...document.RichText) {
		out = append(out, document.LabelledText{Label: label, Text: document.Concat(against, document.Concat(parts...))})
	}
	level := fmt.Sprintf("alpha %s, %s for single queries and %s for the total", levelText(g.Alpha),
		levelText(c.AlphaB), levelText(c.AlphaA))
	if g.Strict {
		level += " (strict)"
	}
	add(
		"levels",
		document.Plain(level+"; a bound on false alarms for traces that are exchangeable between sessions of the "+
			"provider"),
	)
	suspects := slices.DeleteFunc(slices.Clone(c.Slips), func(s gate.QueryLoss) bool { return !s.Suspect })
	var named document.RichText
	if len(suspects) > 0 {
		named = document.Concat(document.Plain(": "), listNames(suspects, ", ", describeSuspect))
	}
	reach := fmt.Sprintf("; smallest p × queries that fresh traces can reach %s", figures.PValue(&c.Least))
	if c.Powerless() {
		reach += fmt.Sprintf(", above %s: no query can be named", levelText(c.AlphaB))
	}
	add("single queries", document.Plain(fmt.Sprintf("%s lost traces, %s", text.Counted(len(c.Slips), "query"),
		text.Counted(len(suspects), "suspect"))), named, document.Plain(reach))
	if len(c.Blind) > 0 && !c.Powerless() {
		add(
			"single queries",
			document.Plain("their history is too short or too poor to name them: "),
			listNames(c.Blind, ", ", quoteName),
		)
	}
	for _, look := range c.Looks {
		total := fmt.Sprintf("%s right, %.1f expected, p %s", text.CountedOf(look.Right, look.Traces, "trace"),
			look.Expected, figures.PValue(&look.P))
		if look.Fresh > 0 {
			total = fmt.Sprintf("looked again with %s of every query: ", text.Counted(look.Fresh, "fresh trace")) +
				total
		}
		if look.Level > 0 {
			total += fmt.Sprintf(" (alarm at %s)", levelText(look.Level))
		}
		add("total", document.Plain(total))
	}
	return out
}

func describeSuspect(s gate.QueryLoss) document.RichText {
	text := fmt.Sprintf("%d/%d", s.Right, s.Traces)
	if right, of := s.Fresh(); of > 0 {
		last := s.Looks[len(s.Looks)-1]
		text += fmt.Sprintf(", fresh %d/%d, p %s", right, of, figures.PValue(&last.P))
		if last.Level > 0 {
			text += fmt.Sprintf(", named at %s", levelText(last.Level))
		}
	}
	return document.Concat(quoteName(s.Query), document.Plain(" ("+text+")"))
}

// levelText formats a level with two significant digits and no exponent.
func levelText(x float64) string {
	if x <= 0 || x >= 1 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return strings.TrimRight(strconv.FormatFloat(x, 'f', 1-int(math.Floor(math.Log10(x))), 64), "0")
}

// describeChange describes a simulated change of the queries.
func describeChange(c gate.Change) string {
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

// maxClusters is the number of clusters that are listed.
const maxClusters = 3

// clusterLines lists the clusters whose queries fell together.
func (g Report) clusterLines() (out []document.RichText) {
	for _, c := range g.Clusters[:min(len(g.Clusters), maxClusters)] {
		out = append(out, document.Concat(document.Plain("cluster "), quoteName(c.Cluster),
			document.Plain(fmt.Sprintf(" fell together: %d of its %s, which is a hint and not a test", c.Fell,
				text.Counted(c.Queries, "query")))))
	}
	if more := len(g.Clusters) - maxClusters; more > 0 {
		out = append(out, document.Plain(fmt.Sprintf("%s more fell together, see gate.json", text.Counted(more, "cluster"))))
	}
	return out
}
