package reports

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
)

// legend says how to read the figures of a comparison, and what they cannot show.
func legend(r *result.Result, rows []row) []line {
	out := slices.Concat(reach(rows), clusters(rows))
	if made := compared(rows); len(made) > 0 {
		out = append(out, measures(made)...)
		out = append(out, adjustment(r.Family, made)...)
		out = append(out, power(rows)...)
	}
	out = append(out, held(r, rows)...)
	if slices.ContainsFunc(rows, func(r row) bool { return r.Reliability.PassAtK.Value != nil }) {
		text := "pass@K: at least one of the K traces is right; pass^K: all of them are"
		if !alike(rows, func(r row) int { return r.K }) {
			text += "; neither can be compared between rows of different K"
		}
		out = append(out, plain(text))
		if slices.ContainsFunc(rows, func(r row) bool { return r.Reliability.PassAtK.Dropped > 0 }) {
			out = append(out, plain("pass@K and pass^K leave out queries with fewer than K traces that count; “of n” says how many are left"))
		}
	}
	return out
}

// reach says how far the intervals of rates can be trusted, where that was worked out: see
// docs/statistics.md.
func reach(rows []row) []line {
	if slices.ContainsFunc(rows, func(r row) bool { return r.Counts.Queries != 29 || r.CI == nil }) {
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
	out := []line{plain(text)}
	if slices.ContainsFunc(made, func(r row) bool { return r.against.Effort != nil }) {
		out = append(out, plain("Δ steps, calls and tokens are means over queries, with the interval of the sign-flip test; queries with a lost trace are left out"))
	}
	return out
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
