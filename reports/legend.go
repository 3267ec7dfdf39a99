package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
)

// legend says how to read the figures of a comparison, and what they cannot show.
func legend(r *result.Result, rows []row) []line {
	out := reach(rows)
	if made := compared(rows); len(made) > 0 {
		out = append(out, measures(made)...)
		out = append(out, power(rows)...)
	}
	out = append(out, held(r, rows)...)
	if slices.ContainsFunc(rows, func(r row) bool { return r.K > 1 && r.Reliability.PassAtK.Value != nil }) {
		text := "pass@K: at least one of the K traces is right; pass^K: all of them are"
		if !alike(rows, func(r row) int { return r.K }) {
			text += "; neither can be compared between rows of different K"
		}
		out = append(out, plain(text))
	}
	return out
}

// reach says how far the intervals of rates can be trusted, where that was worked out: see
// docs/statistics.md.
func reach(rows []row) []line {
	if !alike(rows, func(r row) int { return r.Counts.Queries }) || rows[0].Counts.Queries != 29 {
		return nil
	}
	return []line{plain("pass rates have Wilson's interval, which at 29 queries holds the truth in 92 to 98 % of cases for rates from 2 to 98 %")}
}

// measures names the interval and the test behind the comparisons.
func measures(made []row) []line {
	intervals := map[string]string{"tango": "Tango's", "newcombe": "Newcombe's"}
	tests := map[string]string{"mcnemar-midp": "McNemar's mid-p", "fisher": "Fisher's"}
	var interval, test []string
	add := func(names []string, known map[string]string, method string) []string {
		if name := known[method]; name != "" && !slices.Contains(names, name) {
			return append(names, name)
		}
		return names
	}
	for _, r := range made {
		if r.against.CI != nil {
			interval = add(interval, intervals, r.against.CI.Method)
		}
		test = add(test, tests, r.against.Method)
	}
	text := "Δ is the pass rate less the baseline's, in percentage points"
	if len(interval) > 0 {
		text += ", with " + strings.Join(interval, " or ") + " interval (not adjusted)"
	}
	if len(test) > 0 {
		text += "; p is " + strings.Join(test, " or ")
	}
	if len(made) == 1 {
		return []line{plain(text)}
	}
	return []line{plain(text), plain(fmt.Sprintf("p is adjusted (Holm) over %d comparisons, and calls rest on it", len(made)))}
}

// power says which effects could not have been found: once where it is the same for all
// rows, else for each group of them.
func power(rows []row) []line {
	var order []string
	names := map[string][]line{}
	for _, r := range compared(rows) {
		s := limit(r, rows)
		if s == "" {
			continue
		}
		if names[s] == nil {
			order = append(order, s)
		}
		names[s] = append(names[s], quoted(r.Name))
	}
	var out []line
	for _, s := range order {
		l := plain(s + "; not finding one is no proof of absence")
		if len(order) > 1 {
			l = say(list(names[s]), plain(": "), l)
		}
		out = append(out, l)
	}
	return out
}

// limit is what a comparison could have found; "" where that is not known, or where there
// is nothing to lose.
func limit(r row, rows []row) string {
	c := r.against
	nothing := slices.ContainsFunc(rows, func(b row) bool { return b.Name == c.Baseline && b.Counts.Correct == 0 })
	switch {
	case c.MDE != nil:
		return fmt.Sprintf("with %d queries, a drop below %.0f points would be found in fewer than four of five runs", c.Queries, *c.MDE*100)
	case c.Pairing == result.Unpaired || nothing:
		return ""
	default:
		return fmt.Sprintf("with %d queries, not even a drop to 0 %% would be found in four of five runs", c.Queries)
	}
}

// held says what each row is compared with, unless it is the same for all.
func held(r *result.Result, rows []row) []line {
	if len(baselines(rows)) < 2 {
		return nil
	}
	if len(r.Runs) == 2 {
		return []line{say(plain("each configuration of "), quoted(r.Runs[1].Label), plain(" is held against the one above it, of "), quoted(r.Runs[0].Label))}
	}
	var out []line
	for _, r := range rows {
		if r.against != nil {
			out = append(out, say(quoted(r.Name), plain(": held against "), quoted(r.against.Baseline)))
		}
	}
	return out
}

// exceptions are the rows that need a sentence of their own.
func exceptions(rows []row) []line {
	var out []line
	for _, r := range rows {
		about := say(quoted(r.Name), plain(": "))
		if c := r.against; c != nil {
			out = append(out, exception(about, c)...)
		}
		for _, f := range faults(r.Configuration) {
			out = append(out, say(about, f))
		}
	}
	return out
}

func exception(about line, c *result.Comparison) []line {
	if c.Refused != nil {
		return []line{say(about, plain("not compared with "), quoted(c.Baseline), plain(": "), blend(*c.Refused))}
	}
	var out []line
	if c.Pairing == result.Unpaired {
		out = append(out, say(about, plain("compared unpaired, since its queries are not the baseline's")))
	}
	if c.LeftOut != nil {
		out = append(out, say(about, blend(*c.LeftOut)))
	}
	if c.CallIfScored != nil {
		out = append(out, say(about, plain(fmt.Sprintf("would be %s if unscored queries were right, so the call is left open", *c.CallIfScored))))
	}
	return out
}

// judges says by whom correct means correct where that is not the gold.
func judges(rows []row) []line {
	var out []line
	of := func(pass string) line {
		return say(plain("correct means passed by "), passedBy(pass), plain(", not by the gold; judge not calibrated"))
	}
	if alike(rows, func(r row) string { return r.Pass }) {
		if decidedByJudge(rows[0].Pass) {
			out = append(out, of(rows[0].Pass))
		}
		return out
	}
	for _, r := range rows {
		if decidedByJudge(r.Pass) {
			out = append(out, say(quoted(r.Name), plain(": "), of(r.Pass)))
		}
	}
	return out
}

// shared says which rows of an ablation rest on the same traces.
func shared(r *result.Result) []line {
	if r.Ablation == "" {
		return nil // of two runs, the same agent made other traces
	}
	var order []string
	names := map[string][]line{}
	for _, c := range r.Configurations {
		if names[c.Agent] == nil {
			order = append(order, c.Agent)
		}
		names[c.Agent] = append(names[c.Agent], quoted(c.Name))
	}
	var out []line
	for _, agent := range order {
		if len(names[agent]) > 1 && agent != "" {
			out = append(out, say(list(names[agent]), plain(" share their traces: the agent is the same, and what is made of its answers differs")))
		}
	}
	return out
}
