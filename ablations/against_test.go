package ablations_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
)

// The rules of docs/method.md §5.4 at 29 queries; p is rounded to six digits and the
// intervals to four. Without others in the family, Holm changes nothing.
func TestAgainstTables(t *testing.T) {
	for _, c := range []struct {
		losses, gains int
		p             float64
		low, high     float64
		call          result.Call
	}{
		{4, 1, .218750, -.2807, .0625, result.Undetermined},
		{1, 4, .218750, -.0625, .2807, result.Undetermined},
		{3, 1, .375, -.2383, .0897, result.Undetermined},
		{6, 0, .015625, -.3839, -.0657, result.Worse},
		{0, 6, .015625, .0657, .3839, result.Better},
		{5, 0, .031250, -.3455, -.0353, result.Worse},
		{4, 0, .062500, -.3056, -.0048, result.Undetermined},
		{0, 0, 1, -.1170, .1170, result.Undetermined},
	} {
		base, other := discordant(29, c.losses, c.gains)
		got := one(t, base, other, ablations.Options{})
		if *got.Losses != c.losses || *got.Gains != c.gains || got.Queries != 29 || got.Pairing != result.Paired {
			t.Errorf("(%d, %d): %+v", c.losses, c.gains, got)
		}
		near(t, "p", *got.P, c.p, 5e-7)
		near(t, "Holm p", *got.PHolm, c.p, 5e-7)
		near(t, "difference", *got.Difference, float64(c.gains-c.losses)/29, 0)
		near(t, "low", got.CI.Low, c.low, 5.1e-5)
		near(t, "high", got.CI.High, c.high, 5.1e-5)
		if got.CI.Method != "tango" || got.Method != "mcnemar-midp" || got.CI.Level != .95 || got.CI90.Level != .90 {
			t.Errorf("methods %s, %s at %v and %v", got.CI.Method, got.Method, got.CI.Level, got.CI90.Level)
		}
		if *got.CorrectBefore != 29-c.gains || *got.CorrectNow != 29-c.losses || got.CallAsCounted != nil {
			t.Errorf("(%d, %d): %d right before, %d now", c.losses, c.gains, *got.CorrectBefore, *got.CorrectNow)
		}
		if got.Call != c.call || got.CallIfScored != nil || got.LeftOut != nil || got.Refused != nil {
			t.Errorf("(%d, %d) is called %s: %+v", c.losses, c.gains, got.Call, got)
		}
		if len(got.Flips) != c.losses+c.gains {
			t.Errorf("(%d, %d) has %d flips", c.losses, c.gains, len(got.Flips))
		}
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.8f, want %.8f", what, got, want)
	}
}

// docs/statistics.md#what-29-queries-can-show: base 28/29, mid-p two-sided, 26.7 points; and the rate counts, not the
// pairs.
func TestMDE(t *testing.T) {
	got := one(t, side("base", strings.Repeat("c", 28)+"i"), side("other", strings.Repeat("c", 29)), ablations.Options{})
	near(t, "MDE", *got.MDE, .267, 5.1e-4)
	if got := one(t, side("base", "iiii"), side("other", "cccc"), ablations.Options{}); got.MDE != nil {
		t.Errorf("from nothing right, a drop of %v", *got.MDE)
	}
	if got := one(t, side("base", "ccc"), side("other", "ccc"), ablations.Options{}); got.MDE != nil {
		t.Errorf("three queries show a drop of %v", *got.MDE)
	}
}

// The half-width without a flip at 90 % is z²/(n+z²): within 5 points from 52 queries on.
func TestEquivalent(t *testing.T) {
	for _, c := range []struct {
		n, losses, gains int
		margin           float64
		want             result.Call
	}{
		{51, 0, 0, 0, result.Undetermined}, {52, 0, 0, 0, result.Equivalent}, {29, 0, 0, .1, result.Equivalent},
		{82, 2, 2, 0, result.Undetermined}, {83, 2, 2, 0, result.Equivalent}, {29, 6, 0, .5, result.Worse},
	} {
		base, other := discordant(c.n, c.losses, c.gains)
		if got := one(t, base, other, ablations.Options{Margin: c.margin}); got.Call != c.want {
			t.Errorf("%+v is called %s in %v", c, got.Call, got.CI90)
		}
	}
}

// Holm (docs/method.md §5.5): with five rows at 29 queries the first step needs p <= .01, which seven
// losses have (.0078) and six (.0156) have not. A refused row is no member.
func TestHolm(t *testing.T) {
	rows := func(losses int) []ablations.Side {
		base, worst := discordant(29, losses, 0)
		out := []ablations.Side{base, worst}
		for _, name := range []string{"b", "c", "d", "e"} {
			s := base
			s.Name = name
			out = append(out, s)
		}
		return out
	}
	for losses, want := range map[int]result.Call{6: result.Undetermined, 7: result.Worse} {
		all, err := ablations.Against("base", rows(losses), ablations.Options{})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "Holm p", *all[0].PHolm, 5**all[0].P, 1e-12)
		if all[0].Call != want || *all[1].PHolm != 1 {
			t.Errorf("%d losses are called %s", losses, all[0].Call)
		}
	}
	six := rows(6)
	for i := range six {
		six[i].Rules = map[string]string{"pass": "gold"}
	}
	for i := 2; i < 5; i++ {
		six[i].Rules = map[string]string{"pass": "quality"}
	}
	all, _ := ablations.Against("base", six, ablations.Options{})
	near(t, "Holm p of a family of two", *all[0].PHolm, 2*.015625, 1e-12)
	if all[0].Call != result.Worse || all[1].Refused == nil || all[1].P != nil || all[1].Call != "" || all[4].Refused != nil {
		t.Errorf("%+v", all)
	}
}

func TestFlips(t *testing.T) {
	base, other := side("base", "cicuc"), side("other", "icciu")
	got := one(t, base, other, ablations.Options{})
	want := []result.Flip{
		{Query: "q-0000", Category: "lookup", Baseline: "base says", Configuration: "other says", Reason: "why of other"},
		{Query: "q-0001", Category: "lookup", Gain: true, Baseline: "base says", Configuration: "other says", Reason: "why of base"},
		{Query: "q-0004", Category: "lookup", Unscored: true, Baseline: "base says", Configuration: "other says", Reason: "why of other"},
	}
	if diff := cmp.Diff(want, got.Flips); diff != "" {
		t.Error(diff)
	}
}

// Only traces with one answer on both sides flip, by whether their calls are right.
func TestWayFlips(t *testing.T) {
	base, other := side("base", "c"), side("other", "c")
	right, wrong := judge.Calls{Expected: 2, Matched: 2, Right: true}, judge.Calls{Expected: 2, Matched: 1}
	base.Queries[0].Ways = []ablations.ToolUse{{"7", "7", right}, {"7.0", "7", wrong}, {"7", "7", right}, {"7", "7", right}, {}, {"7", "7", right}}
	other.Queries[0].Ways = []ablations.ToolUse{{"7", "7", wrong}, {"7", "7", right}, {"8", "8", wrong}, {"7", "7", right}, {"7", "7", wrong}}
	want := []result.WayFlip{
		{Query: "q-0000", Category: "lookup", Trace: 0, Answer: "7", Reason: "1 of 2 expected tool calls"},
		{Query: "q-0000", Category: "lookup", Trace: 1, Gain: true, Answer: "7", Reason: "1 of 2 expected tool calls"},
	}
	if diff := cmp.Diff(want, one(t, base, other, ablations.Options{}).WayFlips); diff != "" {
		t.Error(diff)
	}
}

// The baseline need not come first, and the other rows keep their order.
func TestAgainstOrder(t *testing.T) {
	all, err := ablations.Against("m", []ablations.Side{side("z", "cc"), side("m", "ci"), side("a", "ic")}, ablations.Options{})
	if err != nil || len(all) != 2 || all[0].Configuration != "z" || all[1].Configuration != "a" || all[1].Baseline != "m" {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestAgainstEdges(t *testing.T) {
	all, err := ablations.Against("a", []ablations.Side{side("a", "ccc")}, ablations.Options{})
	if err != nil || all == nil || len(all) != 0 {
		t.Errorf("one side: %v, %v", all, err)
	}
	for _, verdicts := range [][2]string{{"", ""}, {"", "cc"}, {"cc", ""}} {
		got := one(t, side("a", verdicts[0]), side("b", verdicts[1]), ablations.Options{})
		if got.Difference != nil || got.MDE != nil || got.Losses != nil || *got.P != 1 || got.Call != result.Undetermined ||
			got.CI.Low != -1 || got.CI.High != 1 || got.Pairing != result.Unpaired || got.Flips == nil {
			t.Errorf("%q: %+v", verdicts, got)
		}
	}
}

func TestAgainstErrors(t *testing.T) {
	a, b := side("a", "cc"), side("b", "ci")
	for _, c := range []struct {
		baseline string
		sides    []ablations.Side
		o        ablations.Options
		want     string
	}{
		{"x", []ablations.Side{a, b}, ablations.Options{}, `no such configuration; known: a, b`},
		{"a", nil, ablations.Options{}, "no such configuration"},
		{"a", []ablations.Side{a, a}, ablations.Options{}, `two configurations are named "a"`},
		{"a", []ablations.Side{a, b}, ablations.Options{Margin: 5}, "the margin is 5"},
		{"a", []ablations.Side{a, b}, ablations.Options{Margin: -.1}, "the margin is -0.1"},
		{"a", []ablations.Side{a, b}, ablations.Options{Margin: math.NaN()}, "the margin is NaN"},
		{"a", []ablations.Side{a, b}, ablations.Options{Across: []string{"weather"}}, `across "weather"`},
	} {
		if _, err := ablations.Against(c.baseline, c.sides, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
