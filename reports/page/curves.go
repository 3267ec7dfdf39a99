package page

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/runner/store"
)

// The edges of the area for data in a plot with two axes.
const (
	axisLeft   pixels = 44
	axisTop    pixels = 10
	axisBottom pixels = 220
)

func newPlot(id, title string) (figure, scale) {
	f := figure{ID: id, Title: title, Width: plotWidth, Height: axisBottom + 36}
	up := scale{0, 1, axisBottom, axisTop}
	for _, y := range quarters {
		f.line("axis", axisLeft, up.at(y), plotRight, up.at(y))
		f.text("tick end", axisLeft-6, up.at(y)+4, share(y))
	}
	return f, up
}

// price computes and formats the cost of a query. The cost is in dollars if all configurations have a price,
// and otherwise in tokens.
type price struct {
	unit   string
	of     func(store.Usage) float64
	format func(float64) string
}

func priceOf(rows []configRow) price {
	if slices.ContainsFunc(rows, func(r configRow) bool { return r.Usage.USD == nil }) {
		return price{"tokens a query", func(u store.Usage) float64 { return float64(u.InputTokens + u.OutputTokens) },
			amount}
	}
	return price{"dollars a query", func(u store.Usage) float64 {
		if u.USD == nil { // no model was called
			return 0
		}
		return *u.USD
	}, func(x float64) string { return "$" + amount(x) }}
}

// efficiency plots accuracy against the cost of a query. It marks the configurations for which no other one is
// both cheaper and better.
func efficiency(rows []configRow) figure {
	p := priceOf(rows)
	type spot struct {
		configRow
		cost  float64
		front bool
	}
	var spots []spot
	most := 0.0
	for _, r := range rows {
		if n := r.decided(); n > 0 && r.PassRate != nil && r.Counts.Unscored == 0 {
			cost := p.of(r.Usage) / float64(n)
			spots = append(spots, spot{r, cost, true})
			most = max(most, cost)
		}
	}
	if len(spots) < 2 {
		return figure{}
	}
	slices.SortStableFunc(spots, func(a, b spot) int { return cmp.Compare(a.cost, b.cost) })
	f, up := newPlot("efficiency", "Accuracy against cost")
	f.Lead = "Up is right more often, left is cheaper. On the dashed line nothing is both cheaper and better."
	f.Numbers = table{Caption: "Accuracy against cost",
		Head: []string{"configuration", p.unit, "pass rate", "on the front"}}
	top := round(most)
	along := scale{0, top, axisLeft, plotRight - 8}
	var front [][2]pixels
	for i, a := range spots {
		for j, b := range spots {
			if i != j && b.cost <= a.cost && *b.PassRate >= *a.PassRate &&
				(b.cost < a.cost || *b.PassRate > *a.PassRate) {
				spots[i].front = false
			}
		}
		if spots[i].front {
			front = append(front, [2]pixels{along.at(a.cost), up.at(*a.PassRate)})
		}
	}
	f.path("front", front)
	for _, s := range spots {
		x, y := along.at(s.cost), up.at(*s.PassRate)
		if s.CI != nil {
			f.line("axis", x, up.at(s.CI.Low), x, up.at(s.CI.High))
		}
		class, on := "open", "no"
		if s.front {
			class, on = "point", "yes"
		}
		f.dot(class, x, y, 5)
		f.letter(x+8, y-6, s.Letter)
		f.Numbers.Rows = append(f.Numbers.Rows, []string{s.label(), p.format(s.cost), percent(s.PassRate), on})
	}
	f.below(along, axisBottom, []float64{0, top / 2, top}, p.format)
	f.text("tick middle", (axisLeft+plotRight)/2, axisBottom+32, p.unit)
	f.Description = describe(f.Numbers, 2)
	return f
}

// kCurves plots the accuracy of votes with fewer traces.
func kCurves(rows []configRow) figure {
	f, up := newPlot("k-curve", "How many traces it takes")
	f.Lead = "Accuracy of the vote of k of the K traces. Where the line is flat, more traces do not help."
	f.Numbers = table{Caption: "Accuracy of the vote of k traces",
		Head: []string{"configuration", "k", "accuracy", "95 %", "some trace right", "all right"}}
	most := 0
	for _, r := range rows {
		if r.KCurve != nil {
			most = max(most, r.K)
		}
	}
	if most < 2 {
		return figure{}
	}
	along := scale{1, float64(most), axisLeft + 12, plotRight - 24}
	for _, r := range rows {
		if r.KCurve == nil || r.K < 2 {
			continue
		}
		var path [][2]pixels
		for _, p := range r.KCurve.Points {
			if p.Accuracy.Value == nil {
				continue
			}
			x, y := along.at(float64(p.K)), up.at(*p.Accuracy.Value)
			path = append(path, [2]pixels{x, y})
			f.dot("point", x, y, 3.5)
			f.Numbers.Rows = append(f.Numbers.Rows,
				[]string{r.label(), fmt.Sprint(p.K), percent(p.Accuracy.Value), interval(p.Accuracy.CI),
					percent(p.PassAtK), percent(p.PassHatK)})
		}
		if len(path) == 0 {
			continue
		}
		f.path("", path)
		end := path[len(path)-1]
		f.letter(end[0]+9, end[1]+4, r.Letter)
	}
	f.below(along, axisBottom, []float64{1, float64(most)},
		func(k float64) string { return fmt.Sprintf("k = %.0f", k) })
	f.Description = describe(f.Numbers, 2)
	return f
}

// agreement plots how often queries are right, by the share of traces that agree.
func agreement(rows []configRow) figure {
	f, up := newPlot("agreement", "How reliable is agreement?")
	f.Lead = "Share of right answers, by the share of traces that agree. On the dashed line the two shares are " +
		"equal. Larger points: more queries."
	f.Numbers = table{Caption: "Accuracy by agreement",
		Head: []string{"configuration", "agreement", "queries", "right", "95 %"}}
	along := scale{0, 1, axisLeft, plotRight - 24}
	f.line("reference", along.at(0), up.at(0), along.at(1), up.at(1))
	var shown []configRow
	for _, r := range rows {
		if r.Confidence != nil {
			shown = append(shown, r)
		}
	}
	for i, r := range shown {
		aside := pixels(9 * (float64(i) - float64(len(shown)-1)/2))
		for _, l := range r.Confidence.Levels {
			x, y := along.at(l.Agreement)+aside, up.at(l.Accuracy.Value)
			top := y
			if i := l.Accuracy.CI; i != nil {
				f.line("bar thin", x, up.at(i.Low), x, up.at(i.High))
				top = up.at(i.High)
			}
			f.dot("point", x, y, 3+3*pixels(float64(l.Queries)/float64(r.Counts.Queries)))
			if len(shown) > 1 {
				f.text("letter small middle", x, top-3, r.Letter)
			}
			f.Numbers.Rows = append(f.Numbers.Rows,
				[]string{r.label(), share(l.Agreement), fmt.Sprint(l.Queries), share(l.Accuracy.Value),
					interval(l.Accuracy.CI)})
		}
	}
	f.below(along, axisBottom, quarters, share)
	f.text("tick middle", (axisLeft+plotRight)/2, axisBottom+32, "agreement")
	f.Description = describe(f.Numbers, 3)
	return f
}
