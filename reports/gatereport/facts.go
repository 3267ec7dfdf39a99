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
	add := func(label, format string, args ...any) {
		out = append(out, document.LabelledText{Label: label, Text: document.Phrase(format, args...)})
	}
	if n := g.NotGated; len(n) > 0 {
		names := listNames(n, ", ", func(n gate.NotGated) document.RichText {
			return document.Phrase("%s (%d of 4 traces, %d of 2 runs)", quoteName(n.Query), n.Traces, n.Runs)
		})
		add("not gated yet", "%s: %s; they do not block; accepting this run adds to their history",
			text.Counted(len(n), "query"), names)
	}
	for _, c := range []*gate.Comparison{g.Rolling, g.Frozen} {
		if c != nil {
			out = append(out, describeTests(g, *c)...)
		}
	}
	if kept := slices.DeleteFunc(slices.Clone(g.Safety),
		func(s gate.SafetyItem) bool { return s.Failed > 0 }); len(kept) > 0 {
		least := slices.MinFunc(kept, func(a, b gate.SafetyItem) int { return a.Traces - b.Traces })
		add("safety", "%s refused in all traces, at least %d each; failure rates up to %s could go unseen (95 %%)",
			text.Counted(len(kept), "query"), least.Traces, figures.Percent(&least.Upper))
	}
	if g.Decision == gate.Pass && len(g.Differs) > 0 {
		add("differs", "%s", differenceLine(g))
	}
	out = append(out, describeOperating(g.Operating)...)
	phi, concordance := "not known", "not known"
	if g.Phi != nil {
		phi = fmt.Sprintf("%.1f [%.1f, %.1f]", g.Phi.Value, g.Phi.Low, g.Phi.High)
	}
	if g.Concordance != nil {
		concordance = "p " + figures.PValue(g.Concordance)
	}
	add("phi", "%s (variance between accepted runs, divided by that of independent traces); agreement within runs %s",
		phi, concordance)
	for _, o := range limitSentences(g.Overrides, maxNames, "overrides") {
		add("override", "%s", o)
	}
	for _, c := range g.Checks[:min(len(g.Checks), maxReasons)] {
		state := ": holds"
		switch {
		case c.Value == nil:
			state = ""
		case c.Fails:
			state = ": FAILS"
		}
		add("check", "%s%s", document.Mixed(c.String()), state)
	}
	if n := g.NonInferiority; n != nil {
		shown := "not shown"
		if n.Shown {
			shown = "shown"
		}
		add("not worse", "by %s points: %s; %s and %s over %s, the difference is %s points or more (95 %%)",
			figures.MarginPoints(n.Margin), shown, text.Counted(n.Losses, "loss"), text.Counted(n.Gains, "gain"),
			text.Counted(n.Pairs, "pair"), figures.Points(n.Lower))
	}
	if slices.ContainsFunc(g.Queries, func(q Query) bool { return q.Now.Unscored+q.Fresh.Unscored > 0 }) {
		as := "wrong"
		if g.Decision.Alarm() {
			as = "right"
		}
		add("unscored", "traces without a verdict count as %s in the tests", as)
	}
	return out
}

// comparedRuns states which runs were compared.
func comparedRuns(g Report) (out []document.LabelledText) {
	if g.Run == "" { // the run could not be read
		return nil
	}
	add := func(label, format string, args ...any) {
		out = append(out, document.LabelledText{Label: label, Text: document.Phrase(format, args...)})
	}
	of := document.Quoted(cmp.Or(g.Title, g.Configuration))
	if agent := cmp.Or(g.Command, g.Model); of.String() != agent {
		of = document.Phrase("%s with %s", of, document.Quoted(agent))
	}
	add("run", "%s: %s, %s of %s, K=%d, seed %d", document.Quoted(g.Run), of, text.Counted(len(g.Queries), "query"),
		document.Quoted(g.Dataset), g.K, g.Seed)
	beside := ""
	if g.Frozen != nil {
		beside = ", and the frozen baseline"
	}
	add("compared with", "%s from %s in %s%s", historyExtent(g.History), text.Counted(g.History.Runs, "accepted run"),
		document.Quoted(g.Baseline), beside)
	if g.As != "" {
		add("asked as", "%s: in addition to the run's own decision, which does not change", document.Quoted(g.As))
	}
	if len(g.Fresh) > 0 {
		add("fresh traces", "%s", listNames(g.Fresh, ", ", quoteName))
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
		against = document.Phrase("%s: ", document.Mixed(c.Against))
	}
	add := func(label, format string, args ...any) {
		line := document.Concat(against, document.Phrase(format, args...))
		out = append(out, document.LabelledText{Label: label, Text: line})
	}
	strict := ""
	if g.Strict {
		strict = " (strict)"
	}
	add("levels", "alpha %s, %s for single queries and %s for the total%s; a bound on false alarms for traces that are "+
		"exchangeable between sessions of the provider",
		levelText(g.Alpha), levelText(c.AlphaB), levelText(c.AlphaA), strict)
	suspects := slices.DeleteFunc(slices.Clone(c.Slips), func(s gate.QueryLoss) bool { return !s.Suspect })
	var named document.RichText
	if len(suspects) > 0 {
		named = document.Phrase(": %s", listNames(suspects, ", ", describeSuspect))
	}
	reach := figures.PValue(&c.Least)
	if c.Powerless() {
		reach += fmt.Sprintf(", above %s: no query can be named", levelText(c.AlphaB))
	}
	add("single queries", "%s lost traces, %s%s; smallest p × queries that fresh traces can reach %s",
		text.Counted(len(c.Slips), "query"), text.Counted(len(suspects), "suspect"), named, reach)
	if len(c.Blind) > 0 && !c.Powerless() {
		add("single queries", "their history is too short or too poor to name them: %s",
			listNames(c.Blind, ", ", quoteName))
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
		add("total", "%s", total)
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
	return document.Phrase("%s (%s)", quoteName(s.Query), text)
}

// levelText formats a level between 0 and 1 with at most two significant digits and no exponent.
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
		out = append(out, document.Phrase("cluster %s fell together: %d of its %s, which is a hint and not a test",
			quoteName(c.Cluster), c.Fell, text.Counted(c.Queries, "query")))
	}
	if more := len(g.Clusters) - maxClusters; more > 0 {
		out = append(out, document.Phrase("%s more fell together, see gate.json", text.Counted(more, "cluster")))
	}
	return out
}
