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
func tabulateOwned[T any](title, header string, rows owned[T], columns []Column[T]) *table {
	t := tabulate(plain(title), columns, rows.things)
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
	columns := categories(r.Dataset.Categories, func(c result.Configuration) result.Configuration { return c })
	return captioned(tabulateOwned("Correct by category", owner(r), rows, columns))
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
	return captioned(tabulateOwned("Rubric: queries whose trace has it", owner(r), rows, []Column[item]{
		{Header: "point", Text: func(i item) line { return quoted(i.Item) }, When: ifFilled},
		{
			Header: "holds",
			Show:   func(i item) string { return strconv.Itoa(i.Holds) + "/" + strconv.Itoa(i.Holds+i.Not) },
		},
		{Header: "rate", Show: func(i item) string { return percent(i.Rate) }},
		{Header: "unscored", Show: func(i item) string { return strconv.Itoa(i.Unscored) }},
	}), lines...)
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
		"took"+whose, owner(r), rows, []Column[effortIn]{
		{Header: "category", Text: func(e effortIn) line { return e.category }},
		{Header: "solved by\nsome trace", Show: func(e effortIn) string { return strconv.Itoa(e.SolvedQueries) }},
		{Header: "steps", Show: func(e effortIn) string { return tenths(e.Steps) }},
		{Header: "fewest", Show: func(e effortIn) string { return tenths(e.FewestSteps) }},
		{Header: "waste", Show: func(e effortIn) string { return percent(e.StepWaste) }},
		{Header: "tool\ncalls", Show: func(e effortIn) string { return tenths(e.ToolCalls) }, Leaves: 1},
		{Header: "fewest", Show: func(e effortIn) string { return tenths(e.FewestToolCalls) }, Leaves: 1},
		{Header: "waste", Show: func(e effortIn) string { return percent(e.ToolCallWaste) }, Leaves: 1},
		{Header: "asked for,\nall traces", Leaves: 2, Show: func(e effortIn) string { return strconv.Itoa(e.Actions) }},
		{Header: "repeated", Show: func(e effortIn) string { return strconv.Itoa(e.Repeated) }, Leaves: 2},
	}))
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
	return append(captioned(tabulateOwned(
		"Agreement as confidence: risk is the share of wrong answers from that agreement on", owner(r), rows, []Column[level]{
			{Header: "agreement", Show: func(l level) string { return decimal(&l.Agreement, 2) }},
			{
				Header: "correct",
				Show:   func(l level) string { return strconv.Itoa(l.Correct) + "/" + strconv.Itoa(l.Queries) },
			},
			{
				Header: "accuracy [95 %]",
				Show:   func(l level) string { return within(l.Accuracy.Value, &l.Accuracy.CI, l.Queries) },
			},
			{Header: "coverage", Show: func(l level) string { return percent(&l.Coverage) }},
			{Header: "risk", Show: func(l level) string { return percent(&l.Risk) }},
		}), lines...), stated(r)...)
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
		owner(r), points, []Column[point]{
			{Header: "k", Show: func(p point) string { return strconv.Itoa(p.K) }},
			{Header: "queries", Show: over, When: ifFilled},
			{
				Header: "accuracy [95 %]",
				Show: func(p point) string {
					return defined(p.Accuracy.Value, func(x float64) string { return within(x, p.Accuracy.CI, n(p)) })
				},
			},
			{
				Header: "unanimous", When: ifFilled, Leaves: 4,
				Show: func(p point) string { return percentOf(p.Unanimous, n(p)) },
			},
			{
				Header: "correct if\nunanimous", When: ifFilled, Leaves: 4,
				Show: func(p point) string {
					return percentOf(p.AccuracyIfUnanimous,
						n(p))
				},
			},
			{
				Header: "pass@k", When: ifFilled, Leaves: 3,
				Show: func(p point) string { return percentOf(p.PassAtK, n(p)) },
			},
			{
				Header: "pass^k", When: ifFilled, Leaves: 3,
				Show: func(p point) string { return percentOf(p.PassHatK, n(p)) },
			},
			{Header: "calls", Show: func(p point) string { return decimal(&p.ModelCalls, 1) }},
			{Header: "tokens", Show: func(p point) string { return thousands(int(math.Round(p.Tokens))) }, Leaves: 2},
			{Header: "cost", Show: func(p point) string { return dollars(p.USD) }, When: ifFilled, Leaves: 2},
		}), lines...)
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
	out := captioned(tabulateOwned("Queries whose verdict is not the baseline's", owner(r), rows, []Column[flip]{
		{Header: "query", Text: func(f flip) line { return quoted(f.Query) }},
		{Header: "category", Text: func(f flip) line { return quoted(f.Category) }, Leaves: 2},
		{Header: "flip", Text: turn},
		{Header: "baseline's answer", Text: func(f flip) line { return quoted(f.Baseline) }, Most: maxAnswer},
		{Header: "its answer", Text: func(f flip) line { return quoted(f.Configuration) }, Most: maxAnswer},
		{Header: "reason", Text: func(f flip) line { return quoted(f.Reason) }, Most: maxReason, Leaves: 3},
	}), lines...)
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
		"calls", owner(r), rows, []Column[flip]{
		{Header: "query", Text: func(f flip) line { return quoted(f.Query) }},
		{Header: "trace", Show: func(f flip) string { return strconv.Itoa(f.Trace) }},
		{Header: "right calls", Text: func(f flip) line { return gained(f.Gain) }},
		{Header: "answer", Text: func(f flip) line { return quoted(f.Answer) }, Most: maxAnswer},
		{Header: "reason", Text: func(f flip) line { return quoted(f.Reason) }, Most: maxReason, Leaves: 3},
	}))
}
