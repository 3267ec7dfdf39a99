package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// Closing sums up a result in sentences. The names in it are not escaped.
func Closing(r *result.Result) string {
	r = Titled(r)
	return closing(r, rowsOf(r)).String()
}

// closing states the differences that were shown, the ones that were not, and the drop that the run could have
// detected.
func closing(r *result.Result, rows []tableRow) document.RichText {
	if len(rows) == 0 {
		return nil
	}
	made := compared(rows)
	if len(made) == 0 {
		if len(rows) == 1 {
			return sumUpAlone(rows[0])
		}
		return nil
	}
	if len(made) == 1 && len(rows) == 2 {
		return document.Concat(sumUpPair(r, rows, made[0]), document.Plain(rateOf(made)))
	}
	var out document.RichText
	add := func(parts ...document.RichText) {
		if len(out) > 0 {
			out = document.Concat(out, document.Plain(" "))
		}
		out = document.Concat(out, document.Concat(parts...))
	}
	traces := sharper(made)
	of := func(calls ...result.Call) []tableRow {
		return slices.DeleteFunc(slices.Clone(made), func(r tableRow) bool {
			return !slices.Contains(calls, r.against.Call) ||
				slices.ContainsFunc(traces, func(s tableRow) bool { return s.Name == r.Name })
		})
	}
	for _, shown := range []struct {
		call result.Call
		than string
	}{{result.Worse, " worse than "}, {result.Better, " better than "}, {result.Equivalent, " as good as "},
		{result.NotWorse, " not worse than "}} {
		if found := of(shown.call); len(found) > 0 {
			l := document.Concat(
				document.Enumerate(shifts(found)),
				document.Plain(verbFor(found, " is", " are")+shown.than),
				baselineOf(found),
			)
			if len(out) == 0 {
				l = document.Concat(document.Plain("Shown: "), l)
			}
			margin := figures.MarginPoints(found[0].against.Margin)
			changes := verbFor(found, "its change matters", "their changes matter")
			switch shown.call {
			case result.Equivalent:
				l = document.Concat(l, document.Plain(" within "+margin+" points: "+changes+" little."))
			case result.NotWorse:
				l = document.Concat(l, document.Plain(" by "+margin+" points or more."))
			default:
				l = document.Concat(l, document.Plain(": "+changes+"."))
			}
			add(l)
		}
	}
	for _, r := range traces {
		l := bySingles(r)
		if len(out) == 0 {
			l = document.Concat(document.Plain("Shown: "), l)
		} else {
			l = document.Capitalise(l)
		}
		add(l)
	}
	if open := of(result.Undetermined, ""); len(open) > 0 {
		add(document.Plain("Not shown either way: "), document.Enumerate(shifts(open)),
			document.Plain("; that is no proof that they make no difference."))
		add(document.Plain(describeDetectable(r, rows, open)))
	}
	if none := slices.DeleteFunc(slices.Clone(rows),
		func(r tableRow) bool { return r.against == nil || r.against.Refused == nil }); len(none) > 0 {
		add(document.Plain("No evidence: "), document.Enumerate(namesOf(none)), document.Plain("."))
	}
	if about := rateOf(made); about != "" {
		out = document.Concat(out, document.Plain(about))
	}
	return out
}

// sumUpAlone sums up a configuration that is not compared with another.
func sumUpAlone(r tableRow) document.RichText {
	c := r.Counts
	about := " is right on " + text.CountedOf(c.Correct, c.Queries, "query")
	switch {
	case c.Queries == 0 || c.Queries == c.Missing:
		return nil
	case r.Losses().Unwired():
		return document.Concat(document.Quoted(r.Name),
			document.Plain(" never gave a readable reply, so this run shows nothing about its answers."))
	case c.Unscored > 0:
		return document.Concat(
			document.Quoted(r.Name),
			document.Plain(fmt.Sprintf(" is right on %d to %d of %d queries: %s.", c.Correct,
				c.Correct+c.Unscored, c.Queries, unscored(r))),
		)
	case byJudge(r):
		return passedAlone(r)
	case r.CI == nil:
		return document.Concat(document.Quoted(r.Name), document.Plain(about+"."))
	}
	low, high := text.Ends(r.CI.Low, r.CI.High, figures.Digits(c.Queries))
	shown := text.Counted(c.Queries, "query") + " show"
	if c.Queries == 1 {
		shown += "s"
	}
	return document.Concat(
		document.Quoted(r.Name),
		document.Plain(fmt.Sprintf("%s. Of many queries like these it would have %s to %s %% "+
			"right; %s no narrower range (95 %%).",
			about, low, high, shown)),
	)
}

// unscored explains why queries of a row have no verdict.
func unscored(r tableRow) string {
	c := r.Counts
	without := r.WithoutValid()
	switch left := c.Unscored - c.Missing - r.Traces.QueriesWithoutValid; {
	case c.Missing > 0:
		return fmt.Sprintf("%d have no record yet", c.Missing)
	case without == "":
		return text.Counted(left, "query") + text.Verb(left, " has", " have") + " no verdict"
	case left > 0:
		return fmt.Sprintf("%s, and %d more %s no verdict", without, left, text.Verb(left, "has", "have"))
	}
	return without
}

// shifts returns the name of each row, followed by its difference from the baseline in percentage points. If the
// size of the difference is unknown (Unsized), it returns the name alone.
func shifts(rows []tableRow) []document.RichText {
	out := namesOf(rows)
	for i, r := range rows {
		unit := ""
		if i == 0 {
			unit = " points"
		}
		if r.against.Unsized {
			continue
		}
		out[i] = document.Concat(out[i], document.Plain(" ("+wholeShift(*r.against.Difference, r.against.Queries)+unit+")"))
	}
	return out
}

// explanations describes how to read the tables of a result, their limits, and the basis of the figures. It
// contains the parts of docs/statistics.md that apply to these rows.
func explanations(r *result.Result, rows []tableRow) []document.RichText {
	var out []document.RichText
	if made := compared(rows); len(made) > 0 {
		out = slices.Concat(measures(made), adjustment(r.Family, made))
	}
	if slices.ContainsFunc(rows, func(r tableRow) bool { return r.Reliability.PassAtK.Value != nil }) {
		text := "pass@K: at least one of the K traces is right; pass^K: all of them are"
		if !alike(rows, func(r tableRow) int { return r.K }) {
			text += "; neither can be compared between rows of different K"
		}
		out = append(out, document.Plain(text))
		if slices.ContainsFunc(rows, func(r tableRow) bool { return r.Reliability.PassAtK.Dropped > 0 }) {
			out = append(out, document.Plain("pass@K and pass^K leave out queries with fewer than K traces that count; "+
				"“of n” is the number that remains"))
		}
	}
	if len(r.Runs) == 2 && len(baselines(rows)) > 1 {
		out = append(out, document.Concat(document.Plain("each configuration of "), document.Quoted(r.Runs[1].Label),
			document.Plain(" is compared with the one above it, of "), document.Quoted(r.Runs[0].Label)))
	}
	if len(r.Runs) == 0 { // a comparison of two runs begins with this line
		out = append(out, differing(rows)...)
	}
	return slices.Concat(out, sharedTraces(r), versions(r))
}

// measures names the interval and the test behind the comparisons.
func measures(made []tableRow) []document.RichText {
	named := func(known map[string]string, of func(result.Comparison) string) string {
		var names []string
		for _, r := range made {
			if name := known[of(*r.against)]; name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return strings.Join(names, " or ")
	}
	text := "points: the pass rate less the baseline's"
	if interval := named(map[string]string{"tango": "Tango's", "tango-cr2": "Tango's (by clusters, CR2)",
		"newcombe": "Newcombe's"}, func(c result.Comparison) string {
		if c.CI == nil {
			return ""
		}
		return c.CI.Method
	}); interval != "" {
		text += ", with " + interval + " interval (95 %, not adjusted)"
	}
	if test := named(map[string]string{"mcnemar-midp": "McNemar's mid-p",
		"sign-flip": "of a sign-flip test over clusters", "fisher": "Fisher's"},
		func(c result.Comparison) string { return c.Method }); test != "" {
		text += "; p is " + test
	}
	out := []document.RichText{
		document.Plain(text),
		document.Plain("~: neither a gain nor a loss was shown, which does not prove that there is no " +
			"difference; MDE is the smallest drop that one comparison alone finds in four of five cases"),
	}
	if severalTraces(made) && slices.ContainsFunc(made, func(r tableRow) bool { return ofSingles(*r.against) != nil }) {
		out = append(
			out,
			document.Plain("single traces: the mean over queries of the share of right traces; p is from a score "+
				"t test, by clusters from a sign-flip test"),
		)
	}
	if slices.ContainsFunc(made, func(r tableRow) bool { return r.against.Effort != nil }) {
		out = append(out, document.Plain("Δ steps, calls and tokens are means over queries, with a t interval; "+
			"queries with "+
			"a lost trace are left out"))
	}
	return out
}

// adjustment states the level that Holm's adjustment requires of the first comparison. A single comparison is
// not adjusted.
func adjustment(f *result.Family, made []tableRow) []document.RichText {
	if len(made) < 2 || f == nil {
		return nil
	}
	out := fmt.Sprintf("p is adjusted (Holm) over %d comparisons, and better and worse use this p: the smallest "+
		"must be at most %s", f.Comparisons, threshold(f.FirstLevel))
	if n := f.LeastLosses; n != nil {
		out += fmt.Sprintf(", which takes %d %s without a gain", *n, text.Verb(*n, "loss", "losses"))
	}
	if f.MDE != nil {
		out += fmt.Sprintf("; at that level a drop below %s points would be missed in more than one of five runs",
			figures.EffectPoints(f.MDE))
	}
	return []document.RichText{document.Plain(out)}
}

// threshold formats a threshold for p, rounded down: a p above the threshold is never printed as below it.
func threshold(p float64) string {
	if milli := math.Round(p * 1000); math.Abs(p*1000-milli) < 1e-9 {
		return strconv.FormatFloat(milli/1000, 'f', 3, 64)
	}
	return strconv.FormatFloat(p, 'g', 3, 64)
}

// nothingToLose reports whether the baseline of a row has no right answers.
func nothingToLose(r tableRow, rows []tableRow) bool {
	before := r.against.CorrectBefore
	return before != nil && *before == 0 ||
		slices.ContainsFunc(rows, func(b tableRow) bool { return b.Name == r.against.Baseline && b.Counts.Correct == 0 })
}

// grouped returns each different line about the rows once, after the names of its rows; without names if it
// applies to all rows. Rows with an empty line are left out.
func grouped(rows, all []tableRow, about func(tableRow) document.RichText) []document.RichText {
	var order []document.RichText
	names := map[string][]document.RichText{}
	said := 0
	for _, r := range rows {
		l := about(r)
		if l.String() == "" {
			continue
		}
		said++
		key := fmt.Sprintf("%q", l) // with the kinds, because text from other sources may look like this program's
		if names[key] == nil {
			order = append(order, l)
		}
		names[key] = append(names[key], document.Quoted(r.Name))
	}
	for i, l := range order {
		if len(order) > 1 || said < len(all) {
			order[i] = document.Concat(document.Enumerate(names[fmt.Sprintf("%q", l)]), document.Plain(": "), l)
		}
	}
	return order
}
