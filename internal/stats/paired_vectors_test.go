package stats_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/seed-5817661a/concur/internal/stats"
)

// vectors3 reads a family of vectors for docs/method.md §5, each of which was computed in two ways.
func vectors3[In, Out any](t *testing.T, family string, check func(t *testing.T, in In, out Out)) {
	t.Helper()
	vectorsOf(t, "testdata/vectors3.json", family, check)
}

// vectorsOf reads a family of a file of vectors with inputs and outputs.
func vectorsOf[In, Out any](t *testing.T, file, family string, check func(t *testing.T, in In, out Out)) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var families map[string][]struct {
		In  json.RawMessage
		Out json.RawMessage
	}
	if err := json.Unmarshal(data, &families); err != nil {
		t.Fatal(err)
	}
	if len(families[family]) == 0 {
		t.Fatalf("there are no vectors %s", family)
	}
	for i, v := range families[family] {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var in In
			var out Out
			if err := json.Unmarshal(v.In, &in); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(v.Out, &out); err != nil {
				t.Fatal(err)
			}
			check(t, in, out)
		})
	}
}

const rootDigits = 1e-7 // of vectors that are roots and powers

func TestQueryMeanVectors(t *testing.T) {
	type in struct {
		S        []float64
		K        []int
		Clusters []string
	}
	type out *struct {
		Mean, SE float64
		CI       [2]float64
		G        int
		Eff      float64
	}
	vectors3(t, "mean_interval", func(t *testing.T, in in, want out) {
		got, ci, ok := stats.QueryMean(clustered(in.S, in.Clusters), tracesOf(in.K), 0.95)
		if want == nil {
			if !ok || ci != nil || got.Enough() {
				t.Fatalf("%+v %v, want a mean without an interval", got, ci)
			}
			return
		}
		number(t, "mean", got.Mean, ok, want.Mean, tenDigits)
		number(t, "G*", got.Effective, ok, want.Eff, tenDigits)
		if ci == nil || got.Clusters != want.G {
			t.Fatalf("%d units, interval %v, want %d and one", got.Clusters, ci, want.G)
		}
		interval(t, "interval", *ci, ok, want.CI, tenDigits)
	})
}

// A share of some queries is the rate of these alone.
func TestClusteredRateVectors(t *testing.T) {
	type in struct {
		Num, Den []float64
		Clusters []string
	}
	type out struct {
		Rate, Eff float64
		CI        *[2]float64
	}
	vectors3(t, "ratio_interval", func(t *testing.T, in in, want out) {
		var right []float64
		var cluster []string
		for i, of := range in.Den {
			if of == 1 {
				right, cluster = append(right, in.Num[i]), append(cluster, in.Clusters[i])
			}
		}
		got, ci, ok := stats.ClusteredRate(clustered(right, cluster), 0.95)
		number(t, "rate", got.Mean, ok, want.Rate, tenDigits)
		number(t, "G*", got.Effective, ok, want.Eff, tenDigits)
		if want.CI == nil || got.Clusters < stats.MinClusters {
			if ci != nil {
				t.Errorf("interval %v of %d clusters", *ci, got.Clusters)
			}
			return
		}
		interval(t, "interval", *ci, ok, *want.CI, tenDigits)
	})
}

func TestPairedDifferenceVectors(t *testing.T) {
	type in struct {
		D         []float64
		Clusters  []string
		Margin, K float64
	}
	type out *struct {
		Mean, Lost, Gained, SE, DF, Eff float64
		Pairs                           float64 `json:"n_eff"`
		CI                              [2]float64
		P                               float64 `json:"p_t"`
		NotWorse                        float64 `json:"p_noninferior"`
		Same                            float64 `json:"p_equal"`
	}
	vectors3(t, "diff_interval", func(t *testing.T, in in, want out) {
		got, ok := stats.NewPairedDifference(clustered(in.D, in.Clusters), in.K)
		p, defined := got.P()
		if want == nil {
			if !ok || defined {
				t.Fatalf("%+v has p = %v, want none", got, p)
			}
			return
		}
		number(t, "mean", got.Mean, ok, want.Mean, tenDigits)
		number(t, "lost", got.Falls, ok, want.Lost, tenDigits)
		number(t, "gained", got.Rises, ok, want.Gained, tenDigits)
		number(t, "error", got.SE, ok, want.SE, tenDigits)
		number(t, "pairs", got.Pairs/want.Pairs, ok, 1, tenDigits)
		number(t, "p", p, defined, want.P, tenDigits)
		i, defined := got.Interval(0.95)
		interval(t, "interval", i, defined, want.CI, tenDigits)
		notWorse, same, defined := got.Within(in.Margin)
		number(t, "not worse", notWorse, defined, want.NotWorse, tenDigits)
		number(t, "same", same, defined, want.Same, tenDigits)
	})
}

func TestSignFlipOfClustersVectors(t *testing.T) {
	type in struct{ Sums []float64 }
	type out struct{ P float64 }
	vectors3(t, "sign_flip_clusters", func(t *testing.T, in in, want out) {
		got, ok := stats.SignFlipTest(in.Sums, 1, stats.DefaultDraws)
		number(t, "p", got, ok, want.P, tenDigits)
	})
}

// fitted are the traces that a law is fitted to.
type fitted struct{ X, K []int }

func (f fitted) law(t *testing.T) stats.Law {
	t.Helper()
	l, ok := stats.NewLaw(f.X, f.K)
	if !ok {
		t.Fatal("the law is undefined")
	}
	return l
}

func TestLawVectors(t *testing.T) {
	type out struct {
		M, Omega2 float64
		Sigma2    *float64
		Point0    float64
		PointMid  float64 `json:"point_mid"`
		PointLast float64 `json:"point_last"`
		Points    int
	}
	vectors3(t, "baseline_law", func(t *testing.T, in fitted, want out) {
		l := in.law(t)
		number(t, "mean", l.Mean, true, want.M, tenDigits)
		number(t, "between", l.Between*l.Between, true, want.Omega2, tenDigits)
		if len(l.Points) != want.Points {
			t.Fatalf("%d points, want %d", len(l.Points), want.Points)
		}
		number(t, "first", l.Points[0], true, want.Point0, rootDigits)
		number(t, "middle", l.Points[want.Points/2], true, want.PointMid, rootDigits)
		number(t, "last", l.Points[want.Points-1], true, want.PointLast, rootDigits)
	})
}

// designed reads the design of a vector, whose traces have the name that its number of them has in other case.
type designed struct {
	X     []int
	Each  []int   `json:"k"`
	K     float64 `json:"-"`
	N     float64
	Drop  float64
	Delta float64
	Alpha float64
}

func (d *designed) UnmarshalJSON(raw []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return err
	}
	for name, into := range map[string]any{"x": &d.X, "k": &d.Each, "K": &d.K, "n": &d.N, "drop": &d.Drop, "delta": &d.Delta, "alpha": &d.Alpha} {
		if field, ok := fields[name]; ok {
			if err := json.Unmarshal(field, into); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d designed) design() stats.Design {
	return stats.Design{Queries: d.N, K: [2]float64{d.K, d.K}, Level: d.Alpha}
}

func TestPowerVectors(t *testing.T) {
	type out struct {
		Vote   float64 `json:"power_consensus"`
		Single float64 `json:"power_single"`
	}
	vectors3(t, "power", func(t *testing.T, in designed, want out) {
		l := fitted{in.X, in.Each}.law(t)
		got, ok := l.SinglePower(in.design(), in.Drop)
		number(t, "single", got, ok, want.Single, rootDigits)
		got, ok = l.VotePower(in.design(), in.Drop)
		number(t, "vote", got, ok, want.Vote, rootDigits)
	})
}

func TestLawMDEVectors(t *testing.T) {
	type out struct {
		Vote   float64 `json:"mde_consensus_points"`
		Single float64 `json:"mde_single_points"`
	}
	vectors3(t, "mde", func(t *testing.T, in designed, want out) {
		l := fitted{in.X, in.Each}.law(t)
		got, ok := l.SingleMDE(in.design())
		number(t, "single", got, ok, want.Single, rootDigits)
		got, ok = l.VoteMDE(in.design())
		number(t, "vote", got, ok, want.Vote, rootDigits)
	})
}

func TestQueriesVectors(t *testing.T) {
	type out struct {
		Vote   int `json:"n_consensus"`
		Single int `json:"n_single"`
	}
	vectors3(t, "plan", func(t *testing.T, in designed, want out) {
		l := fitted{in.X, in.Each}.law(t)
		single, ok := l.SingleQueries(in.Delta, int(in.K), in.Alpha)
		vote, defined := l.VoteQueries(in.Delta, int(in.K), in.Alpha)
		if !ok || !defined || single != want.Single || vote != want.Vote {
			t.Fatalf("%d and %d, %v, want %+v", single, vote, ok && defined, want)
		}
	})
}

// The vote's worth is the interval of a paired difference with one trace a query.
func TestVoteWorthVectors(t *testing.T) {
	type in struct {
		Right []int
		K     int `json:"K"`
	}
	type out struct {
		Mean float64
		CI   [2]float64
	}
	vectors3(t, "vote_worth", func(t *testing.T, in in, want out) {
		var d []float64
		for _, x := range in.Right {
			vote := 0.5
			if 2*x != in.K {
				vote = stats.Bit(2*x > in.K)
			}
			d = append(d, vote-float64(x)/float64(in.K))
		}
		got, ok := stats.NewPairedDifference(stats.ValuesOf(d...), 1)
		number(t, "mean", got.Mean, ok, want.Mean, tenDigits)
		i, ok := got.Interval(0.95)
		interval(t, "interval", i, ok, want.CI, tenDigits)
	})
}
