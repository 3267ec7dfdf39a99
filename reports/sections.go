package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/result"
)

// sections are the tables that were asked for, in their usual order.
func sections(r *result.Result, show Sections) []part {
	var out []part
	for _, s := range []struct {
		shown bool
		build func(*result.Result) []part
	}{
		{true, rubric},
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
	return slices.Insert(figures, 0, words("", "configuration", name))
}

// byCategory is the table of correct queries by category.
func byCategory(r *result.Result) []part {
	if len(r.Dataset.Categories) == 0 {
		return nil
	}
	figures := ofEach(r, func(c result.Configuration) string { return c.Name },
		categories(r.Dataset.Categories, func(c result.Configuration) result.Configuration { return c })...)
	return captioned(tabulate(plain("Correct by category"), figures, r.Configurations), nil)
}

// rubricItem is a question of the rubric in one configuration.
type rubricItem struct {
	result.RubricItem
	configuration string
}

// rubric is the table of what the way of the traces had, by the questions of the rubric.
func rubric(r *result.Result) []part {
	var rows []rubricItem
	var lines []line
	for _, c := range r.Configurations {
		if s := c.Judge.RubricScore; s != nil {
			lines = append(lines, say(quoted(c.Name), plain(": "+percent(s)+" of the points hold, by their weights")))
		}
		for _, item := range c.Judge.Rubric {
			rows = append(rows, rubricItem{item, c.Name})
		}
	}
	return captioned(tabulate(plain("Rubric: queries whose trace has it"), ofEach(r, func(i rubricItem) string { return i.configuration },
		words("", "point", func(i rubricItem) string { return i.Item }),
		count("holds", func(i rubricItem) string { return strconv.Itoa(i.Holds) + "/" + strconv.Itoa(i.Holds+i.Not) }),
		count("rate", func(i rubricItem) string { return percent(i.Rate) }),
		count("unscored", func(i rubricItem) string { return strconv.Itoa(i.Unscored) }),
	), rows), lines)
}

// effortIn is what the correct traces of a configuration took in one category, or in all.
type effortIn struct {
	result.Effort
	configuration string
	category      line
}

// steps is the table of what correct traces took, against the fewest that any needed.
func steps(r *result.Result) []part {
	var rows []effortIn
	for _, c := range r.Configurations {
		rows = append(rows, effortIn{c.Efficiency.Effort, c.Name, plain("all")})
		for _, category := range r.Dataset.Categories {
			if e, is := c.Efficiency.ByCategory[category]; is {
				rows = append(rows, effortIn{e, c.Name, quoted(category)})
			}
		}
	}
	whose := ""
	if len(r.Runs) > 0 {
		whose = " in the same run"
	}
	t := tabulate(plain("Effort of correct traces, against the fewest that any correct trace of the query took"+whose), ofEach(r, func(e effortIn) string { return e.configuration },
		word("category", func(e effortIn) line { return e.category }),
		count("solved by\nsome trace", func(e effortIn) string { return strconv.Itoa(e.SolvedQueries) }),
		count("steps", func(e effortIn) string { return tenths(e.Steps) }),
		count("fewest", func(e effortIn) string { return tenths(e.FewestSteps) }),
		count("waste", func(e effortIn) string { return percent(e.StepWaste) }),
		count("tool\ncalls", func(e effortIn) string { return tenths(e.ToolCalls) }).leaving(1),
		count("fewest", func(e effortIn) string { return tenths(e.FewestToolCalls) }).leaving(1),
		count("waste", func(e effortIn) string { return percent(e.ToolCallWaste) }).leaving(1),
		count("asked for,\nall traces", func(e effortIn) string { return maybe(e.Actions) }).leaving(2),
		count("repeated", func(e effortIn) string { return maybe(e.Repeated) }).leaving(2),
	), rows)
	return captioned(t, nil)
}

// level is a level of agreement in one configuration.
type level struct {
	result.ConfidenceLevel
	configuration string
}

// confidence is the table of how often an agreement is right, and what answering only from
// that agreement on would risk.
func confidence(r *result.Result) []part {
	var rows []level
	var lines []line
	for _, c := range r.Configurations {
		about := say(quoted(c.Name), plain(": "))
		f := c.Confidence
		if f == nil {
			lines = append(lines, say(about, plain(noConfidence(c))))
			continue
		}
		for _, l := range f.Levels {
			rows = append(rows, level{l, c.Name})
		}
		left := ""
		if f.Unscored > 0 {
			left = "; " + strconv.Itoa(f.Unscored) + " unscored left out"
		}
		lines = append(lines, say(about, plain("ECE "+decimal(&f.ECE, 3)+", Brier "+decimal(&f.Brier, 3)+", AUROC "+decimal(f.AUROC, 3)+
			", AURC "+decimal(&f.AURC, 3)+" ("+decimal(&f.ExcessAURC, 3)+" above the best order), AUGRC "+decimal(&f.AUGRC, 3)+left)))
	}
	t := tabulate(plain("Agreement as confidence: risk is the share of wrong answers from that agreement on"), ofEach(r, func(l level) string { return l.configuration },
		count("agreement", func(l level) string { return decimal(&l.Agreement, 2) }),
		count("correct", func(l level) string { return strconv.Itoa(l.Correct) + "/" + strconv.Itoa(l.Queries) }),
		count("accuracy [95 %]", func(l level) string { return within(l.Accuracy.Value, &l.Accuracy.CI, l.Queries) }),
		count("coverage", func(l level) string { return percent(&l.Coverage) }),
		count("risk", func(l level) string { return percent(&l.Risk) }),
	), rows)
	return captioned(t, lines)
}

func noConfidence(c result.Configuration) string {
	switch {
	case c.K == 1:
		return "one trace has nothing to agree with"
	case c.Counts.Missing == 0 && c.Counts.Unscored == c.Counts.Queries:
		return "no query is scored"
	}
	return "nothing can be said of agreement without every query"
}

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
			lines = append(lines, say(about, plain("no K curve: "), blend(cmp.Or(c.NoKCurve, undefined))))
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
