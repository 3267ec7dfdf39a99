package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
)

// table is a table of figures; the first cell of a row is its name.
type table struct {
	Caption string
	Head    []string
	Rows    [][]string
}

// undefined is printed in place of an undefined figure.
const undefined = "–"

// defined formats the value of x, or returns undefined if x is nil.
func defined[T any](x *T, show func(T) string) string {
	if x == nil {
		return undefined
	}
	return show(*x)
}

func percent(x *float64) string { return defined(x, share) }

func interval(i *result.Interval) string {
	return defined(i, func(i result.Interval) string {
		low, high := text.Ends(i.Low, i.High, 0)
		return low + "–" + high + " %"
	})
}

// passRate formats the pass rate of a configuration with its interval, or its bounds if queries have no
// verdict.
func passRate(c *result.Configuration) (rate, ci string) {
	if c.Counts.Unscored > 0 && c.Bounds != nil {
		return text.Percent(c.Bounds[0], 0) + "–" + share(c.Bounds[1]), undefined
	}
	return percent(c.PassRate), interval(c.CI)
}

// points formats a difference of rates in percentage points.
func points(x float64) string {
	if n := math.Round(x * 100); n != 0 {
		return strings.Replace(fmt.Sprintf("%+.0f", n), "-", "−", 1)
	}
	return "0"
}

// pointEnds formats the ends of an interval of differences in percentage points.
func pointEnds(ci *result.Interval) (low, high string) {
	return text.SignedEnds(ci.Low*100, ci.High*100, 0)
}

// describeCall describes the result of a comparison in words.
func describeCall(c *result.Comparison) string {
	switch {
	case c == nil:
		return undefined
	case c.Refused != nil:
		return "no evidence"
	}
	return shown(c.Call)
}

// shown describes a call in words; it returns undefined if there is no call.
func shown(c result.Call) string {
	switch c {
	case "":
		return undefined
	case result.Undetermined:
		return "not shown either way"
	case result.NotWorse:
		return "not worse"
	}
	return string(c)
}

// moved formats a difference with its interval.
func moved(difference *float64, ci *result.Interval) string {
	out := defined(difference, points)
	if difference != nil && ci != nil {
		low, high := pointEnds(ci)
		out += " (" + low + " … " + high + ")"
	}
	return out
}

// singles formats the mean of single traces with its interval, or its bounds if too many have no verdict.
func singles(s *result.Singles) string {
	switch {
	case s == nil || s.Value == nil && s.Bounds == nil:
		return undefined
	case s.Bounds != nil:
		return text.Percent(s.Bounds[0], 0) + "–" + share(s.Bounds[1])
	case s.CI == nil:
		return percent(s.Value)
	}
	return percent(s.Value) + " (" + interval(s.CI) + ")"
}

// heads returns the headers of counts and rates. If a judge decides all rows, counts are of the answers that
// it passed, and rates are of right answers if the judge's errors are known.
func heads(rows []configRow) []string {
	of, corrected := "right", false
	if len(rows) > 0 && !slices.ContainsFunc(rows,
		func(r configRow) bool { return !r.DecidedByJudge() || r.Judge.Decides < r.Counts.Queries }) {
		of = "passed by the judge"
	}
	for _, r := range rows {
		corrected = corrected || r.Corrected != nil
	}
	if corrected {
		return []string{of, "right, corrected"}
	}
	return []string{of, "pass rate"}
}

// overview returns the table of pass rates and comparisons, which shows the best configuration.
func overview(rows []configRow) table {
	t := table{Caption: "Right answers", Head: slices.Concat([]string{"configuration"}, heads(rows), []string{"95 %"})}
	if slices.ContainsFunc(rows, func(r configRow) bool { return r.Clustered != nil }) {
		t.Head[3] += ", by clusters"
	}
	compared := slices.ContainsFunc(rows, func(r configRow) bool { return r.against != nil })
	if compared {
		t.Head = append(t.Head, "against the baseline", "call")
	}
	traced := slices.ContainsFunc(rows, func(r configRow) bool { return r.K > 1 && r.Singles != nil })
	if traced {
		t.Head = append(t.Head, "single traces")
	}
	if traced && compared {
		t.Head = append(t.Head, "single traces against the baseline", "call")
	}
	t.Head = append(t.Head, "agreement", "tokens a query")
	priced := slices.ContainsFunc(rows, func(r configRow) bool { return r.USDPerQuery != nil })
	if priced {
		t.Head = append(t.Head, "cost a query")
	}
	for _, r := range rows {
		c := r.Counts
		right := fmt.Sprintf("%d of %d", c.Correct, c.Queries)
		if c.Unscored > 0 {
			right = fmt.Sprintf("%d–%d of %d", c.Correct, c.Correct+c.Unscored, c.Queries)
		}
		rate, ci := passRate(r.Configuration)
		cells := []string{r.label(), right, rate, ci}
		if compared {
			difference := undefined
			if a := r.against; a != nil {
				difference = moved(a.Difference, a.CI)
				if a.Unsized {
					difference = undefined
				}
			}
			cells = append(cells, difference, describeCall(r.against))
		}
		if traced {
			cells = append(cells, singles(r.Singles))
		}
		if traced && compared {
			difference, word := undefined, undefined
			if a := r.against; a != nil && a.Singles != nil {
				difference, word = moved(a.Singles.Difference, a.Singles.CI), shown(a.Singles.Call)
			}
			cells = append(cells, difference, word)
		}
		cells = append(cells, percent(r.Consensus.MeanAgreement), tokens(r))
		if priced {
			cells = append(cells, defined(r.USDPerQuery, func(x float64) string { return fmt.Sprintf("$%.4f", x) }))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// tokens formats input and output tokens over queries with a record.
func tokens(r configRow) string {
	n := r.decided()
	if n == 0 {
		return undefined
	}
	return fmt.Sprintf("%.0f", float64(r.Usage.InputTokens+r.Usage.OutputTokens)/float64(n))
}

// breakdowns returns tables of shares with a column for each configuration: of right answers by category, and
// of traces that meet a question of the rubric. A table without figures is omitted.
func breakdowns(rows []configRow, categories []string) (out []table) {
	add := func(caption, head string, names []string, share func(r configRow, name string) (part, of int)) {
		if len(names) == 0 {
			return
		}
		t := table{Caption: caption, Head: []string{head}}
		for _, r := range rows {
			t.Head = append(t.Head, r.label())
		}
		for _, name := range names {
			cells := []string{name}
			for _, r := range rows {
				cell := undefined
				if part, of := share(r, name); of > 0 {
					rate := float64(part) / float64(of)
					cell = fmt.Sprintf("%d/%d\u2002%s", part, of, percent(&rate))
				}
				cells = append(cells, cell)
			}
			t.Rows = append(t.Rows, cells)
		}
		out = append(out, t)
	}
	add("Right answers by category", "category", categories, func(r configRow, name string) (int, int) {
		return r.ByCategory[name].Correct, r.ByCategory[name].Queries
	})
	var points []string
	for _, r := range rows {
		for _, item := range r.Judge.Rubric {
			if !slices.Contains(points, item.Item) {
				points = append(points, item.Item)
			}
		}
	}
	add("Rubric: queries whose trace has it", "point", points, func(r configRow, name string) (part, of int) {
		for _, item := range r.Judge.Rubric {
			if item.Item == name {
				part, of = item.Holds, item.Holds+item.Not
			}
		}
		return part, of
	})
	return out
}
