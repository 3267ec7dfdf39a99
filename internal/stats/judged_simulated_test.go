package stats_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seed-5817661a/concur/internal/stats"
)

// coin is 1 with probability p.
func coin(draw *rand.Rand, p float64) float64 { return stats.Bit(draw.Float64() < p) }

// judgedPair is what a judge and people say of one query in two rows, the second of which is worse by drop.
func judgedPair(draw *rand.Rand, drop, sens, spec float64) (judged, right float64) {
	p := []float64{.98, .9, .8, .5, .2}[draw.IntN(5)]
	says := func(right float64) float64 {
		if right == 1 {
			return coin(draw, sens)
		}
		return 1 - coin(draw, spec)
	}
	a, b := coin(draw, p), coin(draw, max(0, p-drop))
	return says(b) - says(a), b - a
}

// covers fails where 95 % intervals hold the truth in fewer than 94 of 100 runs.
func covers(b *testing.B, n, runs int) {
	b.ReportMetric(100*float64(n)/float64(runs), "%held")
	if float64(n) < .94*float64(runs) {
		b.Errorf("the interval holds the truth in %d of %d runs", n, runs)
	}
}

// BenchmarkCorrectedDifferences prints how often intervals of differences of right answers, behind what a judge
// passed, hold the truth.
func BenchmarkCorrectedDifferences(b *testing.B) {
	const runs = 10_000
	for _, j := range []struct{ sens, spec float64 }{{.95, .8}, {.875, .575}, {.8, .95}} {
		for _, size := range []struct{ right, wrong, queries int }{{100, 60, 60}, {40, 40, 150}, {200, 200, 300}} {
			for _, drop := range []float64{0, .15} {
				b.Run(fmt.Sprintf("calibration=%d+%d/sens=%g/spec=%g/n=%d/drop=%g", size.right, size.wrong, j.sens, j.spec, size.queries, drop), func(b *testing.B) {
					draw := rand.New(rand.NewPCG(3, 8))
					n := 0
					for range runs {
						var losses, gains, passed, refused int
						for range size.queries {
							switch d, _ := judgedPair(draw, drop, j.sens, j.spec); d {
							case 1:
								gains++
							case -1:
								losses++
							}
						}
						for range size.right {
							passed += int(coin(draw, j.sens))
						}
						for range size.wrong {
							refused += int(coin(draw, j.spec))
						}
						ci, _ := stats.Tango(size.queries, losses, gains, .95)
						errors := stats.JudgeErrors{
							Sensitivity: float64(passed) / float64(size.right), Right: float64(size.right),
							Specificity: float64(refused) / float64(size.wrong), Wrong: float64(size.wrong),
						}
						_, corrected, _, ok := stats.CorrectDifference(float64(gains-losses)/float64(size.queries), ci, errors, .95)
						if !ok || corrected.Low <= -drop && -drop <= corrected.High { // no interval says nothing wrong
							n++
						}
					}
					covers(b, n, runs)
				})
			}
		}
	}
	for _, labels := range []int{30, 60, 150} {
		for _, drop := range []float64{0, .15} {
			b.Run(fmt.Sprintf("labels=%d/n=300/drop=%g", labels, drop), func(b *testing.B) {
				draw := rand.New(rand.NewPCG(3, 8))
				n := 0
				for range runs {
					judged := make([]float64, 300)
					var audited []stats.AuditedDifference
					for i := range judged {
						d, right := judgedPair(draw, drop, .9, .7)
						if judged[i] = d; i < labels {
							audited = append(audited, stats.AuditedDifference{Judged: d, Right: right})
						}
					}
					e, _ := stats.PPIDifference(audited, judged)
					ci, _, ok := stats.CautiousDifference(e, labels, .95, .05)
					if ok && ci.Low <= -drop && -drop <= ci.High {
						n++
					}
				}
				covers(b, n, runs)
			})
		}
	}
}
