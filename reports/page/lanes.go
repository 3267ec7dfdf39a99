package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/store"
)

// laneHeight is the height of one configuration's lane: its name, with its data beneath.
const laneHeight pixels = 46

// lanes begins a plot with n lanes, with space for the labels of the axis.
func lanes(id, title string, n int) figure {
	return figure{ID: id, Title: title, Width: plotWidth, Height: pixels(n)*laneHeight + 22}
}

// lane writes a configuration's letter, name and value at the top of its lane, and returns the height at which
// to draw.
func (f *figure) lane(i int, r configRow, value string) pixels {
	top := pixels(i) * laneHeight
	f.text("letter", plotLeft, top+14, r.Letter)
	f.text("", plotLeft+18, top+14, text.Clip(r.Name, 34))
	f.text("end", plotRight, top+14, value)
	return top + 28
}

// passRates plots the pass rate of every configuration with its interval.
func passRates(rows []configRow) figure {
	f := lanes("rates", "Pass rates", len(rows))
	by := ""
	if slices.ContainsFunc(rows, func(r configRow) bool { return r.Clustered != nil }) {
		by = ", by clusters"
	}
	method := "Wilson" + by
	if slices.ContainsFunc(rows, func(r configRow) bool { return r.Corrected != nil }) {
		method = "of right answers, with the judge's errors"
	}
	f.Lead = "Bar: 95 % interval (" + method + "). Dashed, without a point: all possible rates, if queries are unscored."
	f.Numbers = table{Caption: "Pass rates", Head: slices.Concat([]string{"configuration"}, heads(rows),
		[]string{"95 %"})}
	s := scale{0, 1, plotLeft, plotRight}
	bottom := pixels(len(rows)) * laneHeight
	for _, x := range quarters {
		f.line("axis", s.at(x), 0, s.at(x), bottom)
	}
	for i, r := range rows {
		rate, ci := passRate(r.Configuration)
		y := f.lane(i, r, rate)
		switch {
		case r.Counts.Unscored > 0 && r.Bounds != nil:
			f.line("bounds", s.at(r.Bounds[0]), y, s.at(r.Bounds[1]), y)
		case r.PassRate != nil && r.CI != nil:
			f.line("bar", s.at(r.CI.Low), y, s.at(r.CI.High), y)
			f.dot("point", s.at(*r.PassRate), y, 5)
		}
		f.Numbers.Rows = append(f.Numbers.Rows, []string{r.label(),
			fmt.Sprintf("%d of %d", r.Counts.Correct, r.Counts.Queries), rate, ci})
	}
	f.below(s, bottom, quarters, share)
	f.Description = describe(f.Numbers, 2)
	return f
}

// differences plots the gain or loss of every configuration against its baseline.
func differences(rows []configRow) figure {
	var shown []configRow
	most := .1
	for _, r := range rows {
		if a := r.against; a != nil && a.Difference != nil && !a.Unsized {
			shown = append(shown, r)
			most = max(most, math.Abs(*a.Difference))
			if a.CI != nil {
				most = max(most, math.Abs(a.CI.Low), math.Abs(a.CI.High))
			}
		}
	}
	if len(shown) == 0 {
		return figure{}
	}
	f := lanes("differences", "Differences from the baseline", len(shown))
	f.Lead = fmt.Sprintf("Percentage points with their 95 %% interval. Triangle up: shown to be better, down: "+
		"worse, after adjustment. Hollow: not shown either way. Grey band: within ±%.0f points, as good as equal.",
		shown[0].against.Margin*100)
	f.Numbers = table{Caption: "Differences from the baseline",
		Head: []string{"configuration", "points", "low", "high", "p, adjusted", "losses", "gains", "shown"}}
	most = math.Ceil(most*10) / 10
	s := scale{-most, most, plotLeft, plotRight}
	bottom := pixels(len(shown)) * laneHeight
	margin := min(shown[0].against.Margin, most)
	f.rect("margin", s.at(-margin), 0, s.at(margin)-s.at(-margin), bottom)
	f.line("reference", s.at(0), 0, s.at(0), bottom)
	for i, r := range shown {
		a := r.against
		y := f.lane(i, r, points(*a.Difference))
		cells := []string{r.label(), points(*a.Difference), undefined, undefined, undefined}
		cells = append(cells, defined(a.Losses, strconv.Itoa), defined(a.Gains, strconv.Itoa), describeCall(a))
		if a.CI != nil {
			f.line("bar", s.at(a.CI.Low), y, s.at(a.CI.High), y)
			cells[2], cells[3] = pointEnds(a.CI)
		}
		if a.PHolm != nil {
			cells[4] = fmt.Sprintf("%.3f", *a.PHolm)
		}
		switch x := s.at(*a.Difference); a.Call {
		case result.Better:
			f.path("better", [][2]pixels{{x - 6, y + 5}, {x, y - 6}, {x + 6, y + 5}, {x - 6, y + 5}})
		case result.Worse:
			f.path("worse", [][2]pixels{{x - 6, y - 5}, {x, y + 6}, {x + 6, y - 5}, {x - 6, y - 5}})
		case result.Equivalent, result.NotWorse:
			f.dot("point", x, y, 5)
		default:
			f.dot("open", x, y, 5)
		}
		f.Numbers.Rows = append(f.Numbers.Rows, cells)
	}
	f.below(s, bottom, []float64{-most, 0, most}, points)
	f.Description = describe(f.Numbers, 1)
	return f
}

// maxBins is the maximum number of bars of a distribution.
const maxBins = 12

// spread plots a distribution for each configuration: the number of its values in each bar. whole means that
// the values are integers.
func spread(id, title, lead, unit string, rows []configRow, of func(store.Record) []float64, whole bool,
	format func(float64) string) figure {
	values := make([][]float64, len(rows))
	most := 0.0
	for i, r := range rows {
		for _, record := range r.records {
			values[i] = append(values[i], of(record)...)
		}
		slices.Sort(values[i])
		if n := len(values[i]); n > 0 {
			most = max(most, values[i][n-1])
		}
	}
	if most == 0 {
		return figure{}
	}
	f := lanes(id, title, len(rows))
	f.Lead = lead
	f.Numbers = table{Caption: title + ", " + unit,
		Head: []string{"configuration", "number", "least", "median", "95th of 100", "most"}}
	width := round(most / maxBins)
	if whole {
		width = max(1, math.Ceil((most+1)/maxBins))
	}
	last := int(most / width)
	s := scale{0, float64(last+1) * width, plotLeft, plotRight}
	for i, r := range rows {
		v := values[i]
		median := undefined
		cells := []string{r.label(), fmt.Sprint(len(v)), undefined, undefined, undefined, undefined}
		if n := len(v); n > 0 {
			median = format(v[(n-1)/2])
			cells[2], cells[3], cells[4], cells[5] = format(v[0]), median, format(v[int(math.Ceil(.95*float64(n)))-1]),
				format(v[n-1])
		}
		f.Numbers.Rows = append(f.Numbers.Rows, cells)
		y := f.lane(i, r, "median "+median) + 10
		counts := make([]int, last+1)
		for _, x := range v {
			counts[int(x/width)]++
		}
		f.line("axis", plotLeft, y, plotRight, y)
		for b, n := range counts {
			if n > 0 {
				height := max(1, 18*pixels(n)/pixels(slices.Max(counts)))
				left := s.at(float64(b) * width)
				f.rect("count", left+1, y-height, s.at(float64(b+1)*width)-left-2, height)
			}
		}
	}
	bottom := pixels(len(rows)) * laneHeight
	if whole && width == 1 {
		for b := range last + 1 {
			f.text("tick middle", s.at(float64(b)+.5), bottom+14, fmt.Sprint(b))
		}
	} else {
		f.below(s, bottom, []float64{0, s.to / 2, s.to}, format)
	}
	f.Description = "Medians. " + describe(f.Numbers, 3)
	return f
}

// steps plots the number of model turns of traces.
func steps(rows []configRow) figure {
	of := func(r store.Record) (steps []float64) {
		for _, a := range r.Answers {
			steps = append(steps, float64(a.Steps))
		}
		return steps
	}
	lead := "The number of traces, by the number of their model turns."
	return spread("steps", "Steps of a trace", lead, "model turns", rows, of, true, amount)
}

// costs plots the cost of queries.
func costs(rows []configRow) figure {
	p := priceOf(rows)
	of := func(r store.Record) []float64 { return []float64{p.of(r.Usage)} }
	unit, _, _ := strings.Cut(p.unit, " ") // tokens, or dollars
	lead := fmt.Sprintf("The number of queries, by their cost in %s, with verifier and judges.", unit)
	return spread("cost", "Cost of a query", lead, p.unit, rows, of, false, p.format)
}
