package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// severalTraces reports whether the mean of single traces can differ from the result of the vote.
func severalTraces(rows []tableRow) bool {
	return slices.ContainsFunc(rows, func(r tableRow) bool { return r.K > 1 })
}

// singlesRate returns the columns of the mean of single traces, with the given header.
func singlesRate(rows []tableRow, header string) []document.Column[tableRow] {
	singles := func(r tableRow) *result.Singles { return r.Singles }
	corrected := func(r tableRow) *result.Corrected {
		if r.Singles == nil {
			return nil
		}
		return r.Singles.Corrected
	}
	mean := document.Column[tableRow]{
		Name:  "single_traces",
		Value: document.ValuePart(singles, func(s result.Singles) any { return s.Value }),
	}
	if severalTraces(rows) {
		mean.Header, mean.When, mean.Leaves = header, document.IfFilled, 2
		mean.Show = func(r tableRow) string { return singlesOf(r.Singles) }
	}
	return []document.Column[tableRow]{
		mean,
		{Name: "single_traces_low", Value: document.ValuePart(singles, func(s result.Singles) any { return lowEnd(s.CI) })},
		{Name: "single_traces_high", Value: document.ValuePart(singles, func(s result.Singles) any { return highEnd(s.CI) })},
		{Name: "single_traces_dropped", Value: document.ValuePart(singles, func(s result.Singles) any { return s.Dropped })},
		{Name: "single_traces_unruled", Value: document.ValuePart(singles, func(s result.Singles) any { return s.Unruled })},
		{
			Name:  "single_traces_corrected",
			Value: document.ValuePart(corrected, func(c result.Corrected) any { return c.Rate }),
		},
		{
			Name:  "single_traces_corrected_low",
			Value: document.ValuePart(corrected, func(c result.Corrected) any { return c.CI.Low }),
		},
		{
			Name:  "single_traces_corrected_high",
			Value: document.ValuePart(corrected, func(c result.Corrected) any { return c.CI.High }),
		},
	}
}

// singlesOf formats the mean of single traces, or its bounds if too many have no verdict.
func singlesOf(s *result.Singles) string {
	switch {
	case s == nil:
		return document.Undefined
	case s.Bounds != nil:
		d := figures.Digits(s.Queries)
		return figures.FormatRate(s.Bounds[0], d) + "–" + figures.FormatRate(s.Bounds[1], d) + " %"
	case s.Value == nil:
		return document.Undefined
	}
	cell := within(*s.Value, s.CI, s.Queries)
	if s.Dropped > 0 {
		cell += fmt.Sprintf(" of %d", s.Queries)
	}
	return cell
}

// ofSingles returns the finding on single traces; nil if they are not compared.
func ofSingles(c result.Comparison) *finding {
	s := c.Singles
	if s == nil || s.Difference == nil {
		return nil
	}
	return &finding{*s.Difference, s.CI, s.Call, c.Margin, s.Queries, false}
}

// singleTraces returns the columns of the second comparison: whether single traces are right more often.
func singleTraces(rows []tableRow) []document.Column[tableRow] {
	type pair = result.SinglesComparison
	at := func(r tableRow) *pair {
		if r.against == nil {
			return nil
		}
		return r.against.Singles
	}
	corrected := func(r tableRow) *result.CorrectedDifference {
		if s := at(r); s != nil {
			return s.Corrected
		}
		return nil
	}
	read := func(value func(pair) any) func(tableRow) any { return document.ValuePart(at, value) }
	var differences document.RichText // empty if no column has a difference to show
	p, adjusted, detectable := "", "", ""
	v := verdictsOf(rows, ofSingles)
	if severalTraces(rows) && slices.ContainsFunc(compared(rows),
		func(r tableRow) bool { return ofSingles(*r.against) != nil }) {
		differences, p, detectable = v.header, "p", "MDE"
		if len(compared(rows)) > 1 {
			adjusted = "p, all rows"
		}
	}
	return []document.Column[tableRow]{
		{
			Heading: differences, When: document.IfFilled,
			Text: v.cell,
			Name: "single_traces_difference", Value: read(func(s pair) any { return s.Difference }),
		},
		{Name: "single_traces_difference_low", Value: read(func(s pair) any { return lowEnd(s.CI) })},
		{Name: "single_traces_difference_high", Value: read(func(s pair) any { return highEnd(s.CI) })},
		{
			Header: p, When: document.IfFilled, Leaves: 6,
			Show: document.ShowPart(at, func(s pair) string { return figures.PValue(s.P()) }),
			Name: "single_traces_p_t", Value: read(func(s pair) any { return s.PT }),
		},
		{Name: "single_traces_p_sign_flip", Value: read(func(s pair) any { return s.PSignFlip })},
		{
			Header: adjusted, When: document.IfFilled, Leaves: 6,
			Show: document.ShowPart(at, func(s pair) string { return figures.PValue(s.PHolm) }),
			Name: "single_traces_p_holm", Value: read(func(s pair) any { return s.PHolm }),
		},
		{
			Name:  "single_traces_corrected_difference",
			Value: document.ValuePart(corrected, func(k result.CorrectedDifference) any { return k.Difference }),
		},
		{
			Name:  "single_traces_corrected_difference_low",
			Value: document.ValuePart(corrected, func(k result.CorrectedDifference) any { return k.CI.Low }),
		},
		{
			Name:  "single_traces_corrected_difference_high",
			Value: document.ValuePart(corrected, func(k result.CorrectedDifference) any { return k.CI.High }),
		},
		{Name: "single_traces_p_equal", Value: read(func(s pair) any { return s.PEqual })},
		{Name: "single_traces_p_equal_holm", Value: read(func(s pair) any { return s.PEqualHolm })},
		{Name: "single_traces_p_not_worse", Value: read(func(s pair) any { return s.PNotWorse })},
		{Name: "single_traces_p_not_worse_holm", Value: read(func(s pair) any { return s.PNotWorseHolm })},
		{Name: "single_traces_call", Value: read(func(s pair) any { return s.Call })},
		{
			Header: detectable, When: document.IfWide,
			Show: document.ShowPart(at, func(s pair) string { return effect(s.MDE, s.Method == "sign-flip") }),
			Name: "single_traces_mde", Value: read(func(s pair) any { return s.MDE }),
		},
		{Name: "single_traces_mde_holm", Value: read(func(s pair) any { return s.MDEHolm })},
	}
}

// effect formats a minimum detectable effect. For clusters it rounds up to the next whole point, because the
// effect is computed for a test with slightly more power than the sign-flip test has.
func effect(x *float64, clusters bool) string {
	if x == nil || !clusters {
		return figures.EffectPoints(x)
	}
	up := math.Ceil(*x*100-1e-9) / 100
	return figures.EffectPoints(&up)
}

// sharper returns the rows whose single traces show a difference, or equality, that their votes do not show.
func sharper(rows []tableRow) []tableRow {
	return slices.DeleteFunc(slices.Clone(rows), func(r tableRow) bool {
		s := r.against.Singles
		// Single traces without a correction have a different rate than corrected votes.
		if s == nil || r.K == 1 && !severalTraces(rows) || s.Corrected == nil &&
			(r.against.Corrected != nil || r.against.Unsized) {
			return true
		}
		votes := r.against.Call
		shown := (s.Call == result.Worse || s.Call == result.Better) &&
			(votes == result.Undetermined || votes == result.Equivalent) ||
			(s.Call == result.Equivalent || s.Call == result.NotWorse) && votes == result.Undetermined
		return !shown || r.against.CallIfScored != nil
	})
}

// bySingles describes the result of a row's single traces.
func bySingles(r tableRow) document.RichText {
	s, c := r.against.Singles, r.against
	l := document.Concat(document.Plain("the single traces of "), document.Quoted(r.Name), document.Plain(" are "))
	switch s.Call {
	case result.Equivalent:
		l = document.Concat(l, document.Plain("as often right as those of "), document.Quoted(c.Baseline),
			document.Plain(" within "+figures.MarginPoints(c.Margin)+" points"))
	case result.NotWorse:
		l = document.Concat(l, document.Plain("not worse than those of "), document.Quoted(c.Baseline),
			document.Plain(" by "+figures.MarginPoints(c.Margin)+" points or more"))
	default:
		d := figures.Digits(s.Queries)
		size := fmt.Sprintf(" by %.*f points", d, math.Abs(*s.Difference)*100)
		if s.CI != nil {
			low, high := s.CI.Low, s.CI.High
			if *s.Difference < 0 {
				low, high = -high, -low
			}
			size += " " + text.Bracketed(low, high, d)
		}
		l = document.Concat(
			l,
			document.Plain(string(s.Call)+" than those of "),
			document.Quoted(c.Baseline),
			document.Plain(size),
		)
	}
	if c.Call == result.Equivalent {
		return document.Concat(l, document.Plain("; its votes are as good within "+figures.MarginPoints(c.Margin)+" points."))
	}
	return document.Concat(
		l,
		document.Plain(fmt.Sprintf("; %s do not show whether the votes are.", text.Counted(c.Queries, "query"))),
	)
}

// describeNeeded describes how many queries or traces are needed to detect the drop that these rows could not
// show.
func describeNeeded(open []tableRow) string {
	var d *result.ToDetect // of the row that needs the fewest queries
	for _, r := range open {
		if s := r.against.Singles; s != nil && s.ToDetect != nil &&
			(d == nil || d.Queries == nil || s.ToDetect.Queries != nil && *s.ToDetect.Queries < *d.Queries) {
			d = s.ToDetect
		}
	}
	if d == nil {
		return ""
	}
	var ways []string
	if d.Queries != nil {
		ways = append(ways, "about "+text.Counted(*d.Queries, "query"))
	}
	if d.K != nil {
		ways = append(ways, fmt.Sprintf("K=%d", *d.K))
	}
	return fmt.Sprintf(" To see %s points takes %s.", figures.MarginPoints(d.Drop), strings.Join(ways, ", or "))
}

// describeDetectable describes the drop that the comparisons could have detected, if it is the same for all of
// them.
func describeDetectable(r *result.Result, rows, open []tableRow) string {
	if nothingToLose(open[0], rows) {
		return "The baseline has no right answers, so no drop is possible."
	}
	c := open[0].against
	size, traces := c.MDE, (*float64)(nil)
	if c.Unsized {
		return "It is also unknown which drop in right answers such tables would show."
	}
	if severalTraces(rows) && c.Singles != nil && (c.Corrected == nil || c.Singles.Corrected != nil) {
		traces = c.Singles.MDE
	}
	if f := r.Family; f != nil && f.Comparisons > 1 {
		size = f.MDE
		if traces != nil {
			traces = f.SinglesMDE
		}
	}
	queries := text.Counted(c.Queries, "query")
	byCluster := c.Clusters != nil
	switch {
	case byCluster && !c.Clusters.Enough:
		return "These clusters are too few or too unequal to show any drop."
	case size == nil && traces == nil:
		return queries + text.Verb(c.Queries, " is", " are") +
			" too few to show reliably even a drop to nothing." + describeNeeded(open)
	}
	most := ""
	if c.MDEAtMost {
		most = "at most "
	}
	drop := "a drop of " + most + effect(size, byCluster) + " points"
	if traces != nil && (size == nil || *traces < *size) {
		drop = "a drop of " + most + effect(traces, byCluster) + " points in single traces"
		if size != nil {
			drop += ", or of " + most + effect(size, byCluster) + " in votes,"
		}
	}
	return fmt.Sprintf("With %s, %s would be shown in four of five such tables, a smaller one less often.%s", queries,
		drop, describeNeeded(open))
}

// onUnits returns the notes on data that a comparison leaves out because of clusters or missing verdicts.
func onUnits(c result.Comparison) []document.RichText {
	var out []document.RichText
	if u := c.Clusters; u != nil && !u.Enough {
		about := text.Counted(u.Clusters, "cluster")
		if largest := float64(u.Table[0].Queries) / float64(c.Queries); u.Clusters >= minClusters {
			about = fmt.Sprintf("one cluster holds %.0f %% of the queries", largest*100)
		}
		l := document.Plain(about + ": no interval and no call")
		for i, x := range u.Table {
			if i == mostClusters {
				l = document.Concat(l, document.Plain(fmt.Sprintf(" and %d more", len(u.Table)-i)))
				break
			}
			name := document.Quoted(x.Cluster)
			if x.Cluster == "" {
				name = document.Plain("without a cluster")
			}
			separator := ", "
			if i == 0 {
				separator = "; right before and now: "
			}
			l = document.Concat(l, document.Plain(separator), name,
				document.Plain(fmt.Sprintf(" %d and %d of %d", x.CorrectBefore, x.CorrectNow, x.Queries)))
		}
		out = append(out, l)
	}
	if c.Clusters != nil && c.Clusters.Renamed {
		out = append(out, document.Plain("its clusters differ from the baseline's, which are used"))
	}
	if s := c.Singles; s != nil && s.Difference == nil && s.Unruled > 0 {
		out = append(out, document.Plain("single traces are not compared: "+text.Counted(s.Unruled, "trace")+
			text.Verb(s.Unruled, " has", " have")+" no verdict"))
	} else if s != nil && s.Unruled > 0 {
		out = append(out, document.Plain(text.Counted(s.Unruled, "trace")+" without a verdict left out of single traces"))
	}
	if s := c.Singles; s != nil && s.MayMiss {
		out = append(out, document.Plain("a change that breaks few queries may be missed"))
	}
	return out
}

const (
	minClusters  = 10 // with fewer clusters, a note gives their number; as in internal/stats
	mostClusters = 8  // maximum number of clusters that a note lists
)
