package stats_test

import (
	"math"
	"testing"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestLogEBelowVectors(t *testing.T) {
	type in struct{ Right, Wrong, Rate float64 }
	type out struct {
		LogE float64 `json:"log_e"`
	}
	vectors3(t, "e_below", func(t *testing.T, in in, want out) {
		got, ok := stats.LogEBelow(in.Right, in.Wrong, in.Rate)
		number(t, "log e", got, ok, want.LogE, tenDigits)
	})
}

func TestRateSequenceVectors(t *testing.T) {
	type in struct{ Right, Wrong, Alpha float64 }
	type out struct{ CI [2]float64 }
	vectors3(t, "cs_rate", func(t *testing.T, in in, want out) {
		got, ok := stats.RateSequence(in.Right, in.Wrong, in.Alpha)
		interval(t, "rate", got, ok, want.CI, rootDigits)
	})
}

func TestClopperPearsonLowerVectors(t *testing.T) {
	type in struct{ Right, Traces, Alpha float64 }
	type out struct{ Low float64 }
	vectors3(t, "baseline_lower", func(t *testing.T, in in, want out) {
		got, ok := stats.ClopperPearsonLower(in.Right, in.Traces, 1-in.Alpha)
		number(t, "lower end", got, ok, want.Low, tenDigits)
	})
}

func TestRankMartingaleVectors(t *testing.T) {
	type in struct{ P []float64 }
	type out struct {
		LogM float64 `json:"log_m"`
	}
	vectors3(t, "rank_martingale", func(t *testing.T, in in, want out) {
		var m stats.RankMartingale
		number(t, "of no night", m.Log(), true, 0, tenDigits)
		for _, p := range in.P {
			m.Add(p)
		}
		number(t, "log M", m.Log(), true, want.LogM, tenDigits)
	})
}

func TestTraceCorrelationVectors(t *testing.T) {
	type in struct {
		Right []int
		K     int
	}
	type out struct {
		Rho   float64
		CI    [2]float64
		NEff  float64    `json:"n_eff"`
		NEffI [2]float64 `json:"n_eff_ci"`
	}
	vectors3(t, "rho", func(t *testing.T, in in, want out) {
		got, ok := stats.NewTraceCorrelation(in.Right, in.K, 0.95)
		number(t, "rho", got.Rho, ok, want.Rho, tenDigits)
		number(t, "effective traces", got.Effective, ok, want.NEff, tenDigits)
		mixed := 0
		for _, x := range in.Right {
			if x < in.K {
				mixed++
			}
		}
		if mixed < 10 { // too few for an interval: twice the queries have the same correlation
			if got.RhoCI != nil || got.EffectiveCI != nil {
				t.Errorf("interval %v of %d queries with a wrong trace", got.RhoCI, mixed)
			}
			return
		}
		interval(t, "rho", *got.RhoCI, ok, want.CI, tenDigits)
		interval(t, "effective traces", *got.EffectiveCI, ok, want.NEffI, tenDigits)
	})
}

// A rank among earlier nights: low counts of right traces are bad.
func TestRankP(t *testing.T) {
	earlier := []float64{20, 22, 22, 25}
	for _, c := range []struct{ now, u, want float64 }{
		{19, 1, .2}, {19, .5, .1}, {20, .5, .2}, {22, .5, (1 + .5*3) / 5}, {25, 1, 1}, {30, .5, .9},
	} {
		if got := stats.RankP(earlier, c.now, c.u); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v right with u %v: p %v, want %v", c.now, c.u, got, c.want)
		}
	}
	if p := stats.RankP(nil, 7, .5); p != .5 {
		t.Errorf("the first night has p %v, want u", p)
	}
}

func TestSeriesDomains(t *testing.T) {
	for name, undefined := range map[string]func() bool{
		"e of negative counts":   func() bool { _, ok := stats.LogEBelow(-1, 2, .5); return ok },
		"e of NaN":               func() bool { _, ok := stats.LogEBelow(math.NaN(), 2, .5); return ok },
		"e of too many":          func() bool { _, ok := stats.LogEBelow(2e7, 2, .5); return ok },
		"e at a rate of 1":       func() bool { _, ok := stats.LogEBelow(1, 2, 1); return ok },
		"sequence at alpha 0":    func() bool { _, ok := stats.RateSequence(1, 2, 0); return ok },
		"sequence of Inf":        func() bool { _, ok := stats.RateSequence(math.Inf(1), 2, .05); return ok },
		"lower end of NaN":       func() bool { _, ok := stats.ClopperPearsonLower(math.NaN(), 2, .975); return ok },
		"lower end above n":      func() bool { _, ok := stats.ClopperPearsonLower(3, 2, .975); return ok },
		"correlation, K=1":       func() bool { _, ok := stats.NewTraceCorrelation([]int{0, 1}, 1, .95); return ok },
		"correlation, all right": func() bool { _, ok := stats.NewTraceCorrelation([]int{3, 3, 3}, 3, .95); return ok },
		"correlation above K":    func() bool { _, ok := stats.NewTraceCorrelation([]int{3, 4}, 3, .95); return ok },
	} {
		if undefined() {
			t.Errorf("%s is defined", name)
		}
	}
	if i, ok := stats.RateSequence(0, 0, .05); !ok || i.Low != 0 || i.High != 1 {
		t.Errorf("the sequence of no trace is %v", i)
	}
	var m stats.RankMartingale
	m.Add(0)
	m.Add(math.NaN())
	if m.Log() != 0 {
		t.Errorf("p-values of 0 and NaN make the martingale %v", m.Log())
	}
}
