package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/result"
)

// row is a configuration and how it compares.
type row struct {
	result.Configuration
	against  *result.Comparison // nil of the baseline, and where nothing is compared
	baseline bool
}

// compared is false where there are no figures to compare.
func (r row) compared() bool { return r.against != nil && r.against.Difference != nil }

func compared(rows []row) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !r.compared() })
}

func rowsOf(r *result.Result) []row {
	rows := make([]row, len(r.Configurations))
	for i, c := range r.Configurations {
		rows[i] = row{Configuration: c, baseline: c.Name == r.Baseline}
		for j, with := range r.Comparisons {
			if with.Configuration == c.Name && rows[i].against == nil {
				rows[i].against = &r.Comparisons[j]
			}
			rows[i].baseline = rows[i].baseline || with.Baseline == c.Name
		}
	}
	return rows
}

func configurationsOf(rows []row) []result.Configuration {
	out := make([]result.Configuration, len(rows))
	for i, r := range rows {
		out[i] = r.Configuration
	}
	return out
}

// several is the report of an ablation or a comparison: how right every configuration is
// and how that compares, what it took, and how to read it.
func several(r *result.Result, notes remarks) []part {
	rows := rowsOf(r)
	var parts []part
	if l := differing(rows); len(r.Runs) > 0 && len(l) > 0 { // of two runs, before any figure
		parts = append(parts, part{lines: l})
	}
	parts = append(parts, part{table: correctness(rows, notes)}, part{table: effort(rows, r.Configurations, notes)})
	if t := effortDifferences(rows); t != nil {
		parts = append(parts, part{table: t})
	}
	return append(parts, part{lines: slices.Concat(legend(r, rows), exceptions(r, rows), judges(r.Configurations, notes), shared(r), notes.lines(), warnings(r), versions(r), origins(r, rows))})
}

// origins say what the figures are of: an ablation, or two runs.
func origins(r *result.Result, rows []row) []line {
	var out []line
	for _, run := range r.Runs {
		out = append(out, say(quoted(run.Label), plain(": "), from(run.Dataset, run.Seed, run.Run)))
	}
	if len(out) > 0 {
		return out
	}
	l := origin(r)
	if r.Ablation != "" {
		l = say(plain("ablation "), quoted(r.Ablation), plain(": "), l)
	}
	if whole := sameTime(rows); whole != "" {
		l = say(l, plain(", took "+whole))
	}
	return []line{l}
}

// baselines are the names of those that others are held against.
func baselines(rows []row) []string {
	var names []string
	for _, r := range rows {
		if r.baseline {
			names = append(names, r.Name)
		}
	}
	return names
}

// alike reports whether all rows agree in something.
func alike[T comparable](rows []row, of func(row) T) bool {
	return !slices.ContainsFunc(rows, func(r row) bool { return of(r) != of(rows[0]) })
}

func correctness(rows []row, notes remarks) *table {
	var about []line // what all rows have in common stands above the table
	figures := []figure[row]{word("configuration", func(r row) line { return quoted(r.Name) })}
	if alike(rows, func(r row) string { return r.Model }) {
		about = append(about, say(plain("model "), notes.named(rows[0].Model)))
	} else {
		figures = slices.Insert(figures, 0, word("model", func(r row) line { return notes.named(r.Model) }))
	}
	if alike(rows, func(r row) int { return r.K }) {
		about = append(about, plain(fmt.Sprintf("K=%d", rows[0].K)))
	} else {
		figures = append(figures, count("K", func(r row) string { return strconv.Itoa(r.K) }))
	}
	if names := baselines(rows); len(names) == 1 {
		about = append(about, say(plain("baseline "), quoted(names[0])))
	}
	title := plain("Correctness")
	for i, a := range about {
		title = say(title, plain([]string{": ", ", "}[min(i, 1)]), a)
	}
	return tabulate(title, append(figures, right(rows)...), rows)
}

const holm = "Holm p"

// right are the columns on how often a configuration is right. One comparison alone has no
// p to adjust.
func right(rows []row) []figure[row] {
	figures := []figure[row]{
		count("correct", func(r row) string { return fraction(r.Counts) }),
		count(rateHeader(configurationsOf(rows)), func(r row) string { return passRate(r.Configuration) }),
		measure("Δ points [95 %]", difference),
		measure("p", pOf(func(c result.Comparison) *float64 { return c.P })),
		measure(holm, pOf(func(c result.Comparison) *float64 { return c.PHolm })),
		{header: plain("call"), optional: true, cell: func(r row) line { return plain(call(r)) }},
		measure("pass@K", func(r row) string { return share(r.Reliability.PassAtK) }),
		measure("pass^K", func(r row) string { return share(r.Reliability.PassHatK) }),
		measure("agreement", func(r row) string { return decimal(r.Consensus.MeanAgreement, 2) }),
		measure("correct if\nunanimous", ifUnanimous),
	}
	if len(compared(rows)) > 1 {
		return figures
	}
	return slices.DeleteFunc(figures, func(f figure[row]) bool { return f.header.String() == holm })
}

func pOf(p func(result.Comparison) *float64) func(row) string {
	return func(r row) string {
		if !r.compared() {
			return undefined
		}
		return pValue(p(*r.against))
	}
}

func difference(r row) string {
	if !r.compared() {
		return undefined
	}
	text := points(*r.against.Difference)
	if ci := r.against.CI; ci != nil {
		text += " " + between(ci)
	}
	return text
}

func ifUnanimous(r row) string {
	u := r.Reliability
	if u.Unanimous == nil || u.UnanimousCorrect == nil || u.AccuracyIfUnanimous == nil {
		return undefined
	}
	return fmt.Sprintf("%d/%d %s", *u.UnanimousCorrect, *u.Unanimous, percentOf(&u.AccuracyIfUnanimous.Value, *u.Unanimous))
}

// call is the word that a comparison ends in, with what it rests on.
func call(r row) string {
	switch c := r.against; {
	case c == nil && r.baseline:
		return "baseline"
	case c == nil:
		return undefined
	case c.Refused != nil:
		return "not compared"
	case c.Call == result.Equivalent:
		return fmt.Sprintf("equivalent (±%s)", wholePoints(c.Margin))
	case c.Call == result.Undetermined && r.compared():
		return fmt.Sprintf("undetermined (MDE %s)", mde(c.MDE))
	default:
		return orUndefined(string(c.Call))
	}
}

// mde is a minimum detectable effect in percentage points.
func mde(x *float64) string {
	if x == nil {
		return undefined
	}
	return fmt.Sprintf("%.0f", *x*100)
}

// wholePoints is a margin in percentage points, with decimals only if it was set so.
func wholePoints(x float64) string {
	return strconv.FormatFloat(math.Round(x*1e4)/100, 'f', -1, 64)
}
