package gate

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// truthA are the rates of 29 queries that are nearly all right, truthB what 15 traces of them show.
func truthA() []float64 {
	rates := make([]float64, 0, 29)
	for range 24 {
		rates = append(rates, .995)
	}
	return append(rates, .9, .9, .9, .6, .6)
}

func truthB() []float64 {
	rates := make([]float64, 0, 29)
	for _, right := range append(make15(24), 14, 13, 14, 9, 9) {
		rates = append(rates, (right+.5)/16)
	}
	return rates
}

func make15(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 15
	}
	return out
}

// simulateChange tells how often the gate finds one change.
func simulateChange(ctx context.Context, rates []float64, cfg SimConfig, c Change) (Found, error) {
	d, err := newDraws(rates, cfg)
	if err != nil {
		return Found{}, err
	}
	return d.simulate(ctx, c, 0)
}

// TestOperatingFigures compares the simulation with figures of another implementation, which rest
// on 20,000 runs and more.
func TestOperatingFigures(t *testing.T) {
	const runs = 500
	for _, c := range []struct {
		what       string
		truth      []float64
		k, pool    int
		alpha      float64
		change     Change
		found      float64
		mean, most float64 // fresh traces, mean and 95th percentile; 0 where the table has none, or chance much
	}{
		{"A unchanged", truthA(), 3, 5, 0, Change{}, .0004, 10.3, 0},
		{"B unchanged", truthB(), 3, 5, 0, Change{}, .0004, 14.6, 0},
		{"A one broken", truthA(), 3, 5, 0, Change{Items: []int{0}, To: .05}, .9995, 12, 27},
		{"B one broken", truthB(), 3, 5, 0, Change{Items: []int{0}, To: .05}, .997, 0, 0},
		{"A two broken", truthA(), 3, 5, 0, Change{Items: []int{0, 1}, To: .05}, 1, 0, 0},
		{"A one to half", truthA(), 3, 5, 0, Change{Items: []int{0}, To: .5}, .505, 47, 174},
		{"B one to half", truthB(), 3, 5, 0, Change{Items: []int{0}, To: .5}, .308, 0, 0},
		{"A flaky breaks", truthA(), 3, 5, 0, Change{Items: []int{28}, To: .05}, .637, 28, 51},
		{"B flaky breaks", truthB(), 3, 5, 0, Change{Items: []int{28}, To: .05}, .598, 0, 0},
		{"A loses 5", truthA(), 3, 5, 0, Change{Drop: .05}, .564, 160, 264},
		{"B loses 5", truthB(), 3, 5, 0, Change{Drop: .05}, .235, 0, 0},
		{"A loses 10", truthA(), 3, 5, 0, Change{Drop: .10}, .991, 124, 192},
		{"B loses 10", truthB(), 3, 5, 0, Change{Drop: .10}, .897, 0, 0},
		{"A loses 5, alpha .01", truthA(), 3, 5, .01, Change{Drop: .05}, .718, 0, 0},
		{"K=1, one broken", truthA(), 1, 15, 0, Change{Items: []int{0}, To: .05}, .948, 0, 0},
		{"K=1, short pool, one broken", truthA(), 1, 5, 0, Change{Items: []int{0}, To: .05}, .929, 0, 0},
		{"K=2, loses 10", truthA(), 2, 8, 0, Change{Drop: .10}, .95, 0, 0},
		{"m=30, one to half", truthA(), 3, 10, 0, Change{Items: []int{0}, To: .5}, .81, 0, 0},
		{"K=10, one to half", truthA(), 10, 5, 0, Change{Items: []int{0}, To: .5}, .95, 0, 0},
	} {
		got, err := simulateChange(context.Background(), c.truth, SimConfig{K: c.k, PoolRuns: c.pool, Runs: runs, Seed: 1, Options: Options{Alpha: c.alpha}}, c.change)
		if err != nil {
			t.Fatal(err)
		}
		// Four standard errors of this simulation, and half a unit of the table's last digit.
		if off := 4*math.Sqrt(c.found*(1-c.found)/runs) + .006; math.Abs(got.Found.Value-c.found) > off {
			t.Errorf("%s: found %.4f, want %.4f within %.4f", c.what, got.Found.Value, c.found, off)
		}
		if c.mean > 0 && math.Abs(got.Fresh-c.mean) > .15*c.mean+1 || c.most > 0 && math.Abs(float64(got.FreshP95)-c.most) > .3*c.most+2 {
			t.Errorf("%s: %.1f fresh traces, 95th percentile %d; want %.1f and %.0f", c.what, got.Fresh, got.FreshP95, c.mean, c.most)
		}
	}
}

// The same seed gives the same figures, and a change is found more often than none.
func TestSimulate(t *testing.T) {
	rates, cfg := Posterior(evidence(), Options{})
	if len(rates) != 7 || rates[0] != 15.5/16 || cfg.Histories[6] != 15 || cfg.K != 3 {
		t.Fatalf("rates %v, %+v", rates, cfg)
	}
	cfg.Runs = 100
	one, err := Simulate(context.Background(), rates, cfg)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Simulate(context.Background(), rates, cfg)
	if diff := cmp.Diff(one, again); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if len(one.Changes) != 6 || one.Changes[0].Found.Found.Value < .9 || one.Unchanged.Found.Value > .05 || one.MDE == nil || one.Unchanged.FreshP95 < int(one.Unchanged.Fresh) {
		t.Errorf("%+v", one)
	}
	cfg.Options.NoFresh = "off"
	if got, err := simulateChange(context.Background(), rates, cfg, Change{Items: []int{0}}); err != nil || got.Fresh != 0 || got.Found.Value != 0 {
		t.Errorf("without fresh traces %+v, %v", got, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Simulate(ended, rates, cfg); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	frozen := evidence(func(e *Evidence) {
		e.FrozenRuns = 12
		for i := range e.Items {
			e.Items[i].Frozen = of(36, 36)
		}
	})
	rates, cfg = Posterior(frozen, Options{})
	cfg.Runs = 100
	if got, err := Simulate(context.Background(), rates, cfg); err != nil || !got.Frozen || got.Changes[0].Found.Found.Value < .9 {
		t.Errorf("beside a frozen baseline %+v, %v", got, err)
	}
}

func TestSimulateRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		rates []float64
		cfg   SimConfig
		c     Change
	}{
		"no queries":   {nil, SimConfig{K: 3, PoolRuns: 5}, Change{}},
		"no traces":    {[]float64{.9}, SimConfig{PoolRuns: 5}, Change{}},
		"no rate":      {[]float64{1.1}, SimConfig{K: 3, PoolRuns: 5}, Change{}},
		"an odd alpha": {[]float64{.9}, SimConfig{K: 3, PoolRuns: 5, Options: Options{Alpha: 3}}, Change{}},
	} {
		if _, err := simulateChange(context.Background(), c.rates, c.cfg, c.c); err == nil {
			t.Errorf("%s is simulated", name)
		}
	}
}

func TestParseRates(t *testing.T) {
	if got, err := ParseRates("2x0.9, 0.6"); err != nil || !slices.Equal(got, []float64{0.9, 0.9, 0.6}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"", "x0.9", "0x0.9", "2x", "2x0.9,", "-1x0.9", "100001x0.9"} {
		if got, err := ParseRates(text); err == nil {
			t.Errorf("%q: %d rates", text, len(got))
		}
	}
}

// TestShareOfWork: it rises to the end, and does not change the figures.
func TestShareOfWork(t *testing.T) {
	cfg := SimConfig{K: 3, PoolRuns: 5, Runs: 300, Seed: 1}
	rates := []float64{.9, .9, .6, .995}
	want, err := Simulate(context.Background(), rates, cfg)
	if err != nil {
		t.Fatal(err)
	}
	var shares []float64
	cfg.OnShare = func(share float64) { shares = append(shares, share) }
	got, err := Simulate(context.Background(), rates, cfg)
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v, %+v, want %+v", err, got, want)
	}
	if last := shares[len(shares)-1]; !slices.IsSorted(shares) || shares[0] != 0 || last != 1 {
		t.Errorf("shares %v, want them to rise from 0 to 1", shares)
	}
}
