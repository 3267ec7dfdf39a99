package reports

import (
	"fmt"
	"math"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/result"
)

// tellingQueries is the number of queries from which tenths of a per cent tell of
// anything.
const tellingQueries = 300

func digits(queries int) int {
	if queries >= tellingQueries {
		return 1
	}
	return 0
}

// fraction is the correct of the queries that have a record: what was not run is not wrong.
func fraction(c result.Counts) string {
	switch {
	case c.Queries == c.Missing:
		return undefined
	case c.Missing > 0:
		return fmt.Sprintf("%d/%d (%d missing)", c.Correct, c.Queries-c.Missing, c.Missing)
	default:
		return fmt.Sprintf("%d/%d", c.Correct, c.Queries)
	}
}

// rateHeader says what passRate shows beside, or in place of, the rates.
func rateHeader(configurations []result.Configuration) string {
	var intervals, bounds bool
	for _, c := range configurations {
		intervals = intervals || c.Counts.Missing == 0
		bounds = bounds || c.Counts.Missing > 0
	}
	switch {
	case !bounds:
		return "pass rate [95 %]"
	case !intervals:
		return "pass rate, bounds"
	default:
		return "pass rate [95 %], or bounds"
	}
}

// passRate is the pass rate with its interval.
func passRate(c result.Configuration) string {
	switch {
	case c.Counts.Missing > 0 && c.Bounds != nil: // of a part of a run, only bounds are known
		return fmt.Sprintf("%.0f %% to %.0f %%", c.Bounds[0]*100, c.Bounds[1]*100)
	case c.Counts.Missing > 0 || c.PassRate == nil:
		return undefined
	default:
		return within(*c.PassRate, c.CI, c.Counts.Queries)
	}
}

// within is a rate with its interval, if it has one.
func within(rate float64, ci *result.Interval, queries int) string {
	d := digits(queries)
	if ci == nil {
		return fmt.Sprintf("%.*f %%", d, rate*100)
	}
	return fmt.Sprintf("%.*f %% [%.*f, %.*f]", d, rate*100, d, ci.Low*100, d, ci.High*100)
}

func estimate(e result.Estimate) string {
	if e.Value == nil {
		return undefined
	}
	return within(*e.Value, e.CI, e.Queries)
}

// share is an estimate without its interval, with the number of queries where that is not
// all of them.
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
	if x == nil {
		return undefined
	}
	return fmt.Sprintf("%.*f %%", digits(queries), *x*100)
}

// points is a difference of rates in percentage points, with its sign.
func points(x float64) string { return signed(tenth(x), 1) }

// signed is a difference to some decimals.
func signed(x float64, decimals int) string {
	unit := math.Pow10(decimals)
	if math.Round(x*unit) == 0 {
		return strconv.FormatFloat(0, 'f', decimals, 64)
	}
	return fmt.Sprintf("%+.*f", decimals, x)
}

// tenth is a fraction in per cent to one decimal, and never the -0.0 that rounding leaves.
func tenth(x float64) float64 { return math.Round(x*1000)/10 + 0 }

// between is an interval of a difference in percentage points.
func between(ci *result.Interval) string {
	if ci == nil {
		return ""
	}
	return fmt.Sprintf("[%.1f, %.1f]", tenth(ci.Low), tenth(ci.High))
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

func decimal(x *float64, digits int) string {
	if x == nil {
		return undefined
	}
	return strconv.FormatFloat(*x, 'f', digits, 64)
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
