package usefulness_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/model"
)

// instant answers at once, so that only the time of this package is measured.
type instant struct{}

func (instant) Score(context.Context, model.ScoreRequest) (model.Scores, error) {
	return model.Scores{Tokens: []model.TokenScore{{Token: " 7", LogProb: -1}}}, nil
}

// BenchmarkMeasure measures calls with results of 10 KB, as searches return them. One operation is a scoring: there are
// three for each call.
func BenchmarkMeasure(b *testing.B) {
	var all []tracesOf
	for i := range 100 {
		all = append(all, tracesOf{query: fmt.Sprint("q", i), answer: "7", results: []string{fmt.Sprint(i, strings.Repeat(" text", 2000))}})
	}
	golds := goldsOf(all)
	run := newRun(b, true, all...)
	requests := 0
	for b.Loop() {
		o := options(instant{})
		requests++
		o.Scorer.Version = fmt.Sprint(requests) // so that nothing is in the cache
		if _, err := usefulness.Measure(b.Context(), run, golds, o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(requests)/300, "µs/scoring")
}
