package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// sections returns the table of the rubric, if there is one, that of tools for an ablation of tools, and the requested
// tables, in their usual order.
func sections(r *result.Result, show Sections) []document.Section {
	var out []document.Section
	for _, s := range []struct {
		shown bool
		build func(*result.Result) []document.Section
	}{
		{true, rubric},
		{show.ByCategory, byCategory},
		{show.Flips, flips},
		{show.KCurve, kCurves},
		{show.ToolUse || showsTools(r), toolUse},
		{show.Steps, effortOfCorrect},
		{show.Confidence, confidence},
	} {
		if s.shown {
			out = append(out, s.build(r)...)
		}
	}
	return out
}

// ownedRows holds rows of several configurations or files.
type ownedRows[T any] struct {
	rows   []T
	owners []string // the configuration or file of each row
}

func (o *ownedRows[T]) add(owner string, things ...T) {
	o.rows = append(o.rows, things...)
	o.owners = append(o.owners, slices.Repeat([]string{owner}, len(things))...)
}

// owner returns the header of the column with the configurations' names; "" if there is only one configuration.
func owner(r *result.Result) string {
	if len(r.Configurations) < 2 {
		return ""
	}
	return "configuration"
}

// tabulateOwned makes a table whose first column names the owners; without that column if header is "".
func tabulateOwned[T any](title, header string, rows ownedRows[T], columns []document.Column[T]) *document.Table {
	t := document.Tabulate(document.Plain(title), columns, rows.rows)
	if header != "" {
		t.Columns = slices.Insert(t.Columns, 0, document.ColumnHead{Header: document.Plain(header)})
		for i, owner := range rows.owners {
			t.Rows[i] = slices.Insert(t.Rows[i], 0, document.Quoted(owner))
		}
	}
	return t
}

// byCategory returns the table of correct queries by category.
func byCategory(r *result.Result) []document.Section {
	if len(r.Dataset.Categories) == 0 {
		return nil
	}
	var rows ownedRows[result.Configuration]
	for _, c := range r.Configurations {
		rows.add(c.Name, c)
	}
	columns := categories(r.Dataset.Categories, func(c result.Configuration) result.Configuration { return c })
	return document.Captioned(tabulateOwned("Correct by category", owner(r), rows, columns))
}

// rubric returns the table of how many queries meet each question of the rubric.
func rubric(r *result.Result) []document.Section {
	type item = result.RubricItem
	var rows ownedRows[item]
	var lines []document.RichText
	for _, c := range r.Configurations {
		if s := c.Judge.RubricScore; s != nil {
			lines = append(
				lines,
				document.Concat(
					document.Quoted(c.Name),
					document.Plain(": "+figures.Percent(s)+" of the points are met, by their weights"),
				),
			)
		}
		rows.add(c.Name, c.Judge.Rubric...)
	}
	const title = "Rubric: queries whose trace meets it"
	return document.Captioned(tabulateOwned(title, owner(r), rows, []document.Column[item]{
		{Header: "point", Text: func(i item) document.RichText { return document.Quoted(i.Item) }, When: document.IfFilled},
		{
			Header: "holds",
			Show:   func(i item) string { return strconv.Itoa(i.Holds) + "/" + strconv.Itoa(i.Holds+i.Not) },
		},
		{Header: "rate", Show: func(i item) string { return figures.Percent(i.Rate) }},
		{Header: "unscored", Show: func(i item) string { return strconv.Itoa(i.Unscored) }},
	}), lines...)
}

// effortIn is one row: the effort of a configuration's correct traces in one category, or in all categories.
type effortIn struct {
	result.Effort
	category document.RichText
}

// effortOfCorrect returns the table of the effort of correct traces, compared with the least effort of any
// correct trace of the query.
func effortOfCorrect(r *result.Result) []document.Section {
	var rows ownedRows[effortIn]
	for _, c := range r.Configurations {
		rows.add(c.Name, effortIn{c.Efficiency.Effort, document.Plain("all")})
		for _, category := range r.Dataset.Categories {
			if e, is := c.Efficiency.ByCategory[category]; is {
				rows.add(c.Name, effortIn{e, document.Quoted(category)})
			}
		}
	}
	whose := ""
	if len(r.Runs) > 0 {
		whose = " in the same run"
	}
	return document.Captioned(
		tabulateOwned("Effort of correct traces, compared with the least effort of a correct trace of the same "+
			"query"+whose, owner(r), rows, []document.Column[effortIn]{
			{Header: "category", Text: func(e effortIn) document.RichText { return e.category }},
			{Header: "solved by\nsome trace", Show: func(e effortIn) string { return strconv.Itoa(e.SolvedQueries) }},
			{Header: "steps", Show: func(e effortIn) string { return figures.Tenths(e.Steps) }},
			{Header: "fewest", Show: func(e effortIn) string { return figures.Tenths(e.FewestSteps) }},
			{Header: "waste", Show: func(e effortIn) string { return figures.Percent(e.StepWaste) }},
			{Header: "tool\ncalls", Show: func(e effortIn) string { return figures.Tenths(e.ToolCalls) }, Leaves: 1},
			{Header: "fewest", Show: func(e effortIn) string { return figures.Tenths(e.FewestToolCalls) }, Leaves: 1},
			{Header: "waste", Show: func(e effortIn) string { return figures.Percent(e.ToolCallWaste) }, Leaves: 1},
			{Header: "asked for,\nall traces", Leaves: 2, Show: func(e effortIn) string { return strconv.Itoa(e.Actions) }},
			{Header: "repeated", Show: func(e effortIn) string { return strconv.Itoa(e.Repeated) }, Leaves: 2},
		}),
	)
}

// confidence returns the table of how often agreeing answers are right, and of the risk of wrong answers if
// only queries with at least that agreement are answered.
func confidence(r *result.Result) []document.Section {
	type level = result.ConfidenceLevel
	var rows ownedRows[level]
	var lines []document.RichText
	for _, c := range r.Configurations {
		about := document.Concat(document.Quoted(c.Name), document.Plain(": "))
		f := c.Confidence
		if f == nil {
			lines = append(lines, document.Concat(about, document.Plain(noConfidence(c))))
			continue
		}
		rows.add(c.Name, f.Levels...)
		left := ""
		if f.Unscored > 0 {
			left = "; " + strconv.Itoa(f.Unscored) + " unscored left out"
		}
		lines = append(
			lines,
			document.Concat(
				about,
				document.Plain("ECE "+figures.Decimal(&f.ECE, 3)+", Brier "+figures.Decimal(&f.Brier, 3)+", AUROC "+
					figures.Decimal(f.AUROC, 3)+
					", AURC "+figures.Decimal(&f.AURC, 3)+" ("+figures.Decimal(&f.ExcessAURC, 3)+" above the best order), AUGRC "+
					figures.Decimal(&f.AUGRC, 3)+left),
			),
		)
	}
	return append(document.Captioned(
		tabulateOwned("Agreement as confidence: risk is the share of wrong answers from that agreement on",
			owner(r), rows, []document.Column[level]{
				{Header: "agreement", Show: func(l level) string { return figures.Decimal(&l.Agreement, 2) }},
				{
					Header: "correct",
					Show:   func(l level) string { return strconv.Itoa(l.Correct) + "/" + strconv.Itoa(l.Queries) },
				},
				{
					Header: "accuracy [95 %]",
					Show:   func(l level) string { return within(l.Accuracy.Value, l.Accuracy.CI, l.Queries) },
				},
				{Header: "coverage", Show: func(l level) string { return figures.Percent(&l.Coverage) }},
				{Header: "risk", Show: func(l level) string { return figures.Percent(&l.Risk) }},
			}),
		lines...), stated(r)...)
}

func noConfidence(c result.Configuration) string {
	switch {
	case c.K == 1:
		return "there is only one trace"
	case c.Counts.Missing == 0 && c.Counts.Unscored == c.Counts.Queries:
		return "no query is scored"
	}
	return "agreement is not measured on an incomplete run"
}

// kCurves returns the table of the figures for every k, with lines on the gain of K traces over one.
func kCurves(r *result.Result) []document.Section {
	type point = result.KPoint
	var points ownedRows[point]
	var lines []document.RichText
	for _, c := range r.Configurations {
		about := document.Concat(document.Quoted(c.Name), document.Plain(": "))
		if c.KCurve == nil {
			lines = append(
				lines,
				document.Concat(about, document.Plain("no K curve: "), document.Mixed(cmp.Or(c.NoKCurve, document.Undefined))),
			)
			continue
		}
		points.add(c.Name, c.KCurve.Points...)
		if c.KCurve.Gain != nil {
			lines = append(lines, document.Concat(about, document.Plain(describeGain(c.K, *c.KCurve.Gain,
				c.KCurve.Gain.Queries < c.Counts.Queries))))
		}
	}
	// Points that left out different numbers of queries are means over different queries.
	dropped := slices.ContainsFunc(points.rows, func(p point) bool { return p.Accuracy.Dropped > 0 })
	over := func(p point) string {
		if !dropped {
			return ""
		}
		return strconv.Itoa(p.Accuracy.Queries)
	}
	n := func(p point) int { return p.Accuracy.Queries }
	return document.Captioned(tabulateOwned("K curve: the mean over all subsets of k traces; effort is per query",
		owner(r), points, []document.Column[point]{
			{Header: "k", Show: func(p point) string { return strconv.Itoa(p.K) }},
			{Header: "queries", Show: over, When: document.IfFilled},
			{
				Header: "accuracy [95 %]",
				Show: func(p point) string {
					return document.FormatDefined(p.Accuracy.Value, func(x float64) string { return within(x, p.Accuracy.CI, n(p)) })
				},
			},
			{
				Header: "unanimous", When: document.IfFilled, Leaves: 4,
				Show: func(p point) string { return figures.PercentOf(p.Unanimous, n(p)) },
			},
			{
				Header: "correct if\nunanimous", When: document.IfFilled, Leaves: 4,
				Show: func(p point) string {
					return figures.PercentOf(p.AccuracyIfUnanimous,
						n(p))
				},
			},
			{
				Header: "pass@k", When: document.IfFilled, Leaves: 3,
				Show: func(p point) string { return figures.PercentOf(p.PassAtK, n(p)) },
			},
			{
				Header: "pass^k", When: document.IfFilled, Leaves: 3,
				Show: func(p point) string { return figures.PercentOf(p.PassHatK, n(p)) },
			},
			{Header: "calls", Show: func(p point) string { return figures.Decimal(&p.ModelCalls, 1) }},
			{Header: "tokens", Show: func(p point) string { return figures.Thousands(int(math.Round(p.Tokens))) }, Leaves: 2},
			{Header: "cost", Show: func(p point) string { return figures.Dollars(p.USD) }, When: document.IfFilled, Leaves: 2},
		}), lines...)
}

// describeGain describes the gain of K traces over one trace, for some queries or for all.
func describeGain(k int, g result.KGain, some bool) string {
	text := fmt.Sprintf("K=%d against K=1: %s points", k, figures.Points(g.Difference))
	if some {
		text = fmt.Sprintf("K=%d compared with K=1 on the %d queries with all their traces: %s points", k, g.Queries,
			figures.Points(g.Difference))
	}
	if g.CI != nil {
		text += fmt.Sprintf(" (%s … %s)", figures.Points(g.CI.Low), figures.Points(g.CI.High))
	}
	if g.P == nil {
		return text + ", no p: the clusters are too few or too unequal"
	}
	return text + ", p " + figures.PValue(g.P)
}

// flips returns the table of the queries whose verdict differs from the baseline's.
func flips(r *result.Result) []document.Section {
	type flip = result.Flip
	var rows ownedRows[flip]
	var lines []document.RichText
	for _, c := range r.Comparisons {
		rows.add(c.Configuration, c.Flips...)
		if c.Losses != nil && c.Gains != nil {
			lines = append(lines, document.Concat(document.Quoted(c.Configuration),
				document.Plain(fmt.Sprintf(": %d lost, %d gained against ", *c.Losses, *c.Gains)), document.Quoted(c.Baseline)))
		}
	}
	out := document.Captioned(
		tabulateOwned("Queries with another verdict than in the baseline", owner(r), rows, []document.Column[flip]{
			{Header: "query", Text: func(f flip) document.RichText { return document.Quoted(f.Query) }},
			{Header: "category", Text: func(f flip) document.RichText { return document.Quoted(f.Category) }, Leaves: 2},
			{Header: "flip", Text: flipDirection},
			{
				Header: "baseline's answer",
				Text:   func(f flip) document.RichText { return document.Quoted(f.Baseline) },
				Most:   document.MaxAnswer,
			},
			{
				Header: "its answer",
				Text:   func(f flip) document.RichText { return document.Quoted(f.Configuration) },
				Most:   document.MaxAnswer,
			},
			{
				Header: "reason",
				Text:   func(f flip) document.RichText { return document.Quoted(f.Reason) },
				Most:   document.MaxReason,
				Leaves: 3,
			},
		}),
		lines...)
	return append(out, wayFlips(r)...)
}

// flipDirection describes the direction of a flip: which side is right. The other side is wrong or has no
// verdict.
func flipDirection(f result.Flip) document.RichText {
	l := gainOrLoss(f.Gain)
	if f.Unscored {
		l = document.Concat(l, document.Plain(" (unscored)"))
	}
	return l
}

func gainOrLoss(is bool) document.RichText {
	if is {
		return document.Plain("gained").Toned(document.Good)
	}
	return document.Plain("lost").Toned(document.Bad)
}

// wayFlips returns the table of the traces that have the baseline's answer, but other tool calls than the
// baseline.
func wayFlips(r *result.Result) []document.Section {
	type flip = result.WayFlip
	var rows ownedRows[flip]
	for _, c := range r.Comparisons {
		rows.add(c.Configuration, c.WayFlips...)
	}
	return document.Captioned(
		tabulateOwned("Traces with the baseline's answer, where only one side made the expected tool "+
			"calls", owner(r), rows, []document.Column[flip]{
			{Header: "query", Text: func(f flip) document.RichText { return document.Quoted(f.Query) }},
			{Header: "trace", Show: func(f flip) string { return strconv.Itoa(f.Trace) }},
			{Header: "right calls", Text: func(f flip) document.RichText { return gainOrLoss(f.Gain) }},
			{
				Header: "answer",
				Text:   func(f flip) document.RichText { return document.Quoted(f.Answer) },
				Most:   document.MaxAnswer,
			},
			{
				Header: "reason",
				Text:   func(f flip) document.RichText { return document.Quoted(f.Reason) },
				Most:   document.MaxReason,
				Leaves: 3,
			},
		}),
	)
}
