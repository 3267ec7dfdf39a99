package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// tableRow is a configuration with its comparison.
type tableRow struct {
	result.Configuration
	against  *result.Comparison // nil for the baseline, and if nothing is compared
	baseline bool
	marks    string // marks of the notes on the row
}

// compared reports whether the row has a difference to show.
func (r tableRow) compared() bool { return r.against != nil && r.against.Difference != nil }

func compared(rows []tableRow) []tableRow {
	return slices.DeleteFunc(slices.Clone(rows), func(r tableRow) bool { return !r.compared() })
}

func rowsOf(r *result.Result) []tableRow {
	rows := make([]tableRow, len(r.Configurations))
	for i, c := range r.Configurations {
		rows[i] = tableRow{Configuration: c, baseline: c.Name == r.Baseline}
		for j, with := range r.Comparisons {
			if with.Configuration == c.Name && rows[i].against == nil {
				rows[i].against = &r.Comparisons[j]
			}
			rows[i].baseline = rows[i].baseline || with.Baseline == c.Name
		}
	}
	return rows
}

// baselines returns the names of the configurations that others are compared with.
func baselines(rows []tableRow) []string {
	var names []string
	for _, r := range rows {
		if r.baseline {
			names = append(names, r.Name)
		}
	}
	return names
}

// alike reports whether all rows have the same value of a figure.
func alike[T comparable](rows []tableRow, of func(tableRow) T) bool {
	return !slices.ContainsFunc(rows, func(r tableRow) bool { return of(r) != of(rows[0]) })
}

// finding is the result of one comparison of a row with its baseline.
type finding struct {
	difference float64
	ci         *result.Interval
	call       result.Call
	margin     float64
	queries    int
	unsized    bool // only the call is known, not the size of the difference
}

// ofVotes returns the finding on right answers; nil if there are no figures to compare.
func ofVotes(c result.Comparison) *finding {
	if c.Difference == nil {
		return nil
	}
	return &finding{*c.Difference, c.CI, c.Call, c.Margin, c.Queries, c.Unsized}
}

func (f finding) shift(x float64) string { return wholeShift(x, f.queries) }

// verdicts formats the results of the rows' comparisons as cells with aligned parts, such as "−31 worse (−49 …
// −16)".
type verdicts struct {
	header        document.RichText
	of            func(result.Comparison) *finding
	points, calls int // their widths in characters
}

func verdictsOf(rows []tableRow, of func(result.Comparison) *finding) verdicts {
	v := verdicts{header: document.Plain("against its baseline, points"), of: of}
	if names := baselines(rows); len(names) == 1 {
		v.header = document.Concat(
			document.Plain("against "),
			document.Quoted(document.Shorten(names[0], maxTitle)),
			document.Plain(", points"),
		)
	}
	if by := byClusters(compared(rows), func(r tableRow) int {
		if r.against.Clusters == nil {
			return 0
		}
		return r.against.Clusters.Clusters
	}); by != "" {
		v.header = document.Concat(v.header, document.Plain("\n"+by))
	}
	for _, r := range compared(rows) {
		if x := of(*r.against); x != nil && !x.unsized {
			v.points = max(v.points, document.Width(x.shift(x.difference)))
			v.calls = max(v.calls, document.Width(x.callText()))
		}
	}
	return v
}

// byClusters returns the number of clusters if clusters are the units of the comparison; "" if queries are.
func byClusters(rows []tableRow, of func(tableRow) int) string {
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

func (v verdicts) cell(r tableRow) document.RichText {
	c := r.against
	var x *finding
	switch {
	case c == nil && r.baseline:
		return document.Plain("baseline")
	case c == nil:
		return document.Plain(document.Undefined)
	case c.Refused != nil && r.invalid():
		return document.Plain("no evidence").Toned(document.Doubtful)
	case c.Refused != nil:
		return document.Plain("not compared").Toned(document.Doubtful)
	}
	if x = v.of(*c); x == nil {
		return document.Plain(document.Undefined)
	}
	shift, word := x.shift(x.difference), x.callText()
	if x.unsized {
		return document.Plain(word).Toned(tones[x.call])
	}
	l := document.Concat(
		document.Plain(strings.Repeat(" ", v.points-document.Width(shift))+shift+" "),
		document.Plain(word).Toned(tones[x.call]),
	)
	if x.ci == nil {
		return l
	}
	low, high := wholeEnds(x.ci.Low, x.ci.High, x.queries)
	return document.Concat(
		l,
		document.Plain(fmt.Sprintf("%s (%s … %s)", strings.Repeat(" ", v.calls-document.Width(word)), low, high)),
	)
}

var tones = map[result.Call]document.Tone{result.Better: document.Good, result.Worse: document.Bad}

// invalid reports whether infrastructure failures cost too many traces for a comparison.
func (r tableRow) invalid() bool { return len(r.Losses().Invalid()) > 0 }

// callText returns the word for the finding's call; "~" if no difference was shown.
func (f finding) callText() string {
	switch f.call {
	case result.Undetermined, "":
		return "~"
	case result.Equivalent:
		return "equal ±" + figures.MarginPoints(f.margin)
	case result.NotWorse:
		return "not worse by " + figures.MarginPoints(f.margin)
	}
	return string(f.call)
}

// wholeShift formats a difference of rates over a number of queries in percentage points, with its sign.
func wholeShift(x float64, queries int) string { return figures.Signed(x*100, figures.Digits(queries)) }

// wholeEnds formats the ends of an interval of such differences.
func wholeEnds(low, high float64, queries int) (from, to string) {
	return text.SignedEnds(low*100, high*100, figures.Digits(queries))
}

// comparison returns the columns that compare a configuration with its baseline.
func comparison(rows []tableRow) []document.Column[tableRow] {
	type pair = result.Comparison
	against := func(r tableRow) *pair { return r.against }
	read := func(value func(pair) any) func(tableRow) any { return document.ValuePart(against, value) }
	show := func(show func(pair) string) func(tableRow) string {
		return func(r tableRow) string {
			if !r.compared() {
				return document.Undefined
			}
			return show(*r.against)
		}
	}
	unlessRefused := func(c pair, figure any) any {
		if c.Refused != nil {
			return nil
		}
		return figure
	}
	adjusted := "" // a single comparison is not adjusted
	if len(compared(rows)) > 1 {
		adjusted = "p, all rows"
	}
	v := verdictsOf(rows, ofVotes)
	return slices.Concat([]document.Column[tableRow]{
		{Name: "baseline", Value: read(func(c pair) any { return c.Baseline })},
		{Name: "pairing", Value: read(func(c pair) any { return c.Pairing })},
		{Name: "compared", Value: read(func(c pair) any { return unlessRefused(c, c.Queries) })},
		{Name: "correct_before", Value: read(func(c pair) any { return c.CorrectBefore })},
		{Name: "correct_now", Value: read(func(c pair) any { return c.CorrectNow })},
		{
			Header: "lost", When: document.IfFilled, Leaves: 5,
			Show: show(func(c pair) string { return figures.Count(c.Losses) }),
			Name: "losses", Value: read(func(c pair) any { return c.Losses }),
		},
		{
			Header: "won", When: document.IfFilled, Leaves: 5,
			Show: show(func(c pair) string { return figures.Count(c.Gains) }),
			Name: "gains", Value: read(func(c pair) any { return c.Gains }),
		},
		{
			Heading: v.header, When: document.IfFilled,
			Text: v.cell,
			Name: "difference", Value: read(func(c pair) any { return c.Difference }),
		},
		{Name: "difference_low", Value: read(func(c pair) any { return lowEnd(c.CI) })},
		{Name: "difference_high", Value: read(func(c pair) any { return highEnd(c.CI) })},
		{Name: "difference_low_90", Value: read(func(c pair) any { return lowEnd(c.CI90) })},
		{Name: "difference_high_90", Value: read(func(c pair) any { return highEnd(c.CI90) })},
		{
			Header: "p", When: document.IfFilled, Leaves: 6,
			Show: show(func(c pair) string { return figures.PValue(c.P) }),
			Name: "p", Value: read(func(c pair) any { return c.P }),
		},
		{
			Header: adjusted, When: document.IfFilled, Leaves: 6,
			Show: show(func(c pair) string { return figures.PValue(c.PHolm) }),
			Name: "p_holm", Value: read(func(c pair) any { return c.PHolm }),
		},
		{Name: "call", Value: read(func(c pair) any { return c.Call })},
		{Name: "call_as_counted", Value: read(func(c pair) any { return c.CallAsCounted })},
		{Name: "call_if_scored", Value: read(func(c pair) any { return c.CallIfScored })},
		{Name: "margin", Value: read(func(c pair) any { return unlessRefused(c, c.Margin) })},
		{
			Header: "MDE", When: document.IfWide,
			Show: show(func(c pair) string { return effect(c.MDE, c.Clusters != nil) }),
			Name: "mde", Value: read(func(c pair) any { return c.MDE }),
		},
		{Name: "p_equal", Value: read(func(c pair) any { return c.PEqual })},
		{Name: "p_equal_holm", Value: read(func(c pair) any { return c.PEqualHolm })},
		{Name: "p_not_worse", Value: read(func(c pair) any { return c.PNotWorse })},
		{Name: "p_not_worse_holm", Value: read(func(c pair) any { return c.PNotWorseHolm })},
		{Name: "mde_holm", Value: read(func(c pair) any { return c.MDEHolm })},
		{Name: "mde_at_most", Value: read(func(c pair) any { return c.MDEAtMost })},
	}, correctedDifference(), []document.Column[tableRow]{
		{Name: "refused", Value: read(func(c pair) any { return c.Refused })},
		{Name: "left_out", Value: read(func(c pair) any { return c.LeftOut })},
	})
}

// correctedDifference returns the columns of the difference that is corrected by labels or a calibration.
func correctedDifference() []document.Column[tableRow] {
	read := func(value func(result.CorrectedDifference) any) func(tableRow) any {
		return document.ValuePart(func(r tableRow) *result.CorrectedDifference {
			if r.against == nil {
				return nil
			}
			return r.against.Corrected
		}, value)
	}
	return []document.Column[tableRow]{
		{Name: "corrected_difference", Value: read(func(k result.CorrectedDifference) any { return k.Difference })},
		{Name: "corrected_difference_low", Value: read(func(k result.CorrectedDifference) any { return k.CI.Low })},
		{Name: "corrected_difference_high", Value: read(func(k result.CorrectedDifference) any { return k.CI.High })},
		{Name: "corrected_difference_method", Value: read(func(k result.CorrectedDifference) any { return k.Method })},
		{Name: "corrected_mde", Value: read(func(k result.CorrectedDifference) any { return k.MDE })},
		{Name: "corrected_mde_holm", Value: read(func(k result.CorrectedDifference) any { return k.MDEHolm })},
	}
}

// sumUpPair sums up the comparison of two configurations in a line.
func sumUpPair(r *result.Result, rows []tableRow, now tableRow) document.RichText {
	if len(sharper([]tableRow{now})) > 0 {
		return document.Capitalise(bySingles(now))
	}
	c := now.against
	shift := func(x float64) string { return strings.TrimPrefix(wholeShift(x, c.Queries), "+") }
	size, ends := *c.Difference, ""
	low, high := 0.0, 0.0
	if c.CI != nil {
		low, high = c.CI.Low, c.CI.High
	}
	word := "worse"
	switch c.Call {
	case result.Worse:
		size, low, high = -size, -high, -low
	case result.Better:
		word = "better"
	case result.Equivalent:
		return document.Concat(document.Quoted(now.Name), document.Plain(" is as good as "), document.Quoted(c.Baseline),
			document.Plain(" within "+figures.MarginPoints(c.Margin)+" points."))
	case result.NotWorse:
		return document.Concat(
			document.Quoted(now.Name),
			document.Plain(" is not worse than "),
			document.Quoted(c.Baseline),
			document.Plain(
				" by "+figures.MarginPoints(c.Margin)+" points or more; whether it is as good or better is not shown.",
			),
		)
	}
	if c.CI != nil {
		from, to := wholeEnds(low, high, c.Queries)
		ends = " [" + strings.TrimPrefix(from, "+") + ", " + strings.TrimPrefix(to, "+") + "]"
	}
	switch {
	case c.Unsized && (c.Call == result.Worse || c.Call == result.Better):
		return document.Concat(
			document.Quoted(now.Name),
			document.Plain(" is "+word+" than "),
			document.Quoted(c.Baseline),
			document.Plain("."),
		)
	case c.Unsized:
		return document.Concat(
			document.Plain("No difference between "),
			document.Quoted(now.Name),
			document.Plain(" and "),
			document.Quoted(c.Baseline),
			document.Plain(" is shown, and that does not prove that they are equal."),
		)
	}
	if c.Call == result.Worse || c.Call == result.Better {
		return document.Concat(document.Quoted(now.Name), document.Plain(" is "+word+" than "), document.Quoted(c.Baseline),
			document.Plain(" by "+shift(size)+" points"+ends+"."))
	}
	if c.CallAsCounted != nil {
		return document.Concat(document.Quoted(now.Name), document.Plain(" against "), document.Quoted(c.Baseline),
			document.Plain(": "+wholeShift(size, c.Queries)+" points"+ends+
				" if queries without a verdict count as wrong. They could be right, so there is no call."))
	}
	return document.Concat(document.Quoted(now.Name), document.Plain(" against "), document.Quoted(c.Baseline),
		document.Plain(": "+wholeShift(size, c.Queries)+" points"+ends+
			". That shows no difference, and does not prove that they are equal. "+describeDetectable(r, rows, []tableRow{now})))
}
