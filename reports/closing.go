package reports

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
)

// Closing sums a result up in words, in which names are as others gave them.
func Closing(r *result.Result) string { return closing(r, rowsOf(r)).String() }

// closing sums a result up in words: what was shown, what was not shown either way, and which
// drop could have been seen.
func closing(r *result.Result, rows []row) line {
	if len(rows) == 0 {
		return nil
	}
	made := compared(rows)
	if len(made) == 0 {
		if len(rows) == 1 {
			return alone(rows[0])
		}
		return nil
	}
	var out line
	add := func(parts ...line) {
		if len(out) > 0 {
			out = say(out, plain(" "))
		}
		out = say(out, say(parts...))
	}
	of := func(calls ...result.Call) []row {
		return slices.DeleteFunc(slices.Clone(made), func(r row) bool { return !slices.Contains(calls, r.against.Call) })
	}
	for _, shown := range []struct {
		call result.Call
		than string
	}{{result.Worse, " worse than "}, {result.Better, " better than "}, {result.Equivalent, " as good as "}} {
		if found := of(shown.call); len(found) > 0 {
			l := say(list(shifts(found)), plain(agree(found, " is", " are")+shown.than), baselineOf(found))
			if len(out) == 0 {
				l = say(plain("Shown: "), l)
			}
			if shown.call == result.Equivalent {
				l = say(l, plain(" within "+wholePoints(found[0].against.Margin)+" points: what "+agree(found, "it changes", "they change")+" matters little."))
			} else {
				l = say(l, plain(": what "+agree(found, "it changes", "they change")+" matters."))
			}
			add(l)
		}
	}
	if open := of(result.Undetermined, ""); len(open) > 0 {
		add(plain("Not shown either way: "), list(shifts(open)), plain("; that is no proof that they make no difference."))
		add(plain(seen(r, rows, open)))
	}
	if none := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.against == nil || r.against.Refused == nil }); len(none) > 0 {
		add(plain("No evidence: "), list(namesOf(none)), plain("."))
	}
	return out
}

// alone sums a configuration up that is compared with nothing.
func alone(r row) line {
	c := r.Counts
	about := fmt.Sprintf(" is right on %d of %d queries", c.Correct, c.Queries)
	switch {
	case c.Queries == 0 || c.Queries == c.Missing:
		return nil
	case c.Unscored > 0:
		return say(quoted(r.Name), plain(fmt.Sprintf(" is right on %d to %d of %d queries: of the others nobody knows.", c.Correct, c.Correct+c.Unscored, c.Queries)))
	case r.CI == nil:
		return say(quoted(r.Name), plain(about+"."))
	}
	d := digits(c.Queries)
	return say(quoted(r.Name), plain(fmt.Sprintf("%s. Of many queries like these it would have %.*f to %.*f %% right; %d cannot tell it more closely (95 %%).",
		about, d, r.CI.Low*100, d, r.CI.High*100, c.Queries)))
}

// shifts name rows with their differences in points.
func shifts(rows []row) []line {
	out := namesOf(rows)
	for i, r := range rows {
		unit := ""
		if i == 0 {
			unit = " points"
		}
		out[i] = say(out[i], plain(" ("+wholeShift(*r.against.Difference, r.against.Queries)+unit+")"))
	}
	return out
}

func namesOf(rows []row) []line {
	out := make([]line, len(rows))
	for i, r := range rows {
		out[i] = quoted(r.Name)
	}
	return out
}

// agree is the form of a verb for some rows.
func agree(rows []row, one, many string) string {
	if len(rows) == 1 {
		return one
	}
	return many
}

// baselineOf is what some rows are compared with.
func baselineOf(rows []row) line {
	if alike(rows, func(r row) string { return r.against.Baseline }) {
		return quoted(rows[0].against.Baseline)
	}
	return plain("their baselines")
}

// seen says which drop the comparisons could have found, as far as they are all alike.
func seen(r *result.Result, rows, open []row) string {
	if nothingToLose(open[0], rows) {
		return "The baseline has nothing right, so there is no drop that could be seen."
	}
	c := open[0].against
	size := c.MDE
	if f := r.Family; f != nil && f.Comparisons > 1 {
		size = f.MDE
	}
	if size == nil {
		return counted(c.Queries, "query is", "queries are") + " too few to show reliably even a drop to nothing."
	}
	return fmt.Sprintf("With %s, a drop of %s points would be shown in four of five such tables, a smaller one less often.", counted(c.Queries, "query", "queries"), mde(size))
}
