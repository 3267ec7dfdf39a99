package reports

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/ablations/result"
)

var plainNumber = regexp.MustCompile(`^[-+]?\d+(\.\d+)?$`)

// sheet makes text of others safe for a spreadsheet, which would take some of it for a
// formula, and for a terminal. A number is left as it is.
func sheet(text string) string {
	if plainNumber.MatchString(text) {
		return text
	}
	if start, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " \n")); strings.ContainsRune("=+-@\t\r＝＋－＠", start) {
		text = "'" + text
	}
	return Printable(text)
}

func whole(n int) string { return strconv.Itoa(n) }

func maybe(n *int) string {
	if n == nil {
		return ""
	}
	return whole(*n)
}

func number(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}

func low(ci *result.Interval) string {
	if ci == nil {
		return ""
	}
	return number(&ci.Low)
}

func high(ci *result.Interval) string {
	if ci == nil {
		return ""
	}
	return number(&ci.High)
}

func bound(b *[2]float64, i int) string {
	if b == nil {
		return ""
	}
	return number(&b[i])
}

func zeroIfNil[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

func unlessRefused(c result.Comparison, figure string) string {
	if c.Refused != nil {
		return ""
	}
	return figure
}

func ifUnanimousOf(figure func(result.Rate) *float64) func(row) string {
	return func(r row) string {
		if r.Reliability.AccuracyIfUnanimous == nil {
			return ""
		}
		return number(figure(*r.Reliability.AccuracyIfUnanimous))
	}
}

func confidenceOf(figure func(result.Confidence) *float64) func(row) string {
	return func(r row) string {
		if r.Confidence == nil {
			return ""
		}
		return number(figure(*r.Confidence))
	}
}

func clusteredOf(figure func(result.Clustered) string) func(row) string {
	return func(r row) string {
		if r.Clustered == nil {
			return ""
		}
		return figure(*r.Clustered)
	}
}

// unlessMissing is the number of correct queries where any was run.
func unlessMissing(c result.Counts) string {
	if c.Missing > 0 && c.Missing == c.Queries {
		return ""
	}
	return whole(c.Correct)
}
