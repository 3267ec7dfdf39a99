package page

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// px is a length in a plot.
type px float64

func (p px) String() string { return strconv.FormatFloat(float64(p), 'f', 1, 64) }

// shape is a line, a rect (X2, Y2: width and height), a dot (X2: radius), a path (Text: its points) or a text.
type shape struct {
	Kind, Class  string
	X, Y, X2, Y2 px
	Text         string
}

// figure is a plot with its numbers.
type figure struct {
	ID, Title   string
	Lead        string // what to look at
	Description string // what there is to see, for those who cannot
	Width       px
	Height      px
	Shapes      []shape
	Numbers     table
	letters     [][2]px
}

// The width of plots, and the part of it that data may take. On a telephone a plot is
// about as wide, so that its letters have the size that they have here.
const (
	plotWidth px = 400
	plotLeft  px = 10
	plotRight px = 390
)

func (f *figure) line(class string, x, y, x2, y2 px) {
	f.Shapes = append(f.Shapes, shape{"line", class, x, y, x2, y2, ""})
}

func (f *figure) rect(class string, x, y, width, height px) {
	f.Shapes = append(f.Shapes, shape{"rect", class, x, y, width, height, ""})
}

func (f *figure) dot(class string, x, y, radius px) {
	f.Shapes = append(f.Shapes, shape{"dot", class, x, y, radius, 0, ""})
}

func (f *figure) text(class string, x, y px, text string) {
	f.Shapes = append(f.Shapes, shape{"text", class, x, y, 0, 0, text})
}

// letter names a point. It moves upwards until it covers no other letter.
func (f *figure) letter(x, y px, text string) {
	const width, height = 14, 13
	for slices.ContainsFunc(f.letters, func(t [2]px) bool {
		return t[0]-x < width && x-t[0] < width && t[1]-y < height && y-t[1] < height
	}) {
		y--
	}
	f.letters = append(f.letters, [2]px{x, y})
	f.text("letter", x, y, text)
}

func (f *figure) path(class string, points [][2]px) {
	var out []string
	for _, p := range points {
		out = append(out, p[0].String()+","+p[1].String())
	}
	f.Shapes = append(f.Shapes, shape{Kind: "path", Class: class, Text: strings.Join(out, " ")})
}

// scale maps values to places. An axis from below has its first place under its second.
type scale struct {
	from, to    float64
	first, last px
}

func (s scale) at(x float64) px {
	if s.to == s.from {
		return s.first
	}
	return s.first + px((x-s.from)/(s.to-s.from))*(s.last-s.first)
}

// round is a number at or above x that reads well.
func round(x float64) float64 {
	if x <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, step := range []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8} {
		if step*power >= x {
			return step * power
		}
	}
	return 10 * power
}

// below writes ticks under a plot that ends at y.
func (f *figure) below(s scale, y px, ticks []float64, label func(float64) string) {
	for i, x := range ticks {
		class := "tick middle"
		switch i {
		case 0:
			class = "tick"
		case len(ticks) - 1:
			class = "tick end"
		}
		f.text(class, s.at(x), y+14, label(x))
	}
}

func share(x float64) string { return text.Percent(x, 0) + " %" }

// amount is a number in as many characters as a tick has room for.
func amount(x float64) string {
	switch {
	case x >= 1e6:
		return strconv.FormatFloat(x/1e6, 'g', 3, 64) + "M"
	case x >= 1e4:
		return strconv.FormatFloat(x/1e3, 'g', 3, 64) + "k"
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

var quarters = []float64{0, .25, .5, .75, 1}

// describe says the figures of one column in words.
func describe(t table, column int) string {
	var out []string
	for _, r := range t.Rows {
		out = append(out, r[0]+": "+r[column])
	}
	return strings.Join(out, "; ") + "."
}

// figures are all plots of which there is something to show, in their order.
func figures(rows []row) []figure {
	all := []figure{
		passRates(rows), differences(rows), efficiency(rows), kCurves(rows), agreement(rows), steps(rows), costs(rows),
	}
	return slices.DeleteFunc(all, func(f figure) bool { return len(f.Numbers.Rows) == 0 })
}
