package reports

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// formatCorrect formats the number of right queries and of all queries. If some are unscored, the number of
// right ones is a range.
func formatCorrect(c result.Counts) document.RichText {
	if c.Queries == c.Missing {
		return document.Plain(document.Undefined)
	}
	if c.Unscored == 0 {
		return document.Plain(fmt.Sprintf("%d/%d", c.Correct, c.Queries))
	}
	l := document.Plain(fmt.Sprintf("%d–%d of %d", c.Correct, c.Correct+c.Unscored, c.Queries))
	if c.Missing > 0 {
		l = document.Concat(
			l,
			document.Plain(", "),
			document.Plain(fmt.Sprintf("%d missing", c.Missing)).Toned(document.Doubtful),
		)
	}
	if n := c.Unscored - c.Missing; n > 0 {
		l = document.Concat(l, document.Plain(", "), document.Plain(fmt.Sprintf("%d unscored", n)).Toned(document.Doubtful))
	}
	return l
}

// passRate formats the pass rate with its interval. If queries are unscored or missing, only bounds are known.
func passRate(c result.Configuration) string {
	switch {
	case c.Counts.Unscored == 0 && c.PassRate != nil:
		return within(*c.PassRate, c.CI, c.Counts.Queries)
	case c.Counts.Queries == c.Counts.Missing || c.Bounds == nil:
		return document.Undefined
	}
	d := figures.Digits(c.Counts.Queries)
	cell := figures.FormatRate(c.Bounds[0], d) + "–" + figures.FormatRate(c.Bounds[1], d) + " %"
	if ci := c.BoundsCI; ci != nil {
		cell += " " + text.Bracketed(ci.Low, ci.High, d)
	}
	return cell
}

// formatEstimate formats an estimate without its interval, with the number of queries if it does not cover all of them.
func formatEstimate(e result.Estimate) string {
	text := figures.PercentOf(e.Value, e.Queries)
	if e.Value != nil && e.Dropped > 0 {
		text += fmt.Sprintf(" of %d", e.Queries)
	}
	return text
}

// unanimously formats how many unanimous decisions are right.
func unanimously(u result.Reliability) string {
	if u.Unanimous == nil || u.UnanimousCorrect == nil || u.AccuracyIfUnanimous == nil {
		return document.Undefined
	}
	return fmt.Sprintf("%d/%d %s", *u.UnanimousCorrect, *u.Unanimous,
		figures.PercentOf(&u.AccuracyIfUnanimous.Value, *u.Unanimous))
}

// lowEnd returns the lower end of an interval; nil if there is no interval.
func lowEnd(ci *result.Interval) any {
	if ci == nil {
		return nil
	}
	return ci.Low
}

// highEnd returns the upper end of an interval; nil if there is no interval.
func highEnd(ci *result.Interval) any {
	if ci == nil {
		return nil
	}
	return ci.High
}

// within formats a rate with its interval, if there is one.
func within(value float64, ci *result.Interval, queries int) string {
	d := figures.Digits(queries)
	if ci == nil {
		return figures.FormatRate(value, d) + " %"
	}
	return figures.FormatRate(value, d) + " % " + text.Bracketed(ci.Low, ci.High, d)
}
