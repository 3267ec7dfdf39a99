package reports

import (
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
)

// sections are the tables that were asked for, in their usual order.
func sections(r *result.Result, show Sections) []part {
	var out []part
	for _, s := range []struct {
		shown bool
		build func(*result.Result) []part
	}{
		{show.ByCategory, byCategory},
		{show.Flips, flips},
		{show.KCurve, kCurves},
		{show.Steps, steps},
		{show.Confidence, confidence},
	} {
		if s.shown {
			out = append(out, s.build(r)...)
		}
	}
	return out
}

// captioned is a table with lines beneath it; without rows, the lines stand alone.
func captioned(t *table, lines []line) []part {
	var out []part
	if len(t.rows) > 0 {
		out = append(out, part{table: t})
	}
	if len(lines) > 0 {
		out = append(out, part{lines: lines})
	}
	return out
}

// ofEach are figures of something that each configuration has, beginning with its name
// where there are several.
func ofEach[R any](r *result.Result, name func(R) string, figures ...figure[R]) []figure[R] {
	if len(r.Configurations) < 2 {
		return figures
	}
	return slices.Insert(figures, 0, word("configuration", func(of R) line { return quoted(name(of)) }))
}
