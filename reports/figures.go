package reports

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
)

// tellingQueries is the number of queries from which rates are shown with a decimal. With fewer, tenths of a
// per cent have no meaning.
const tellingQueries = 300

func digits(queries int) int {
	if queries >= tellingQueries {
		return 1
	}
	return 0
}

// correct formats the number of right queries and of all. If some are unscored, it is a range, in which all or
// none of these are right.
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

// passRate formats the pass rate with its interval. If queries are unscored or missing, only bounds are known.
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

// within formats a rate with its interval, if it has one.
func within(value float64, ci *result.Interval, queries int) string {
	d := digits(queries)
	if ci == nil {
		return rate(value, d) + " %"
	}
	return fmt.Sprintf("%s %% [%.*f, %.*f]", rate(value, d), d, ci.Low*100, d, ci.High*100)
}

// rate formats a rate in per cent with the given decimals, or more if it needs them: see text.Percent.
func rate(x float64, decimals int) string { return text.Percent(x, decimals) }

// defined formats the value of x, or returns undefined if x is nil.
func defined[T any](x *T, show func(T) string) string {
	if x == nil {
		return undefined
	}
	return show(*x)
}

// share formats an estimate without its interval, with the number of queries if it does not cover all of them.
func share(e result.Estimate) string {
	text := percentOf(e.Value, e.Queries)
	if e.Value != nil && e.Dropped > 0 {
		text += fmt.Sprintf(" of %d", e.Queries)
	}
	return text
}

func percent(x *float64) string { return text.Share(x) }

// percentOf formats a rate over a number of queries.
func percentOf(x *float64, queries int) string {
	return defined(x, func(x float64) string { return within(x, nil, queries) })
}

// points formats a difference of rates in percentage points, with its sign.
func points(x float64) string { return signed(x*100, 1) }

// signed formats a difference with its sign and the given decimals.
func signed(x float64, decimals int) string {
	text := fmt.Sprintf("%+.*f", decimals, x)
	if strings.Trim(text, "+-0.") == "" {
		return text[1:] // zero has no sign
	}
	return strings.Replace(text, "-", "−", 1)
}

// pValue formats a p-value with three decimals. At these sample sizes smaller differences have no meaning.
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

// unlessNone formats a count that is usually 0; 0 is shown as undefined.
func unlessNone(n int) string {
	if n == 0 {
		return undefined
	}
	return whole(n)
}

// maybe formats a count; nil is shown as undefined.
func maybe(n *int) string { return defined(n, whole) }

func tenths(x *float64) string     { return decimal(x, 1) }
func hundredths(x *float64) string { return decimal(x, 2) }

func decimal(x *float64, digits int) string { return text.Decimal(x, digits) }

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

func dollars(x *float64) string { return text.Dollars(x) }

func thousands(n int) string { return text.Thousands(n) }

// mde formats a minimum detectable effect in percentage points.
func mde(x *float64) string {
	return defined(x, func(x float64) string { return fmt.Sprintf("%.0f", x*100) })
}

// wholePoints formats a margin in percentage points, with decimals only if it has them.
func wholePoints(x float64) string { return strconv.FormatFloat(math.Round(x*1e4)/100, 'f', -1, 64) }

// unanimously formats how many unanimous decisions are right.
func unanimously(u result.Reliability) string {
	if u.Unanimous == nil || u.UnanimousCorrect == nil || u.AccuracyIfUnanimous == nil {
		return undefined
	}
	return fmt.Sprintf("%d/%d %s", *u.UnanimousCorrect, *u.Unanimous,
		percentOf(&u.AccuracyIfUnanimous.Value, *u.Unanimous))
}
