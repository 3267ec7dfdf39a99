package page

import "strconv"

// px is a length in a plot.
type px float64

func (p px) String() string { return strconv.FormatFloat(float64(p), 'f', 1, 64) }

// shape is a line, a rect (X2 and Y2 are its width and height), a dot (X2 is its radius), a
// path (Text holds its points) or a text.
type shape struct {
	Kind, Class  string
	X, Y, X2, Y2 px
	Text         string
}

// figure is a plot with its numbers.
type figure struct {
	ID, Title   string
	Lead        string // what to look at
	Description string // what there is to see, for who cannot
	Width       px
	Height      px
	Shapes      []shape
	Numbers     table
}
