package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/result"
)

// point is one k of one configuration's curve.
type point struct {
	result.KPoint
	configuration string
}

// kCurves is the table of what every k would have given, and what K gains over 1.
func kCurves(r *result.Result) []part {
	var points []point
	var lines []line
	for _, c := range r.Configurations {
		about := say(quoted(c.Name), plain(": "))
		if c.KCurve == nil {
			lines = append(lines, say(about, plain("no K curve: "), blend(orUndefined(c.NoKCurve))))
			continue
		}
		for _, p := range c.KCurve.Points {
			points = append(points, point{p, c.Name})
		}
		if c.KCurve.Gain != nil {
			lines = append(lines, say(about, plain(gain(c.K, *c.KCurve.Gain, c.KCurve.Gain.Queries < c.Counts.Queries))))
		}
	}
	// Points that dropped different numbers speak of different queries.
	dropped := slices.ContainsFunc(points, func(p point) bool { return p.Accuracy.Dropped > 0 })
	over := func(p point) string {
		if !dropped {
			return ""
		}
		return strconv.Itoa(p.Accuracy.Queries)
	}
	n := func(p point) int { return p.Accuracy.Queries }
	return captioned(tabulate(plain("K curve: the mean over all subsets of k traces; effort is per query"), ofEach(r, func(p point) string { return p.configuration },
		count("k", func(p point) string { return strconv.Itoa(p.K) }),
		measure("queries", over),
		count("accuracy [95 %]", func(p point) string { return estimate(p.Accuracy) }),
		measure("unanimous", func(p point) string { return percentOf(p.Unanimous, n(p)) }).leaving(4),
		measure("correct if\nunanimous", func(p point) string { return percentOf(p.AccuracyIfUnanimous, n(p)) }).leaving(4),
		measure("pass@k", func(p point) string { return percentOf(p.PassAtK, n(p)) }).leaving(3),
		measure("pass^k", func(p point) string { return percentOf(p.PassHatK, n(p)) }).leaving(3),
		count("calls", func(p point) string { return decimal(&p.ModelCalls, 1) }),
		count("tokens", func(p point) string { return thousands(int(math.Round(p.Tokens))) }).leaving(2),
		measure("cost", func(p point) string { return dollars(p.USD) }).leaving(2),
	), points), lines)
}

// gain compares K traces with one, of some queries or of all.
func gain(k int, g result.KGain, some bool) string {
	text := fmt.Sprintf("K=%d against K=1: %s points", k, points(g.Difference))
	if some {
		text = fmt.Sprintf("K=%d against K=1 on the %d queries with all their traces: %s points", k, g.Queries, points(g.Difference))
	}
	if g.CI != nil {
		text += fmt.Sprintf(" (%s … %s)", points(g.CI.Low), points(g.CI.High))
	}
	return text + ", p " + pValue(&g.P)
}
