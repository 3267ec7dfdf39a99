package page

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// pixels is a length in a plot, in pixels.
type pixels float64

func (p pixels) String() string { return strconv.FormatFloat(float64(p), 'f', 1, 64) }

// shape is one element of a plot. Kind is line, rect (X2, Y2: width and height), dot (X2: radius), path (Text:
// the points) or text.
type shape struct {
	Kind, Class  string
	X, Y, X2, Y2 pixels
	Text         string
}

// figure is a plot with its numbers.
type figure struct {
	ID, Title   string
	Lead        string // how to read the plot
	Description string // the content in words, for people who cannot see the plot
	Width       pixels
	Height      pixels
	Shapes      []shape
	Numbers     table
	letters     [][2]pixels
}

// The width of plots, and the edges of the area for data. A plot is about as wide as a telephone, so that
// letters keep their size there.
const (
	plotWidth pixels = 400
	plotLeft  pixels = 10
	plotRight pixels = 390
)

func (f *figure) line(class string, x, y, x2, y2 pixels) {
	f.Shapes = append(f.Shapes, shape{"line", class, x, y, x2, y2, ""})
}

func (f *figure) rect(class string, x, y, width, height pixels) {
	f.Shapes = append(f.Shapes, shape{"rect", class, x, y, width, height, ""})
}

func (f *figure) dot(class string, x, y, radius pixels) {
	f.Shapes = append(f.Shapes, shape{"dot", class, x, y, radius, 0, ""})
}

func (f *figure) text(class string, x, y pixels, text string) {
	f.Shapes = append(f.Shapes, shape{"text", class, x, y, 0, 0, text})
}

// letter writes a letter at a point. It moves the letter upwards until it covers no other letter.
func (f *figure) letter(x, y pixels, text string) {
	const width, height = 14, 13
	for slices.ContainsFunc(f.letters, func(t [2]pixels) bool {
		return t[0]-x < width && x-t[0] < width && t[1]-y < height && y-t[1] < height
	}) {
		y--
	}
	f.letters = append(f.letters, [2]pixels{x, y})
	f.text("letter", x, y, text)
}

func (f *figure) path(class string, points [][2]pixels) {
	var out []string
	for _, p := range points {
		out = append(out, p[0].String()+","+p[1].String())
	}
	f.Shapes = append(f.Shapes, shape{Kind: "path", Class: class, Text: strings.Join(out, " ")})
}

// scale maps values to places in a plot. On a vertical axis, first is below last.
type scale struct {
	from, to    float64
	first, last pixels
}

func (s scale) at(x float64) pixels {
	if s.to == s.from {
		return s.first
	}
	return s.first + pixels((x-s.from)/(s.to-s.from))*(s.last-s.first)
}

// round returns a round number that is at least x.
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

// below writes labels of values under a plot whose lower edge is y.
func (f *figure) below(s scale, y pixels, ticks []float64, label func(float64) string) {
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

// amount formats a number so that it fits under an axis.
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

// describe lists the figures of one column in words.
func describe(t table, column int) string {
	var out []string
	for _, r := range t.Rows {
		out = append(out, r[0]+": "+r[column])
	}
	return strings.Join(out, "; ") + "."
}

// figures returns the plots that have data, in their order.
func figures(rows []configRow) []figure {
	all := []figure{
		passRates(rows), differences(rows), efficiency(rows), kCurves(rows), agreement(rows), steps(rows), costs(rows),
	}
	return slices.DeleteFunc(all, func(f figure) bool { return len(f.Numbers.Rows) == 0 })
}
