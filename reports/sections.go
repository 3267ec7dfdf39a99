package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/result"
)

// sections returns the requested tables, in their usual order.
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

// captioned returns a table with lines below it; without rows, only the lines.
func captioned(t *table, lines ...line) []part { return filled(part{table: t}, part{lines: lines}) }

// owned holds things of several configurations or files.
type owned[T any] struct {
	things []T
	owners []string // of each thing
}

func (o *owned[T]) add(owner string, things ...T) {
	o.things = append(o.things, things...)
	o.owners = append(o.owners, slices.Repeat([]string{owner}, len(things))...)
}

// owner returns the header above the names of configurations; "" if there is only one.
func owner(r *result.Result) string {
	if len(r.Configurations) < 2 {
		return ""
	}
	return "configuration"
}

// tabulateOwned makes a table that begins with the owners, unless their header is "".
func tabulateOwned[T any](title, header string, rows owned[T], figures ...figure[T]) *table {
	t := tabulate(plain(title), figures, rows.things)
	if header != "" {
		t.columns = slices.Insert(t.columns, 0, column{header: plain(header)})
		for i, owner := range rows.owners {
			t.rows[i] = slices.Insert(t.rows[i], 0, quoted(owner))
		}
	}
	return t
}

// byCategory returns the table of correct queries by category.
func byCategory(r *result.Result) []part {
	if len(r.Dataset.Categories) == 0 {
		return nil
	}
	var rows owned[result.Configuration]
	for _, c := range r.Configurations {
		rows.add(c.Name, c)
	}
	figures := categories(r.Dataset.Categories, func(c result.Configuration) result.Configuration { return c })
	return captioned(tabulateOwned("Correct by category", owner(r), rows, figures...))
}

// rubric returns the table of the rubric's answers about the traces, by question.
func rubric(r *result.Result) []part {
	type item = result.RubricItem
	var rows owned[item]
	var lines []line
	for _, c := range r.Configurations {
		if s := c.Judge.RubricScore; s != nil {
			lines = append(lines, say(quoted(c.Name), plain(": "+percent(s)+" of the points hold, by their weights")))
		}
		rows.add(c.Name, c.Judge.Rubric...)
	}
	return captioned(tabulateOwned("Rubric: queries whose trace has it", owner(r), rows,
		words("", "point", func(i item) string { return i.Item }),
		count("holds", func(i item) string { return strconv.Itoa(i.Holds) + "/" + strconv.Itoa(i.Holds+i.Not) }),
		count("rate", func(i item) string { return percent(i.Rate) }),
		count("unscored", func(i item) string { return strconv.Itoa(i.Unscored) }),
	), lines...)
}

// effortIn holds the effort of a configuration's correct traces in one category, or in all.
type effortIn struct {
	result.Effort
	category line
}

// steps returns the table of the effort of correct traces, compared with the least effort that any of them
// needed.
func steps(r *result.Result) []part {
	var rows owned[effortIn]
	for _, c := range r.Configurations {
		rows.add(c.Name, effortIn{c.Efficiency.Effort, plain("all")})
		for _, category := range r.Dataset.Categories {
			if e, is := c.Efficiency.ByCategory[category]; is {
				rows.add(c.Name, effortIn{e, quoted(category)})
			}
		}
	}
	whose := ""
	if len(r.Runs) > 0 {
		whose = " in the same run"
	}
	return captioned(tabulateOwned("Effort of correct traces, against the fewest that any correct trace of the query "+
		"took"+whose, owner(r), rows,
		word("category", func(e effortIn) line { return e.category }),
		count("solved by\nsome trace", func(e effortIn) string { return strconv.Itoa(e.SolvedQueries) }),
		count("steps", func(e effortIn) string { return tenths(e.Steps) }),
		count("fewest", func(e effortIn) string { return tenths(e.FewestSteps) }),
		count("waste", func(e effortIn) string { return percent(e.StepWaste) }),
		count("tool\ncalls", func(e effortIn) string { return tenths(e.ToolCalls) }).leaving(1),
		count("fewest", func(e effortIn) string { return tenths(e.FewestToolCalls) }).leaving(1),
		count("waste", func(e effortIn) string { return percent(e.ToolCallWaste) }).leaving(1),
		count("asked for,\nall traces", func(e effortIn) string { return strconv.Itoa(e.Actions) }).leaving(2),
		count("repeated", func(e effortIn) string { return strconv.Itoa(e.Repeated) }).leaving(2),
	))
}

// confidence returns the table of how often an agreement is right, and of the risk in answering only from that
// agreement on.
func confidence(r *result.Result) []part {
	type level = result.ConfidenceLevel
	var rows owned[level]
	var lines []line
	for _, c := range r.Configurations {
		about := say(quoted(c.Name), plain(": "))
		f := c.Confidence
		if f == nil {
			lines = append(lines, say(about, plain(noConfidence(c))))
			continue
		}
		rows.add(c.Name, f.Levels...)
		left := ""
		if f.Unscored > 0 {
			left = "; " + strconv.Itoa(f.Unscored) + " unscored left out"
		}
		lines = append(lines, say(about, plain("ECE "+decimal(&f.ECE, 3)+", Brier "+decimal(&f.Brier, 3)+", AUROC "+
			decimal(f.AUROC, 3)+
			", AURC "+decimal(&f.AURC, 3)+" ("+decimal(&f.ExcessAURC, 3)+" above the best order), AUGRC "+
			decimal(&f.AUGRC, 3)+left)))
	}
	return captioned(tabulateOwned("Agreement as confidence: risk is the share of wrong answers from that agreement on",
		owner(r), rows,
		count("agreement", func(l level) string { return decimal(&l.Agreement, 2) }),
		count("correct", func(l level) string { return strconv.Itoa(l.Correct) + "/" + strconv.Itoa(l.Queries) }),
		count("accuracy [95 %]", func(l level) string { return within(l.Accuracy.Value, &l.Accuracy.CI, l.Queries) }),
		count("coverage", func(l level) string { return percent(&l.Coverage) }),
		count("risk", func(l level) string { return percent(&l.Risk) }),
	), lines...)
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

// kCurves returns the table of the figures for every k, and of the gain of K traces over one.
func kCurves(r *result.Result) []part {
	type point = result.KPoint
	var points owned[point]
	var lines []line
	for _, c := range r.Configurations {
		about := say(quoted(c.Name), plain(": "))
		if c.KCurve == nil {
			lines = append(lines, say(about, plain("no K curve: "), blend(cmp.Or(c.NoKCurve, undefined))))
			continue
		}
		points.add(c.Name, c.KCurve.Points...)
		if c.KCurve.Gain != nil {
			lines = append(lines, say(about, plain(gain(c.K, *c.KCurve.Gain,
				c.KCurve.Gain.Queries < c.Counts.Queries))))
		}
	}
	// Points that dropped different numbers of queries are about different queries.
	dropped := slices.ContainsFunc(points.things, func(p point) bool { return p.Accuracy.Dropped > 0 })
	over := func(p point) string {
		if !dropped {
			return ""
		}
		return strconv.Itoa(p.Accuracy.Queries)
	}
	n := func(p point) int { return p.Accuracy.Queries }
	return captioned(tabulateOwned("K curve: the mean over all subsets of k traces; effort is per query",
		owner(r), points,
		count("k", func(p point) string { return strconv.Itoa(p.K) }),
		measure("queries", over),
		count("accuracy [95 %]", func(p point) string {
			return defined(p.Accuracy.Value, func(x float64) string { return within(x, p.Accuracy.CI, n(p)) })
		}),
		measure("unanimous", func(p point) string { return percentOf(p.Unanimous, n(p)) }).leaving(4),
		measure("correct if\nunanimous", func(p point) string {
			return percentOf(p.AccuracyIfUnanimous,
				n(p))
		}).leaving(4),
		measure("pass@k", func(p point) string { return percentOf(p.PassAtK, n(p)) }).leaving(3),
		measure("pass^k", func(p point) string { return percentOf(p.PassHatK, n(p)) }).leaving(3),
		count("calls", func(p point) string { return decimal(&p.ModelCalls, 1) }),
		count("tokens", func(p point) string { return thousands(int(math.Round(p.Tokens))) }).leaving(2),
		measure("cost", func(p point) string { return dollars(p.USD) }).leaving(2),
	), lines...)
}

// gain describes the gain of K traces over one, for some queries or for all.
func gain(k int, g result.KGain, some bool) string {
	text := fmt.Sprintf("K=%d against K=1: %s points", k, points(g.Difference))
	if some {
		text = fmt.Sprintf("K=%d against K=1 on the %d queries with all their traces: %s points", k, g.Queries,
			points(g.Difference))
	}
	if g.CI != nil {
		text += fmt.Sprintf(" (%s … %s)", points(g.CI.Low), points(g.CI.High))
	}
	return text + ", p " + pValue(&g.P)
}

// flips returns the table of the queries whose verdict changed. They show the effect of a change.
func flips(r *result.Result) []part {
	type flip = result.Flip
	var rows owned[flip]
	var lines []line
	for _, c := range r.Comparisons {
		rows.add(c.Configuration, c.Flips...)
		if c.Losses != nil && c.Gains != nil {
			lines = append(lines, say(quoted(c.Configuration),
				plain(fmt.Sprintf(": %d lost, %d gained against ", *c.Losses, *c.Gains)), quoted(c.Baseline)))
		}
	}
	out := captioned(tabulateOwned("Queries whose verdict is not the baseline's", owner(r), rows,
		word("query", func(f flip) line { return quoted(f.Query) }),
		word("category", func(f flip) line { return quoted(f.Category) }).leaving(2),
		word("flip", turn),
		word("baseline's answer", func(f flip) line { return quoted(f.Baseline) }).atMost(maxAnswer),
		word("its answer", func(f flip) line { return quoted(f.Configuration) }).atMost(maxAnswer),
		word("reason", func(f flip) line { return quoted(f.Reason) }).atMost(maxReason).leaving(3),
	), lines...)
	return append(out, wayFlips(r)...)
}

// turn describes the direction of a flip. One side is right; the other may have no verdict.
func turn(f result.Flip) line {
	l := gained(f.Gain)
	if f.Unscored {
		l = say(l, plain(" (unscored)"))
	}
	return l
}

func gained(is bool) line {
	if is {
		return plain("gained").in(good)
	}
	return plain("lost").in(bad)
}

// wayFlips returns the table of the traces that reach the same answer by different tool calls.
func wayFlips(r *result.Result) []part {
	type flip = result.WayFlip
	var rows owned[flip]
	for _, c := range r.Comparisons {
		rows.add(c.Configuration, c.WayFlips...)
	}
	return captioned(tabulateOwned("Traces with the baseline's answer, of which only one side made the expected tool "+
		"calls", owner(r), rows,
		word("query", func(f flip) line { return quoted(f.Query) }),
		count("trace", func(f flip) string { return strconv.Itoa(f.Trace) }),
		word("right calls", func(f flip) line { return gained(f.Gain) }),
		word("answer", func(f flip) line { return quoted(f.Answer) }).atMost(maxAnswer),
		word("reason", func(f flip) line { return quoted(f.Reason) }).atMost(maxReason).leaving(3),
	))
}
