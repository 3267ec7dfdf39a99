package page

import (
	"fmt"
	"math"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
)

// laneHeight is what one configuration takes of a plot that has a lane for each: its name, and
// beneath it what is drawn.
const laneHeight px = 46

// lanes begins a plot with a lane for each of so many rows, with room for ticks.
func lanes(id, title string, n int) figure {
	return figure{ID: id, Title: title, Width: plotWidth, Height: px(n)*laneHeight + 22}
}

// lane writes the letter and value above a lane, and returns its middle.
func (f *figure) lane(i int, r row, value string) px {
	top := px(i) * laneHeight
	f.text("letter", plotLeft, top+14, r.Letter)
	f.text("", plotLeft+18, top+14, text.Clip(r.Name, 34))
	f.text("end", plotRight, top+14, value)
	return top + 28
}

// passRates shows the pass rate of every configuration with its interval.
func passRates(rows []row) figure {
	f := lanes("rates", "Pass rates", len(rows))
	f.Lead = "Bar: 95 % interval (Wilson). Dashed, without a point: what lost queries leave open."
	f.Numbers = table{Caption: "Pass rates", Head: []string{"configuration", "right", "pass rate", "95 %"}}
	s := scale{0, 1, plotLeft, plotRight}
	bottom := px(len(rows)) * laneHeight
	for _, x := range quarters {
		f.line("axis", s.at(x), 0, s.at(x), bottom)
	}
	for i, r := range rows {
		rate, ci := passRate(r)
		y := f.lane(i, r, rate)
		switch {
		case r.Counts.Unscored > 0 && r.Bounds != nil:
			f.line("bounds", s.at(r.Bounds[0]), y, s.at(r.Bounds[1]), y)
		case r.PassRate != nil && r.CI != nil:
			f.line("bar", s.at(r.CI.Low), y, s.at(r.CI.High), y)
			f.dot("point", s.at(*r.PassRate), y, 5)
		}
		f.Numbers.Rows = append(f.Numbers.Rows, []string{r.label(), fmt.Sprintf("%d of %d", r.Counts.Correct, r.Counts.Queries), rate, ci})
	}
	f.below(s, bottom, quarters, share)
	f.Description = describe(f.Numbers, 2)
	return f
}

// differences shows what every configuration gains or loses against its baseline; ok is false
// where nothing is compared.
func differences(rows []row) (f figure, ok bool) {
	var shown []row
	most := .1
	for _, r := range rows {
		if a := r.against; a != nil && a.Difference != nil {
			shown = append(shown, r)
			most = max(most, math.Abs(*a.Difference))
			if a.CI != nil {
				most = max(most, math.Abs(a.CI.Low), math.Abs(a.CI.High))
			}
		}
	}
	if len(shown) == 0 {
		return figure{}, false
	}
	f = lanes("differences", "Differences from the baseline", len(shown))
	f.Lead = fmt.Sprintf("Percentage points with their 95 %% interval. Filled: shown to be better or worse, after adjustment. Hollow: not shown either way. Grey band: within ±%.0f points, as good as equal.", shown[0].against.Margin*100)
	f.Numbers = table{Caption: "Differences from the baseline", Head: []string{"configuration", "points", "low", "high", "p, adjusted", "losses", "gains", "shown"}}
	most = math.Ceil(most*10) / 10
	s := scale{-most, most, plotLeft, plotRight}
	bottom := px(len(shown)) * laneHeight
	margin := min(shown[0].against.Margin, most)
	f.rect("margin", s.at(-margin), 0, s.at(margin)-s.at(-margin), bottom)
	f.line("reference", s.at(0), 0, s.at(0), bottom)
	for i, r := range shown {
		a := r.against
		y := f.lane(i, r, points(*a.Difference))
		cells := []string{r.label(), points(*a.Difference), undefined, undefined, undefined, count(a.Losses), count(a.Gains), call(a)}
		if a.CI != nil {
			f.line("bar", s.at(a.CI.Low), y, s.at(a.CI.High), y)
			cells[2], cells[3] = points(a.CI.Low), points(a.CI.High)
		}
		if a.PHolm != nil {
			cells[4] = fmt.Sprintf("%.3f", *a.PHolm)
		}
		class := "open"
		switch a.Call {
		case result.Better, result.Worse:
			class = string(a.Call)
		case result.Equivalent:
			class = "point"
		}
		f.dot(class, s.at(*a.Difference), y, 5)
		f.Numbers.Rows = append(f.Numbers.Rows, cells)
	}
	f.below(s, bottom, []float64{-most, 0, most}, points)
	f.Description = describe(f.Numbers, 1)
	return f, true
}

func count(n *int) string {
	if n == nil {
		return undefined
	}
	return fmt.Sprint(*n)
}

// describe says the figures of one column in words.
func describe(t table, column int) string {
	out := ""
	for i, r := range t.Rows {
		if i > 0 {
			out += "; "
		}
		out += r[0] + ": " + r[column]
	}
	return out + "."
}
