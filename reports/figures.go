package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
)

// tellingQueries is the number of queries from which tenths of a per cent tell of anything.
const tellingQueries = 300

func digits(queries int) int {
	if queries >= tellingQueries {
		return 1
	}
	return 0
}

// correct counts the right queries of all: from those that are right to those that may be, where some are unscored.
func correct(c result.Counts) line {
	if c.Queries == c.Missing {
		return plain(undefined)
	}
	if c.Unscored == 0 {
		return plain(fmt.Sprintf("%d/%d", c.Correct, c.Queries))
	}
	l := plain(fmt.Sprintf("%d–%d of %d", c.Correct, c.Correct+c.Unscored, c.Queries))
	if c.Missing > 0 {
		l = say(l, plain(", "), plain(fmt.Sprintf("%d missing", c.Missing)).in(doubtful))
	}
	if n := c.Unscored - c.Missing; n > 0 {
		l = say(l, plain(", "), plain(fmt.Sprintf("%d unscored", n)).in(doubtful))
	}
	return l
}

// passRate is the pass rate with its interval. Where queries are unscored or missing, only bounds are known.
func passRate(c result.Configuration) string {
	switch {
	case c.Counts.Unscored == 0 && c.PassRate != nil:
		return within(*c.PassRate, c.CI, c.Counts.Queries)
	case c.Counts.Queries == c.Counts.Missing || c.Bounds == nil:
		return undefined
	}
	d := digits(c.Counts.Queries)
	cell := rate(c.Bounds[0], d) + "–" + rate(c.Bounds[1], d) + " %"
	if ci := c.BoundsCI; ci != nil {
		cell += fmt.Sprintf(" [%.*f, %.*f]", d, ci.Low*100, d, ci.High*100)
	}
	return cell
}

// within is a rate with its interval, if it has one.
func within(value float64, ci *result.Interval, queries int) string {
	d := digits(queries)
	if ci == nil {
		return rate(value, d) + " %"
	}
	return fmt.Sprintf("%s %% [%.*f, %.*f]", rate(value, d), d, ci.Low*100, d, ci.High*100)
}

// rate is a rate in per cent, to some decimals or as many more as it takes: see text.Percent.
func rate(x float64, decimals int) string { return text.Percent(x, decimals) }

// defined shows what x points to.
func defined[T any](x *T, show func(T) string) string {
	if x == nil {
		return undefined
	}
	return show(*x)
}

// share is an estimate without its interval, with the number of queries where that is not all of them.
func share(e result.Estimate) string {
	text := percentOf(e.Value, e.Queries)
	if e.Value != nil && e.Dropped > 0 {
		text += fmt.Sprintf(" of %d", e.Queries)
	}
	return text
}

func percent(x *float64) string { return percentOf(x, 0) }

// percentOf is a rate over so many queries.
func percentOf(x *float64, queries int) string {
	return defined(x, func(x float64) string { return within(x, nil, queries) })
}

// points is a difference of rates in percentage points, with its sign.
func points(x float64) string { return signed(x*100, 1) }

// signed is a difference to some decimals.
func signed(x float64, decimals int) string {
	text := fmt.Sprintf("%+.*f", decimals, x)
	if strings.Trim(text, "+-0.") == "" {
		return text[1:] // neither less nor more
	}
	return strings.Replace(text, "-", "−", 1)
}

// pValue shows three decimals: whether it is .0004 or .0001 is of no use at these sizes.
func pValue(p *float64) string {
	switch {
	case p == nil:
		return undefined
	case *p < 0.001:
		return "<0.001"
	default:
		return strconv.FormatFloat(*p, 'f', 3, 64)
	}
}

func whole(n int) string { return strconv.Itoa(n) }

// unlessNone is a count of what mostly does not happen.
func unlessNone(n int) string {
	if n == 0 {
		return undefined
	}
	return whole(n)
}

// maybe is a count that may not have been made.
func maybe(n *int) string { return defined(n, whole) }

func tenths(x *float64) string     { return decimal(x, 1) }
func hundredths(x *float64) string { return decimal(x, 2) }

func decimal(x *float64, digits int) string {
	return defined(x, func(x float64) string { return strconv.FormatFloat(x, 'f', digits, 64) })
}

func seconds(x *float64) string {
	switch {
	case x == nil:
		return undefined
	case *x < 1:
		return fmt.Sprintf("%.0f ms", *x*1000)
	case *x < 120:
		return fmt.Sprintf("%.1f s", *x)
	default:
		return fmt.Sprintf("%.0f min", *x/60)
	}
}

// dollars shows two digits that tell, and no more.
func dollars(x *float64) string {
	switch {
	case x == nil:
		return undefined
	case *x >= 1 || *x == 0:
		return fmt.Sprintf("$%.2f", *x)
	case *x < 1e-4:
		return "<$0.0001"
	default:
		return "$" + strconv.FormatFloat(*x, 'g', 2, 64)
	}
}

func thousands(n int) string {
	switch {
	case n < 10_000:
		return strconv.Itoa(n)
	case n < 10_000_000:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	default:
		return fmt.Sprintf("%.0fM", float64(n)/1e6)
	}
}

// mde is a minimum detectable effect in percentage points.
func mde(x *float64) string {
	return defined(x, func(x float64) string { return fmt.Sprintf("%.0f", x*100) })
}

// wholePoints is a margin in percentage points, with decimals only if it was set so.
func wholePoints(x float64) string { return strconv.FormatFloat(math.Round(x*1e4)/100, 'f', -1, 64) }

func ifUnanimous(u result.Reliability) string {
	if u.Unanimous == nil || u.UnanimousCorrect == nil || u.AccuracyIfUnanimous == nil {
		return undefined
	}
	return fmt.Sprintf("%d/%d %s", *u.UnanimousCorrect, *u.Unanimous, percentOf(&u.AccuracyIfUnanimous.Value, *u.Unanimous))
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
