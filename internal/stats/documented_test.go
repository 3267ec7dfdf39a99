package stats_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/stats"
)

// TestDocumented holds the numbers of docs/statistics.md against the code.
func TestDocumented(t *testing.T) {
	raw, err := os.ReadFile("../../docs/statistics.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(strings.ReplaceAll(string(raw), "−", "-")), " ")
	for _, want := range documented() {
		if !strings.Contains(page, want) {
			t.Errorf("docs/statistics.md does not say %q", want)
		}
	}
}

func documented() []string {
	out := slices.Concat(documentedPower(), documentedIntervals(), documentedPairs())
	it := stats.Item{Classes: []stats.Class{{Votes: 6, Right: 6}, {Votes: 3}, {Votes: 1}}}
	at := func(k int) float64 { v, _ := it.MajAtK(k, stats.Vote{}); return 100 * v }
	twelve := slices.Concat(graded(1, 6, 1), graded(2./3, 2, 2), graded(1./3, 0, 1))
	c, _ := stats.Calibrate(twelve)
	out = append(out,
		fmt.Sprintf("ECE %.3f, Brier %.3f, AUROC %.3f, AURC %.3f (excess %.3f), AUGRC %.3f", c.ECE, c.Brier, *c.AUROC, c.AURC, c.Excess, c.AUGRC),
		fmt.Sprintf("answers %.0f %% of the queries in the example below and is wrong in %.0f %% of these", 100*c.Levels[1].Coverage, 100*c.Levels[1].Risk))
	return append(out, fmt.Sprintf("k=1 %.0f %%, k=3 %.0f %%, k=5 %.0f %%, k=9 %.0f %%", at(1), at(3), at(5), at(9)))
}

func documentedPower() (out []string) {
	for _, x := range []int{29, 28, 27, 26, 25, 23} {
		base := float64(x) / 29
		one, _ := stats.MDE(29, base, .05)
		first, _ := stats.MDE(29, base, .01)
		other, _ := stats.UnpairedMDE(29, 29, base, .05)
		out = append(out, fmt.Sprintf("| %d/29 | %.1f | %.1f | %.1f |", x, 100*one, 100*first, 100*other))
	}
	for _, n := range []int{29, 100, 300, 1000, 3000} {
		row := fmt.Sprintf("| %d |", n)
		for _, base := range []float64{.96, .90, .80} {
			mde, _ := stats.MDE(n, base, .05)
			row += fmt.Sprintf(" %.1f |", 100*mde)
		}
		out = append(out, row)
	}
	ten, twenty := stats.PowerAt(29, 28./29, .05, .10), stats.PowerAt(29, 28./29, .05, .20)
	return append(out, fmt.Sprintf("is found in %.0f %% of tables, one of 20 points in %.0f %%", 100*ten, 100*twenty))
}

func documentedIntervals() []string {
	wilson := func(x, n int) (stats.Interval, bool) { return stats.WilsonInterval(x, n, .95) }
	covers := func(n int, p float64) float64 { v, _ := stats.CoverageAt(n, p, wilson); return v }
	low29, high29 := wilsonCoverage(29, .02, .98)
	low100, high100 := wilsonCoverage(100, .02, .98)
	low300, high300 := wilsonCoverage(300, .02, .98)
	lowest, _ := wilsonCoverage(29, .98, 1)
	all, _ := stats.ClopperPearsonLower(29, 29, .95)
	size := func(q float64) float64 { return 100 * stats.RejectionRate(29, q/2, q/2, .05) }
	same, _ := stats.Tango(29, 0, 0, .90)
	textbook, _ := stats.CoverageAt(29, .96, func(x, n int) (stats.Interval, bool) {
		rate := float64(x) / float64(n)
		half := 1.96 * math.Sqrt(rate*(1-rate)/float64(n))
		return stats.Interval{Low: rate - half, High: rate + half}, true
	})
	w := func(x, n int) string {
		i, _ := stats.WilsonInterval(x, n, .95)
		return fmt.Sprintf("[%.0f, %.0f]", 100*i.Low, 100*i.High)
	}
	return []string{
		fmt.Sprintf("%.0f to %.0f %% for true rates between 2 %% and 98 %%: %.3f at a true rate of 0.88, %.3f at 0.96. Above 98 %% it can be lower, down to %.3f at 0.994", 100*low29, 100*high29, covers(29, .88), covers(29, .96), lowest),
		fmt.Sprintf("At 100 queries it is %.1f to %.1f %%, and at 300, %.1f to %.1f %%", 100*low100, 100*high100, 100*low300, 100*high300),
		fmt.Sprintf("at least %.1f %%", 100*all),
		fmt.Sprintf("at most %.1f %% of tables where up to 40 %% of queries flip by chance, and in %.1f %% where 10 %% do", size(.4), size(.1)),
		fmt.Sprintf("(p ± 1.96 standard errors) covers %.3f", textbook),
		fmt.Sprintf("at 29 queries is ±%.1f points", 100*same.High),
		"27/29 93 % " + w(27, 29), "28/29 97 % " + w(28, 29), "25/29 86 % " + w(25, 29), "19/29 66 % " + w(19, 29),
		"90 and 82 right: " + w(90, 100) + " and " + w(82, 100),
	}
}

// wilsonCoverage returns the extremes of the coverage of Wilson's interval over true rates
// in [from, to]. Between two ends of intervals the counts whose interval holds the rate are
// the same, a to b. P(a ≤ X ≤ b) then has its least value at one of the ends, as a limit from
// within, and its greatest there or where its derivative n·(P(X'=a-1) - P(X'=b)), X' of n-1
// trials, is 0.
func wilsonCoverage(n int, from, to float64) (low, high float64) {
	intervals := make([]stats.Interval, n+1)
	ends := []float64{from, to}
	for x := range intervals {
		intervals[x], _ = stats.WilsonInterval(x, n, .95)
		for _, e := range []float64{intervals[x].Low, intervals[x].High} {
			if from < e && e < to {
				ends = append(ends, e)
			}
		}
	}
	slices.Sort(ends)
	low = 1
	for i := range ends[1:] {
		var held []int
		for x, in := range intervals {
			if in.Contains((ends[i] + ends[i+1]) / 2) {
				held = append(held, x)
			}
		}
		a, b := held[0], held[len(held)-1]
		at := []float64{ends[i], ends[i+1]}
		if a > 0 && b < n {
			odds := math.Exp((logChoose(n-1, a-1) - logChoose(n-1, b)) / float64(b-a+1))
			if peak := odds / (1 + odds); ends[i] < peak && peak < ends[i+1] {
				at = append(at, peak)
			}
		}
		for _, p := range at {
			// The counts of this piece, even at an end, which the next interval holds too.
			c, _ := stats.CoverageAt(n, p, func(x, _ int) (stats.Interval, bool) {
				if a <= x && x <= b {
					return stats.Interval{Low: 0, High: 1}, true
				}
				return stats.Interval{Low: 2, High: 2}, true
			})
			low, high = min(low, c), max(high, c)
		}
	}
	return low, high
}

func logChoose(n, k int) float64 {
	lg := func(x int) float64 { v, _ := math.Lgamma(float64(x) + 1); return v }
	return lg(n) - lg(k) - lg(n-k)
}

func documentedPairs() []string {
	p := func(loss, gain int) float64 { v, _ := stats.McNemar(loss, gain, stats.MidP); return v }
	tango := func(n, loss, gain int) string {
		i, _ := stats.Tango(n, loss, gain, .95)
		return fmt.Sprintf("[%+.1f, %+.1f]", 100*i.Low, 100*i.High)
	}
	n, _ := stats.Newcombe(27, 29, 24, 29, .95)
	fisher, _ := stats.Fisher(27, 29, 24, 29)
	holm, _ := stats.Holm([]float64{p(6, 0), 1, 1, 1, 1})
	out := []string{
		fmt.Sprintf("5 losses and no gain (p %.3f), 7 and one (%.3f), 9 and two (%.3f)", p(5, 0), p(7, 1), p(9, 2)),
		fmt.Sprintf("7 losses and no gain (%.3f), a drop of %.0f points, or 10 and one (%.3f). Six losses and no gain (p %.3f, Holm %.3f)", p(7, 0), 700./29, p(10, 1), p(6, 0), holm[0]),
		fmt.Sprintf("-8 %s | %.3f", tango(100, 8, 0), p(8, 0)),
		fmt.Sprintf("-8 %s | %.3f", tango(100, 20, 12), p(20, 12)),
		fmt.Sprintf("give %s points and p = %.4f", tango(29, 4, 0), p(4, 0)),
		fmt.Sprintf("-10 points [%+.1f, %+.1f] with p = %.3f", 100*n.Low, 100*n.High, fisher),
	}
	// Where the interval without, with two and with six flips each way comes within ±5 points.
	var first [3]int
	for i, flips := range []int{0, 2, 6} {
		for n := 2*flips + 1; first[i] == 0; n++ {
			if same, _ := stats.Tango(n, flips, flips, .90); same.High <= .05 {
				first[i] = n
			}
		}
	}
	return append(out, fmt.Sprintf("%d queries without a flip, %d with two flips each way, %d with six each way", first[0], first[1], first[2]))
}
