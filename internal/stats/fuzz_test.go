package stats_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/seed-5817661a/concur/internal/stats"
)

// inOrder fails for an interval that is defined and none.
func inOrder(t *testing.T, what string, i stats.Interval, ok bool, low, high float64) {
	t.Helper()
	if ok && !(low <= i.Low && i.Low <= i.High && i.High <= high) {
		t.Errorf("%s is %v", what, i)
	}
}

func isP(t *testing.T, what string, p float64, ok bool) {
	t.Helper()
	if ok && !(0 <= p && p <= 1) {
		t.Errorf("%s is %v", what, p)
	}
}

func FuzzRates(f *testing.F) {
	f.Add(27, 29, 0.95, 0.93, 0.05)
	f.Add(0, 0, 0.95, 0.0, 0.0)
	f.Add(29, 29, 0.999999999999, 1.0, 1e-300)
	f.Add(math.MaxInt, math.MaxInt, 1e-300, 5e-324, 1e300)
	f.Add(-1, math.MinInt, math.NaN(), math.NaN(), math.Inf(1))
	f.Fuzz(func(t *testing.T, x, n int, level, mean, se float64) {
		i, ok := stats.WilsonInterval(x, n, level)
		inOrder(t, "Wilson", i, ok, 0, 1)
		i, ok = stats.ClopperPearson(x, n, level)
		inOrder(t, "Clopper-Pearson", i, ok, 0, 1)
		i, ok = stats.Newcombe(x, n, n-x, n, level)
		inOrder(t, "Newcombe", i, ok, -1, 1)
		i, ok = stats.EffectiveInterval(mean, se, n, level)
		inOrder(t, "effective Wilson", i, ok, 0, 1)
		i, ok = stats.TInterval(mean, se, n, level)
		inOrder(t, "t interval", i, ok, -math.MaxFloat64, math.MaxFloat64)
		p, ok := stats.PassAtK(n, x, n-x)
		isP(t, "pass@k", p, ok)
	})
}

func FuzzPairs(f *testing.F) {
	f.Add(29, 4, 1, 0.95, byte(0))
	f.Add(0, 0, 0, 0.95, byte(3))
	f.Add(10_000_000, 4_999_999, 5_000_001, 1e-9, byte(1))
	f.Add(math.MaxInt, math.MaxInt, 1, math.NaN(), byte(200))
	f.Fuzz(func(t *testing.T, n, loss, gain int, level float64, test byte) {
		i, ok := stats.Tango(n, loss, gain, level)
		inOrder(t, "Tango", i, ok, -1, 1)
		p, ok := stats.McNemar(loss, gain, stats.PairedTest(test%2))
		isP(t, "McNemar", p, ok)
		p, ok = stats.MDE(n%200, level, 0.05)
		isP(t, "MDE", p, ok)
	})
}

// Each byte is the votes of a class, and how many thirds of them are right.
func FuzzItem(f *testing.F) {
	f.Add([]byte{13, 6, 2}, 0, 3, byte(0))
	f.Add([]byte{}, 3, 2, byte(7))
	f.Add([]byte{255, 255, 255, 1, 1, 1}, -1, 100, byte(4))
	f.Fuzz(func(t *testing.T, votes []byte, empty, k int, vote byte) {
		it := stats.Item{Empty: empty}
		for _, v := range votes {
			it.Classes = append(it.Classes, stats.Class{Votes: int(v / 4), Right: int(v/4) * int(v%4) / 3})
		}
		v := stats.Vote{NoQuorum: vote&1 == 1}
		p, ok := it.MajAtK(k, v)
		isP(t, "maj@k", p, ok)
		p, _, ok = it.Unanimity(k)
		isP(t, "unanimity", p, ok)
	})
}

// Each eight bytes are a number of any kind, NaN and infinities included.
func FuzzScores(f *testing.F) {
	f.Add(numbers(-1, -2./3, 1./3, 0), uint64(1))
	f.Add(numbers(math.NaN(), math.Inf(1), 5e-324, math.MaxFloat64), uint64(0))
	f.Add([]byte{}, uint64(9))
	f.Fuzz(func(t *testing.T, raw []byte, seed uint64) {
		var scores []float64
		var answers []stats.Graded
		var clusters []int
		for i := 0; len(raw) >= 8; i, raw = i+1, raw[8:] {
			v := math.Float64frombits(binary.LittleEndian.Uint64(raw))
			scores = append(scores, v)
			answers = append(answers, stats.Graded{Confidence: v, Correct: i%2 == 0})
			clusters = append(clusters, i/3)
		}
		p, ok := stats.SignFlipTest(scores, seed, 50)
		isP(t, "sign-flip p", p, ok)
		if c, ok := stats.ClusteredError(clustered(scores, clusters)); ok && !(c.SE >= 0 && c.SE <= math.MaxFloat64) {
			t.Errorf("clustered error %+v", c)
		}
		if r, ok := stats.ICC([][]float64{scores, scores}); ok && !(r <= 1) {
			t.Errorf("ICC %+v", r)
		}
		if c, ok := stats.Calibrate(answers); ok {
			isP(t, "ECE", c.ECE, true)
			isP(t, "Brier", c.Brier, true)
			isP(t, "AURC", c.AURC, true)
		}
		if adjusted, ok := stats.Holm(scores); ok {
			for _, p := range adjusted {
				isP(t, "adjusted p", p, true)
			}
		}
	})
}

func numbers(values ...float64) []byte {
	var out []byte
	for _, v := range values {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
	}
	return out
}
