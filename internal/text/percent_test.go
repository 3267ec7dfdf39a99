package text_test

import (
	"testing"

	"github.com/seed-5817661a/concur/internal/text"
)

// Ends of an interval that differ look different.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		decimals  int
		want      string
	}{
		{.4829, .8412, 0, "[48, 84]"}, {.921, .94, 1, "[92.1, 94.0]"}, {.99999616, 1, 1, "[99.9996, 100.0000]"}, {.98, .984, 0, "[98.0, 98.4]"},
		{0, .0000038, 1, "[0.0000, 0.0004]"}, {-.001, .001, 0, "[-0, 0]"}, {.5, .5, 0, "[50, 50]"}, {1, 1, 1, "[100.0, 100.0]"},
		{.5, .5 + 1e-15, 0, "[50.0000000000, 50.0000000000]"},
	} {
		if got := text.Bracketed(c.low, c.high, c.decimals); got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}
