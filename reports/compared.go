package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
)

// row is a configuration and how it compares.
type row struct {
	result.Configuration
	against  *result.Comparison // nil of the baseline, and where nothing is compared
	baseline bool
	marks    string // of the notes on it
}

// compared is false where there are no figures to compare.
func (r row) compared() bool { return r.against != nil && r.against.Difference != nil }

func compared(rows []row) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !r.compared() })
}

func rowsOf(r *result.Result) []row {
	rows := make([]row, len(r.Configurations))
	for i, c := range r.Configurations {
		rows[i] = row{Configuration: c, baseline: c.Name == r.Baseline}
		for j, with := range r.Comparisons {
			if with.Configuration == c.Name && rows[i].against == nil {
				rows[i].against = &r.Comparisons[j]
			}
			rows[i].baseline = rows[i].baseline || with.Baseline == c.Name
		}
	}
	return rows
}

// baselines are the names of those that others are compared with.
func baselines(rows []row) []string {
	var names []string
	for _, r := range rows {
		if r.baseline {
			names = append(names, r.Name)
		}
	}
	return names
}

// alike reports whether all rows agree in something.
func alike[T comparable](rows []row, of func(row) T) bool {
	return !slices.ContainsFunc(rows, func(r row) bool { return of(r) != of(rows[0]) })
}

// finding is how a row compares in one question.
type finding struct {
	difference float64
	ci         *result.Interval
	call       result.Call
	margin     float64
	queries    int
}

// ofVotes is the finding on right answers; nil where there are no figures to compare.
func ofVotes(c result.Comparison) *finding {
	if c.Difference == nil {
		return nil
	}
	return &finding{*c.Difference, c.CI, c.Call, c.Margin, c.Queries}
}

func (f finding) shift(x float64) string { return wholeShift(x, f.queries) }

// verdicts are the cells that say how rows compare, set beneath each other, such as "−31 worse (−49 … −16)".
type verdicts struct {
	header        line
	of            func(result.Comparison) *finding
	points, calls int // their widths
}

func verdictsOf(rows []row, of func(result.Comparison) *finding) verdicts {
	v := verdicts{header: plain("against its baseline, points"), of: of}
	if names := baselines(rows); len(names) == 1 {
		v.header = say(plain("against "), quoted(clip(names[0], maxTitle)), plain(", points"))
	}
	if by := byClusters(compared(rows), func(r row) int {
		if r.against.Clusters == nil {
			return 0
		}
		return r.against.Clusters.Clusters
	}); by != "" {
		v.header = say(v.header, plain("\n"+by))
	}
	for _, r := range compared(rows) {
		if x := of(*r.against); x != nil {
			v.points = max(v.points, width(x.shift(x.difference)))
			v.calls = max(v.calls, width(x.word()))
		}
	}
	return v
}

// byClusters says how many clusters are the units of the rows; "" where queries are.
func byClusters(rows []row, of func(row) int) string {
	least, most := 0, 0
	for _, r := range rows {
		if n := of(r); n > 0 {
			least, most = min(cmp.Or(least, n), n), max(most, n)
		}
	}
	switch {
	case most == 0:
		return ""
	case least == most:
		return fmt.Sprintf("by clusters (%d)", most)
	}
	return fmt.Sprintf("by clusters (%d to %d)", least, most)
}

func (v verdicts) cell(r row) line {
	c := r.against
	var x *finding
	switch {
	case c == nil && r.baseline:
		return plain("baseline")
	case c == nil:
		return plain(undefined)
	case c.Refused != nil && r.invalid():
		return plain("no evidence").in(doubtful)
	case c.Refused != nil:
		return plain("not compared").in(doubtful)
	}
	if x = v.of(*c); x == nil {
		return plain(undefined)
	}
	shift, word := x.shift(x.difference), x.word()
	l := say(plain(strings.Repeat(" ", v.points-width(shift))+shift+" "), plain(word).in(tones[x.call]))
	if x.ci == nil {
		return l
	}
	return say(l, plain(fmt.Sprintf("%s (%s … %s)", strings.Repeat(" ", v.calls-width(word)), x.shift(x.ci.Low), x.shift(x.ci.High))))
}

var tones = map[result.Call]tone{result.Better: good, result.Worse: bad}

// invalid reports whether too many traces failed through the infrastructure for a comparison.
func (r row) invalid() bool { return len(r.Losses().Invalid()) > 0 }

// word is what a finding ends in.
func (f finding) word() string {
	switch f.call {
	case result.Undetermined, "":
		return "~"
	case result.Equivalent:
		return "equal ±" + wholePoints(f.margin)
	case result.NotWorse:
		return "not worse by " + wholePoints(f.margin)
	}
	return string(f.call)
}

// wholeShift is a difference of rates over some queries in percentage points, with its sign.
func wholeShift(x float64, queries int) string { return signed(x*100, digits(queries)) }

// comparison is how a configuration compares with its baseline.
func comparison(rows []row) []figure[row] {
	type pair = result.Comparison
	only := func(names string, values func(pair) []any) figure[row] {
		return rawOf(names, func(r row) *pair { return r.against }, values)
	}
	of := func(name, header string, value func(pair) any, show func(pair) string) figure[row] {
		read := only(name, func(c pair) []any { return []any{value(c)} })
		if header == "" {
			return read
		}
		return measure(header, func(r row) string {
			if !r.compared() {
				return undefined
			}
			return show(*r.against)
		}).readAs(read)
	}
	unlessRefused := func(c pair, figure any) any {
		if c.Refused != nil {
			return nil
		}
		return figure
	}
	adjusted := "" // one comparison alone has nothing to adjust
	if len(compared(rows)) > 1 {
		adjusted = "p, all rows"
	}
	difference := only("difference difference_low difference_high", func(c pair) []any {
		return slices.Concat([]any{c.Difference}, ends(c.CI))
	})
	v := verdictsOf(rows, ofVotes)
	difference.header, difference.optional, difference.cell = v.header, true, v.cell
	return []figure[row]{
		only("baseline pairing compared correct_before correct_now", func(c pair) []any {
			return []any{c.Baseline, c.Pairing, unlessRefused(c, c.Queries), c.CorrectBefore, c.CorrectNow}
		}),
		of("losses", "lost", func(c pair) any { return c.Losses }, func(c pair) string { return maybe(c.Losses) }).leaving(5),
		of("gains", "won", func(c pair) any { return c.Gains }, func(c pair) string { return maybe(c.Gains) }).leaving(5),
		difference,
		only("difference_low_90 difference_high_90", func(c pair) []any { return ends(c.CI90) }),
		of("p", "p", func(c pair) any { return c.P }, func(c pair) string { return pValue(c.P) }).leaving(6),
		of("p_holm", adjusted, func(c pair) any { return c.PHolm }, func(c pair) string { return pValue(c.PHolm) }).leaving(6),
		only("call call_as_counted call_if_scored margin", func(c pair) []any {
			return []any{c.Call, c.CallAsCounted, c.CallIfScored, unlessRefused(c, c.Margin)}
		}),
		of("mde", "MDE", func(c pair) any { return c.MDE }, func(c pair) string { return effect(c.MDE, c.Clusters != nil) }).full(),
		only("p_equal p_equal_holm p_not_worse p_not_worse_holm", func(c pair) []any {
			return []any{c.PEqual, c.PEqualHolm, c.PNotWorse, c.PNotWorseHolm}
		}),
		only("mde_holm mde_at_most", func(c pair) []any { return []any{c.MDEHolm, c.MDEAtMost} }),
		only("refused left_out", func(c pair) []any { return []any{c.Refused, c.LeftOut} }),
	}
}

// moreEffort is what a configuration takes more for a query than its baseline.
func moreEffort() []figure[row] {
	of := func(name, header string, decimals int, shift func(result.EffortDifference) result.Shift) figure[row] {
		at := func(r row) *result.Shift {
			if r.against == nil || r.against.Effort == nil {
				return nil
			}
			s := shift(*r.against.Effort)
			return &s
		}
		names := fmt.Sprintf("%s_difference %[1]s_difference_low %[1]s_difference_high", name)
		return measureOf(header, at, func(s result.Shift) string { return moved(s, decimals) }).leaving(8 + decimals).
			readAs(rawOf(names, at, func(s result.Shift) []any { return slices.Concat([]any{s.Difference}, ends(s.CI)) }))
	}
	return []figure[row]{
		of("steps", "Δ steps\na trace", 1, func(e result.EffortDifference) result.Shift { return e.Steps }),
		of("calls", "Δ model calls\na query", 1, func(e result.EffortDifference) result.Shift { return e.Calls }),
		of("tokens", "Δ tokens\na query", 0, func(e result.EffortDifference) result.Shift { return e.Tokens }),
	}
}

// moved is a difference with its interval.
func moved(s result.Shift, decimals int) string {
	text := signed(s.Difference, decimals)
	if s.CI != nil {
		text += " (" + signed(s.CI.Low, decimals) + " … " + signed(s.CI.High, decimals) + ")"
	}
	return text
}

// flips is the table of the queries behind the losses and gains, which is where to look for what a change does.
func flips(r *result.Result) []part {
	type flip = result.Flip
	var rows owned[flip]
	var lines []line
	for _, c := range r.Comparisons {
		rows.add(c.Configuration, c.Flips...)
		if c.Losses != nil && c.Gains != nil {
			lines = append(lines, say(quoted(c.Configuration), plain(fmt.Sprintf(": %d lost, %d gained against ", *c.Losses, *c.Gains)), quoted(c.Baseline)))
		}
	}
	out := captioned(tabulateOwned("Queries whose verdict is not the baseline's", owner(r), rows,
		word("query", func(f flip) line { return quoted(f.Query) }),
		word("category", func(f flip) line { return quoted(f.Category) }).leaving(2),
		word("flip", turn),
		word("baseline's answer", func(f flip) line { return quoted(f.Baseline) }).atMost(maxAnswer),
		word("its answer", func(f flip) line { return quoted(f.Configuration) }).atMost(maxAnswer),
		word("reason", func(f flip) line { return quoted(f.Reason) }).atMost(maxReason).leaving(3),
	), lines...)
	return append(out, wayFlips(r)...)
}

// turn says which way a query went. One side of a flip is right; the other may have no verdict.
func turn(f result.Flip) line {
	l := gained(f.Gain)
	if f.Unscored {
		l = say(l, plain(" (unscored)"))
	}
	return l
}

func gained(is bool) line {
	if is {
		return plain("gained").in(good)
	}
	return plain("lost").in(bad)
}
