package stats_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-5817661a/concur/internal/stats"
)

const tables = 1000 // of a simulation; an error of .016 at .5, of .007 at .05

// Twelve documents of five queries, each right or wrong as a whole: McNemar's test over queries finds a difference of two
// equal rows in four of ten tables, that of clusters in at most one of twenty (docs/method.md §5.3).
func TestClustersHaveNoFalseCalls(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 3))
	byQuery, byCluster, covered := 0, 0, 0
	for range tables {
		var d, verdicts []float64
		var cluster []int
		loss, gain := 0, 0
		for document := range 12 {
			was, is := stats.Bit(r.Float64() < .7), stats.Bit(r.Float64() < .7)
			for range 5 {
				d, verdicts, cluster = append(d, is-was), append(verdicts, is), append(cluster, document)
				if is < was {
					loss++
				} else if is > was {
					gain++
				}
			}
		}
		if p, _ := stats.McNemar(loss, gain, stats.MidP); p <= .05 {
			byQuery++
		}
		paired, _ := stats.NewPairedDifference(clustered(d, cluster), 1)
		if p, ok := paired.SignFlip(1, 0); !ok || p <= .05 {
			byCluster++
		}
		if _, ci, ok := stats.ClusteredRate(clustered(verdicts, cluster), .95); ok && ci != nil && ci.Low <= .7 && .7 <= ci.High {
			covered++
		}
	}
	t.Logf("false calls: %.3f over queries, %.3f over clusters; the rate's interval covers %.3f", share(byQuery), share(byCluster), share(covered))
	if share(byQuery) < .3 || share(byCluster) > .05 || share(covered) < .94 {
		t.Errorf("false calls %v and %v, coverage %v", share(byQuery), share(byCluster), share(covered))
	}
}

func share(n int) float64 { return float64(n) / tables }

// spread are true rates of queries of all kinds.
func spread() []float64 { return []float64{.05, .3, .45, .55, .65, .75, .8, .85, .9, .95, .97, 1, 1} }

// On 60 queries with three traces each, single traces show ten points as often as the law says, in far more tables than
// votes do; unchanged rows are called in about one of twenty (docs/method.md §5.4: .95 with the rates of gold29).
func TestSingleTracesFindTenPoints(t *testing.T) {
	for _, law := range []struct {
		name  string
		rates []float64
		least float64 // share of tables
	}{{"spread", spread(), .55}, {"gold29", gold29(), .90}} {
		r := rand.New(rand.NewPCG(38, 4))
		single, votes, covered := called(r, law.rates, .1)
		power, _ := stats.Law{Points: law.rates}.SinglePower(stats.Design{Queries: 60, K: [2]float64{3, 3}, Level: .05}, .1)
		t.Logf("%s, ten points: single traces find %.3f, the law says %.3f; votes %.3f; the interval covers %.3f", law.name, single, power, votes, covered)
		if single < law.least || !near(single, power, .05) || votes > single-.2 || covered < .93 {
			t.Errorf("%s: found %v by traces and %v by votes, coverage %v", law.name, single, votes, covered)
		}
		single, _, covered = called(r, law.rates, 0)
		t.Logf("%s, unchanged: single traces call %.3f, the interval covers %.3f", law.name, single, covered)
		if single > .07 || covered < .93 {
			t.Errorf("%s, unchanged: called %v, coverage %v", law.name, single, covered)
		}
	}
}

// called is in which share of tables single traces and votes call a drop of every rate worse, or an unchanged row anything
// but the same, and in which the interval of single traces holds the true difference.
func called(r *rand.Rand, rates []float64, drop float64) (single, votes, covered float64) {
	draw := func(p float64) (right int) {
		for range 3 {
			if r.Float64() < p {
				right++
			}
		}
		return right
	}
	var traces, voted, held int
	for range tables {
		var d []float64
		loss, gain, fall := 0, 0, 0.0
		for i := range 60 {
			p := rates[i%len(rates)]
			q := max(0, p-drop)
			was, is := draw(p), draw(q)
			fall += (q - p) / 60
			d = append(d, float64(is-was)/3)
			if was >= 2 && is < 2 {
				loss++
			} else if was < 2 && is >= 2 {
				gain++
			}
		}
		paired, _ := stats.NewPairedDifference(stats.ValuesOf(d...), 3)
		if p, _ := paired.P(); p <= .05 && (drop == 0 || paired.Mean < 0) {
			traces++
		}
		if p, _ := stats.McNemar(loss, gain, stats.MidP); p <= .05 && (drop == 0 || loss > gain) {
			voted++
		}
		if i, _ := paired.Interval(.95); i.Low <= fall && fall <= i.High {
			held++
		}
	}
	return share(traces), share(voted), share(held)
}

// The median of printed minimum detectable effects is within a tenth of what is found in four of five
// tables, which is the effect of the law of the true rates (docs/method.md §5.6).
func TestMDEIsWhatIsFound(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 5))
	design := stats.Design{Queries: 60, K: [2]float64{3, 3}, Level: .05}
	for _, law := range []struct {
		name  string
		rates []float64
	}{{"spread", spread()}, {"gold29", gold29()}} {
		name, rates := law.name, law.rates
		truth := stats.Law{Points: rates}
		single, _ := truth.SingleMDE(design)
		vote, _ := truth.VoteMDE(design)
		if name == "gold29" && (!near(single, .074, 5e-4) || !near(vote, .130, 5e-4)) {
			t.Errorf("%s: %v by single traces, %v by votes", name, single, vote)
		}
		var singles, votes []float64
		for range 25 {
			var right, traces []int
			for i := range 60 {
				x := 0
				for range 3 {
					if r.Float64() < rates[i%len(rates)] {
						x++
					}
				}
				right, traces = append(right, x), append(traces, 3)
			}
			l, _ := stats.NewLaw(right, traces)
			s, ok := l.SingleMDE(design)
			v, defined := l.VoteMDE(design)
			if !ok || !defined {
				t.Fatal("no minimum detectable effect")
			}
			singles, votes = append(singles, s), append(votes, v)
		}
		s, v := median(singles), median(votes)
		t.Logf("%s: single traces %.3f, printed %.3f; votes %.3f, printed %.3f", name, single, s, vote, v)
		if !near(s/single, 1, .1) || !near(v/vote, 1, .1) {
			t.Errorf("%s: single traces %v, printed %v; votes %v, printed %v", name, single, s, vote, v)
		}
	}
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
