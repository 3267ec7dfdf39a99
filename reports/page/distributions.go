package page

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/runner/store"
)

// bins is the most that a distribution is divided into.
const bins = 12

// spread shows a distribution for each configuration: how many of its values lie where.
func spread(id, title, lead, unit string, rows []row, of func(store.Record) []float64, whole bool, format func(float64) string) (figure, bool) {
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
		return figure{}, false
	}
	f := lanes(id, title, len(rows))
	f.Lead = lead
	f.Numbers = table{Caption: title + ", " + unit, Head: []string{"configuration", "number", "least", "median", "95th of 100", "most"}}
	width := round(most / bins)
	if whole {
		width = max(1, math.Ceil((most+1)/bins))
	}
	last := int(most / width)
	s := scale{0, float64(last+1) * width, plotLeft, plotRight}
	for i, r := range rows {
		v := values[i]
		median := undefined
		cells := []string{r.label(), fmt.Sprint(len(v)), undefined, undefined, undefined, undefined}
		if n := len(v); n > 0 {
			median = format(v[(n-1)/2])
			cells[2], cells[3], cells[4], cells[5] = format(v[0]), median, format(v[int(math.Ceil(.95*float64(n)))-1]), format(v[n-1])
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
				height := max(1, 18*px(n)/px(slices.Max(counts)))
				left := s.at(float64(b) * width)
				f.rect("count", left+1, y-height, s.at(float64(b+1)*width)-left-2, height)
			}
		}
	}
	bottom := px(len(rows)) * laneHeight
	if whole && width == 1 {
		for b := range last + 1 {
			f.text("tick middle", s.at(float64(b)+.5), bottom+14, fmt.Sprint(b))
		}
	} else {
		f.below(s, bottom, []float64{0, s.to / 2, s.to}, format)
	}
	f.Description = "Medians. " + describe(f.Numbers, 3)
	return f, true
}

// distributions are those of steps and of cost.
func distributions(rows []row) []figure {
	var out []figure
	if f, ok := spread("steps", "Steps of a trace", "How many traces took how many model turns.", "model turns", rows, func(r store.Record) []float64 {
		var steps []float64
		for _, a := range r.Answers {
			steps = append(steps, float64(a.Steps))
		}
		return steps
	}, true, amount); ok {
		out = append(out, f)
	}
	p := priceOf(rows)
	cost := func(r store.Record) []float64 { return []float64{p.of(r.Usage)} }
	if f, ok := spread("cost", "Cost of a query", "How many queries took how much, verifier and judges included.", p.unit, rows, cost, false, p.format); ok {
		out = append(out, f)
	}
	return out
}

// figures are all plots of which there is something to show, in their order.
func figures(rows []row) []figure {
	out := []figure{passRates(rows)}
	for _, plot := range []func([]row) (figure, bool){differences, efficiency, kCurves, agreement} {
		if f, ok := plot(rows); ok {
			out = append(out, f)
		}
	}
	return append(out, distributions(rows)...)
}
