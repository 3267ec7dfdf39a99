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

// Ends of an interval of differences that differ look different, and have a sign unless they are 0.
func TestSignedEnds(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		decimals  int
		want      string
	}{
		{-72.4, 71.6, 0, "−72 … +72"}, {.3, .4, 0, "+0.3 … +0.4"}, {-.04, .04, 0, "−0.04 … +0.04"}, {0, 0, 0, "0 … 0"},
		{-.4, -.4, 0, "0 … 0"}, {-.4, 3, 0, "0 … +3"}, {1.25, 1.254, 2, "+1.250 … +1.254"}, {1, 1 + 1e-13, 1, "+1.0000000000 … +1.0000000000"},
	} {
		low, high := text.SignedEnds(c.low, c.high, c.decimals)
		if got := low + " … " + high; got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}
