package figures

import "testing"

// A rate that is neither 0 nor 1 is not rounded to either.
func TestRatesNearTheEnds(t *testing.T) {
	for _, c := range []struct {
		right, of int
		decimals  int
		want      string
	}{
		{249, 250, 0, "99.6"}, {1, 250, 0, "0.4"}, {250, 250, 0, "100"}, {0, 250, 0, "0"},
		{2999, 3000, 1, "99.97"}, {1, 3000, 1, "0.03"}, {3000, 3000, 1, "100.0"}, {0, 3000, 1, "0.0"},
		{20, 29, 0, "69"}, {1, 100, 0, "1"}, {99, 100, 0, "99"}, {10, 100, 0, "10"},
		{999_999, 1_000_000, 1, "99.9999"}, {9_999_999, 10_000_000, 1, "100.0000"},
	} {
		if got := FormatRate(float64(c.right)/float64(c.of), c.decimals); got != c.want {
			t.Errorf("%d of %d: %s, want %s", c.right, c.of, got, c.want)
		}
	}
}
