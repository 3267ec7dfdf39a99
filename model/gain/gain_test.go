package gain_test

import (
	"errors"
	"math"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/gain"
)

// tokens returns tokens of one byte with these log-probabilities, from offset first.
func tokens(first int, logs ...float64) (out []model.TokenScore) {
	for i, l := range logs {
		out = append(out, model.TokenScore{Token: "x", Offset: first + i, LogProb: l})
	}
	return out
}

func at(offset int, log float64) model.TokenScore {
	return model.TokenScore{Offset: offset, LogProb: log}
}

func TestLosses(t *testing.T) {
	five := tokens(0, -1, -2, -3, -4, -5)
	for _, c := range []struct {
		name                  string
		result, noCall, empty []model.TokenScore
		want                  gain.Losses
	}{
		{"five tokens", five, five, five, gain.Losses{Result: 7. / 3, NoCall: 7. / 3, Empty: 7. / 3, Tokens: 5}},
		{
			"later tokens have no weight", tokens(0, -1, -2, -3, -4, -5, -100), tokens(0, 0, 0, 0, 0, 0, -100),
			tokens(0, -1, -1, -1, -1, -1, -100), gain.Losses{Result: 7. / 3, Empty: 1, Tokens: 5},
		},
		{
			"fewer tokens renormalise", tokens(0, -1, -2), tokens(0, -9, 0), tokens(0, 0, -9),
			gain.Losses{Result: 2.6 / 1.8, NoCall: 5, Empty: 4, Tokens: 2},
		},
		{"one token", tokens(0, -.5), tokens(0, -2), tokens(0, -3), gain.Losses{Result: .5, NoCall: 2, Empty: 3, Tokens: 1}},
		{
			"a token that begins in the prefix is left out", tokens(-1, -7, -1, -2), tokens(0, -1, -2)[:2],
			tokens(-2, -8, -9, -1, -2), gain.Losses{Result: 2.6 / 1.8, NoCall: 2.6 / 1.8, Empty: 2.6 / 1.8, Tokens: 2},
		},
		{
			"a prefix moves the first boundary", []model.TokenScore{at(-1, -4), at(2, -1), at(4, -2)},
			[]model.TokenScore{at(0, -3), at(2, -1), at(4, -2)}, []model.TokenScore{at(0, -1), at(1, -1), at(2, -2), at(4, 0)},
			gain.Losses{Result: 2.6 / 1.8, NoCall: 2.6 / 1.8, Empty: 2 / 1.8, Tokens: 2},
		},
		{
			"pieces of a token are added", []model.TokenScore{at(0, -1), at(3, -2)},
			[]model.TokenScore{at(0, -1), at(1, -1), at(2, -1), at(3, -2)}, []model.TokenScore{at(0, -1), at(2, -3), at(3, 0)},
			gain.Losses{Result: 2.6 / 1.8, NoCall: 4.6 / 1.8, Empty: 4 / 1.8, Tokens: 2},
		},
		{
			"tokens that split a letter have one offset", []model.TokenScore{at(0, -1), at(0, -1), at(2, -1)},
			[]model.TokenScore{at(0, -2), at(2, -1)}, []model.TokenScore{at(0, -2), at(2, -1)},
			gain.Losses{Result: 2.8 / 1.8, NoCall: 2.8 / 1.8, Empty: 2.8 / 1.8, Tokens: 2},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := gain.Of(c.result, c.noCall, c.empty)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range []float64{got.Result - c.want.Result, got.NoCall - c.want.NoCall, got.Empty - c.want.Empty} {
				if math.Abs(d) > 1e-12 || got.Tokens != c.want.Tokens {
					t.Fatalf("got %+v, want %+v", got, c.want)
				}
			}
		})
	}
}

func TestUndefinedLosses(t *testing.T) {
	good := tokens(0, -1, -2)
	for _, c := range []struct {
		name string
		bad  []model.TokenScore
		is   error
	}{
		{"no tokens", nil, gain.ErrNoToken},
		{"all in the prefix", tokens(-2, -1, -1), gain.ErrNoToken},
		{"no common boundary", []model.TokenScore{at(-1, -1), at(7, -1)}, gain.ErrNoToken},
		{"positive", tokens(0, -1, .1), nil},
		{"infinite", tokens(0, math.Inf(-1)), nil},
		{"not a number", tokens(0, math.NaN()), nil},
		{"no order", []model.TokenScore{at(1, -1), at(0, -1)}, nil},
	} {
		for place := range 3 {
			in := [3][]model.TokenScore{good, good, good}
			in[place] = c.bad
			got, err := gain.Of(in[0], in[1], in[2])
			if err == nil || c.is != nil && !errors.Is(err, c.is) || got != (gain.Losses{}) {
				t.Errorf("%s at %d: got %+v and the error %v, want an error and no losses", c.name, place, got, err)
			}
		}
	}
}

func TestGain(t *testing.T) {
	for _, c := range []struct {
		losses gain.Losses
		want   float64
	}{
		{gain.Losses{Result: 1, NoCall: 3, Empty: 2}, 1},
		{gain.Losses{Result: 1, NoCall: 2, Empty: 3}, 1},
		{gain.Losses{Result: 4, NoCall: 2, Empty: 3}, -2},
	} {
		if got := c.losses.Gain(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: gain %g, want %g", c.losses, got, c.want)
		}
	}
	tie := gain.Losses{Result: .1, NoCall: .4, Empty: .4}.Gain() // 0.30000000000000004 in binary
	below := gain.Losses{Result: .3, NoCall: .4, Empty: 1}.Gain()
	if !gain.Reaches(tie, .3) || !gain.Reaches(below, .1) || !gain.Reaches(1, 1) || gain.Reaches(1-1e-9, 1) {
		t.Errorf("a tie must reach the threshold, and a smaller gain must not: %v %v", tie, below)
	}
}

func TestBest(t *testing.T) {
	got, ok := gain.Best(gain.Losses{Result: 3, NoCall: 4, Empty: 9, Tokens: 5}, gain.Losses{Result: 2, NoCall: 6, Empty: 7, Tokens: 1})
	if want := (gain.Losses{Result: 2, NoCall: 4, Empty: 7, Tokens: 1}); got != want || !ok {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if _, ok := gain.Best(); ok {
		t.Error("the best of no texts must be undefined")
	}
}
