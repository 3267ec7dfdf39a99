package ablations_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
)

// A call that unscored queries could overturn is undetermined, and the row says what it
// might be.
func TestUnscoredCorners(t *testing.T) {
	c := func(n int) string { return strings.Repeat("c", n) }
	for name, test := range map[string]struct {
		base, other string
		want        result.Call
		ifScored    result.Call // "" for nil
		asCounted   result.Call
	}{
		// Eight losses against one gain at most: p = .0215.
		"stands":                 {c(28) + "u", c(20) + "iiiiiiii" + "u", result.Worse, "", ""},
		"rests on unscored":      {c(29), c(23) + "uuuuuu", result.Undetermined, result.Undetermined, result.Worse},
		"hidden loss":            {c(23) + "uuuuuu", c(23) + "iiiiii", result.Undetermined, result.Worse, result.Undetermined},
		"hidden gain":            {c(23) + "iiiiii", c(23) + "uuuuuu", result.Undetermined, result.Better, result.Undetermined},
		"unscored on both sides": {c(23) + "uuuuuu", c(23) + "uuuuuu", result.Undetermined, result.Better, result.Undetermined},
		// Only the baseline's six count: with them, nine losses; with all, three; with the
		// other's, three losses and six gains.
		"hidden loss behind others": {c(20) + "ccc" + "uuuuuu", c(20) + "iii" + "uuuuuu", result.Undetermined, result.Worse, result.Undetermined},
		"equivalent hangs on it":    {c(60), c(59) + "u", result.Undetermined, result.Equivalent, result.Undetermined},
		"equivalent if counted out": {c(59) + "u", c(59) + "i", result.Undetermined, result.Undetermined, result.Equivalent},
	} {
		got := one(t, side("base", test.base), side("other", test.other), ablations.Options{})
		var ifScored, asCounted result.Call
		if got.CallIfScored != nil {
			ifScored = *got.CallIfScored
		}
		if got.CallAsCounted != nil {
			asCounted = *got.CallAsCounted
		}
		if got.Call != test.want || ifScored != test.ifScored || asCounted != test.asCounted {
			t.Errorf("%s: %s, if scored %q, as counted %q; want %s, %q, %q", name, got.Call, ifScored, asCounted, test.want, test.ifScored, test.asCounted)
		}
	}
}

// Unscored queries of one row can change the adjusted p of another.
func TestUnscoredCornersGoThroughTheFamily(t *testing.T) {
	base, worse := discordant(29, 6, 0)
	unscored := side("unscored", strings.Repeat("c", 22)+strings.Repeat("u", 7))
	all, err := ablations.Against("base", []ablations.Side{base, worse, unscored}, ablations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// The six losses have p = .0156: below .05 as they are, behind the seven of p = .0078,
	// and doubled, where the seven count as right.
	if all[0].Call != result.Worse || all[0].CallIfScored != nil {
		t.Errorf("the scored row is called %s", all[0].Call)
	}
	if all[1].Call != result.Undetermined || all[1].CallIfScored == nil {
		t.Errorf("the unscored row is called %s", all[1].Call)
	}
	// Of five losses p is .0313 behind a smaller one, and else .0625.
	base, worse = discordant(29, 5, 0)
	all, _ = ablations.Against("base", []ablations.Side{base, worse, unscored}, ablations.Options{})
	if all[0].Call != result.Undetermined || all[0].CallIfScored == nil {
		t.Errorf("a call that hangs on another row's unscored queries is %s", all[0].Call)
	}
}

var verdicts = rapid.StringOfN(rapid.SampledFrom([]rune("cccciu")), 0, 60, -1)

// Exchanging the sides exchanges losses with gains and better with worse, and negates the
// difference.
func TestMirror(t *testing.T) {
	opposite := map[result.Call]result.Call{
		result.Better: result.Worse, result.Worse: result.Better,
		result.Equivalent: result.Equivalent, result.Undetermined: result.Undetermined,
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := side("a", verdicts.Draw(t, "a")), side("b", verdicts.Draw(t, "b"))
		there, back := one(t, a, b, ablations.Options{}), one(t, b, a, ablations.Options{})
		if *there.P != *back.P || opposite[there.Call] != back.Call || there.Pairing != back.Pairing {
			t.Fatalf("%+v is not the mirror image of %+v", back, there)
		}
		if there.Difference == nil || back.Difference == nil {
			if there.Difference != back.Difference {
				t.Fatalf("only one difference is known: %+v, %+v", there, back)
			}
			return
		}
		if *there.Difference != -*back.Difference {
			t.Fatalf("differences %v and %v", *there.Difference, *back.Difference)
		}
		if there.Pairing == result.Paired && (*there.Losses != *back.Gains || *there.Gains != *back.Losses || there.CI.Low != -back.CI.High) {
			t.Fatalf("%+v is not the mirror image of %+v", back, there)
		}
		if !(there.CI.Low <= *there.Difference && *there.Difference <= there.CI.High && there.CI.Low <= there.CI90.Low && there.CI90.High <= there.CI.High) {
			t.Fatalf("intervals of %+v", there)
		}
	})
}

func TestARowEqualToTheBaselineIsNeitherBetterNorWorse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := side("base", verdicts.Draw(t, "base"))
		same := base
		same.Name = "same"
		others := []ablations.Side{base, same}
		if rapid.Bool().Draw(t, "others") {
			others = append(others, side("other", verdicts.Draw(t, "other")))
		}
		all, err := ablations.Against("base", others, ablations.Options{Margin: rapid.Float64Range(.01, .9).Draw(t, "margin")})
		if err != nil {
			t.Fatal(err)
		}
		if got := all[0]; got.Call == result.Better || got.Call == result.Worse || *got.P != 1 || len(got.Flips) > 0 {
			t.Fatalf("%+v", got)
		}
	})
}

// "Not worse by the margin" is called where the margin was stated, where the lower end of the 90 % interval lies above
// it, and after all that says more.
func TestNotWorse(t *testing.T) {
	for name, c := range map[string]struct {
		queries, losses, gains int
		margin                 float64
		stated                 bool
		want                   result.Call
	}{
		"more gains than losses":    {200, 6, 14, .03, true, result.NotWorse},
		"of a margin not stated":    {200, 6, 14, .03, false, result.Undetermined},
		"too many losses":           {200, 12, 8, .03, true, result.Undetermined},
		"within the margin":         {200, 2, 2, .05, true, result.Equivalent},
		"better says more":          {200, 4, 20, .03, true, result.Better},
		"worse, however the margin": {200, 20, 4, .2, true, result.Worse},
	} {
		t.Run(name, func(t *testing.T) {
			base, other := discordant(c.queries, c.losses, c.gains)
			got := one(t, base, other, ablations.Options{Margin: c.margin, NotWorse: c.stated})
			if got.Call != c.want {
				t.Errorf("called %s, want %s (%v)", got.Call, c.want, *got.PNotWorse)
			}
			if shown := got.CI90.Low >= -c.margin; shown != (*got.PNotWorse <= .05) {
				t.Errorf("p %v, and the 90 %% interval begins at %v", *got.PNotWorse, got.CI90.Low)
			}
			if *got.PEqual < *got.PNotWorse {
				t.Errorf("equal has p %v, below %v of not worse", *got.PEqual, *got.PNotWorse)
			}
		})
	}
}

// Two rows are adjusted as one family, as all calls are.
func TestNotWorseIsAdjusted(t *testing.T) {
	base, other := discordant(200, 6, 14)
	again := other
	again.Name = "again"
	all, err := ablations.Against("base", []ablations.Side{base, other, again}, ablations.Options{Margin: .03, NotWorse: true})
	if err != nil {
		t.Fatal(err)
	}
	if p, adjusted := *all[0].PNotWorse, *all[0].PNotWorseHolm; adjusted != 2*p {
		t.Errorf("p %v becomes %v over two equal rows", p, adjusted)
	}
}
