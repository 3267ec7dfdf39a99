package result_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// judgedRun is a run of n queries of which a share is right, by a judge with this sensitivity and
// specificity, in which agreement tells something of both. right is what a person would say.
func judgedRun(draw *rand.Rand, n int, rate, sens, spec float64) (records []store.Record, right map[string]bool) {
	right = map[string]bool{}
	for i := range n {
		id := fmt.Sprintf("q-%d", i)
		right[id] = draw.Float64() < rate
		says := judge.Incorrect
		if right[id] == (draw.Float64() < map[bool]float64{true: sens, false: spec}[right[id]]) {
			says = judge.Correct
		}
		agreement := 1.0
		if unanimous := map[bool]float64{true: .9, false: .4}[right[id]]; draw.Float64() > unanimous {
			agreement = 2.0 / 3
		}
		text, first := "x", 0
		records = append(records, store.Record{
			Configuration: "a", Query: id, Category: "lookup",
			Answers:   []store.Answer{{Answer: &text, Key: &text, Outcome: trace.Answered, StopReason: trace.Final, Verdict: says}},
			Consensus: consensus.Decision{Method: consensus.Single, Representative: &first, Agreement: &agreement},
			Verdict:   judge.Verdict{Verdict: says, By: judge.ByCorrectness},
		})
	}
	return records, right
}

// order is that of labels, of one kind.
func order(records []store.Record, seed int64, uniform bool) []labels.Candidate {
	out, err := labels.Order(records, seed, uniform)
	if err != nil {
		panic(err)
	}
	return out
}

// label gives the first answers of the order a person's label.
func label(records []store.Record, right map[string]bool, seed int64, uniform bool, most int) {
	at := map[string]int{}
	for i, r := range records {
		at[r.Query] = i
	}
	for _, c := range order(records, seed, uniform)[:most] {
		v := judge.Incorrect
		if right[c.Record.Query] {
			v = judge.Correct
		}
		r := &records[at[c.Record.Query]]
		r.Label = &store.Labelled{Label: store.Label{Configuration: "a", Query: r.Query, Verdict: v, Draw: &c.Draw}, Before: r.Verdict}
		r.Verdict = judge.Verdict{Verdict: v, By: judge.ByPerson}
	}
}

func corrected(tb testing.TB, records []store.Record) *result.Labels {
	r, err := result.Summarize(manifest(len(records), 1, "a"), all(records, nil))
	if err != nil {
		tb.Fatal(err)
	}
	return r.Configurations[0].Labels
}

func TestLabels(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		labels  int
		uniform bool
		method  string
	}{{29, true, ""}, {30, true, "PPI++"}, {60, false, "Horvitz-Thompson"}, {200, false, "Horvitz-Thompson"}} {
		records, right := judgedRun(draw, 200, .7, .95, .7)
		truth := 0.0
		for _, r := range right {
			if r {
				truth += 1.0 / 200
			}
		}
		label(records, right, 3, c.uniform, c.labels)
		l := corrected(t, records)
		if l == nil || l.Given != c.labels || l.Drawn != c.labels || l.Overruled == 0 {
			t.Fatalf("%d labels: %+v", c.labels, l)
		}
		switch k := l.Corrected; {
		case c.method == "":
			if k != nil {
				t.Errorf("%d labels correct the rate: %+v; want %d at least", c.labels, k, result.MinLabels)
			}
		case k == nil || k.Method != c.method || k.Labels != c.labels:
			t.Errorf("%d labels: %+v; want %s", c.labels, k, c.method)
		case c.labels == 200 && (k.Rate < truth-1e-9 || k.Rate > truth+1e-9):
			t.Errorf("labels on every answer give %v; the rate is %v", k.Rate, truth)
		case k.CI.High-k.CI.Low < .01:
			t.Errorf("%d labels: the interval %+v has no width", c.labels, k.CI)
		}
	}
}

// Labels of a run give a judge's sensitivity and specificity as they are, though answers that the
// judge refused, and those on which traces disagree, were drawn more often.
func TestLabelledWeighs(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	var passed, refused, raw, right, wrong, n float64
	for seed := range int64(100) {
		records, truth := judgedRun(draw, 200, .7, .95, .7)
		label(records, truth, seed, false, 60)
		var queries []datasets.Query
		before := map[string]judge.Ruling{}
		for _, r := range records {
			queries = append(queries, datasets.Query{ID: r.Query, Text: r.Query})
			before[r.Query] = r.Before().Verdict
		}
		list, err := labels.Labelled("run", records, datasets.New("d", queries))
		if err != nil || len(list) != 60 {
			t.Fatal(len(list), err)
		}
		for _, l := range list {
			switch pass := before[l.Query.ID] == judge.Correct; {
			case l.Right:
				right += l.Weight
				n++
				if pass {
					passed += l.Weight
					raw++
				}
			default:
				wrong += l.Weight
				if !pass {
					refused += l.Weight
				}
			}
		}
	}
	if sens, spec, unweighted := passed/right, refused/wrong, raw/n; math.Abs(sens-.95) > .015 || math.Abs(spec-.7) > .03 || unweighted > .94 {
		t.Errorf("sensitivity %.3f (without weights %.3f), specificity %.3f; want .95, less, and .7", sens, unweighted, spec)
	}
	if right >= n {
		t.Errorf("%v right answers count as %v; want fewer, for their unequal weights", n, right)
	}
}

// A weight is never below a tenth of the mean, and the order is that of the draws.
func TestOrderOfLabels(t *testing.T) {
	records, right := judgedRun(rand.New(rand.NewPCG(5, 2)), 300, .95, .99, .5)
	first := order(records, 1, false)
	mean := 0.0
	for _, c := range first {
		mean += c.Draw.Weight / float64(len(first))
	}
	for i, c := range first {
		if c.Draw.Weight < mean/10 || i > 0 && (c.Draw.At < first[i-1].Draw.At || first[i-1].Draw.Next != c.Draw.At) {
			t.Fatalf("%d: %+v after %+v, mean weight %v", i, c.Draw, first[max(0, i-1)].Draw, mean)
		}
	}
	label(records, right, 1, false, 40)
	for i, c := range order(records, 1, false) {
		if c.Record.Query != first[i].Record.Query {
			t.Fatalf("labels change the order: %d is %s, was %s", i, c.Record.Query, first[i].Record.Query)
		}
	}
}

// BenchmarkCorrectedRates prints how often the interval of a rate that is corrected by labels
// holds the truth, for a judge of sensitivity .95 and specificity .7.
func BenchmarkCorrectedRates(b *testing.B) {
	for _, truth := range []float64{.7, .9} {
		for _, uniform := range []bool{true, false} {
			for _, n := range []int{30, 60, 150} {
				b.Run(fmt.Sprintf("right=%g/uniform=%t/labels=%d", truth, uniform, n), func(b *testing.B) {
					draw := rand.New(rand.NewPCG(7, 9))
					held, width := 0.0, 0.0
					const runs, queries = 1000, 300
					for i := range runs {
						records, right := judgedRun(draw, queries, truth, .95, .7)
						label(records, right, int64(i), uniform, n)
						k := corrected(b, records).Corrected
						if k.CI.Low <= truth && truth <= k.CI.High {
							held++
						}
						width += k.CI.High - k.CI.Low
					}
					covers(b, held, runs)
					b.ReportMetric(100*width/runs, "points-wide")
				})
			}
		}
	}
}

// covers fails where 95 % intervals hold the truth in fewer than 94 of 100 runs.
func covers(b *testing.B, held, runs float64) {
	b.ReportMetric(100*held/runs, "%held")
	if held < .94*runs {
		b.Errorf("the interval holds the truth in %v of %v runs", held, runs)
	}
}

// BenchmarkCalibratedRates prints the same of a rate that is corrected by a calibration on other
// answers, as many right as wrong, by Rogan and Gladen.
func BenchmarkCalibratedRates(b *testing.B) {
	const runs, queries, truth, sens, spec = 1000, 300, .7, .95, .7
	for _, n := range []int{100, 200} {
		b.Run(fmt.Sprintf("labels=%d", n), func(b *testing.B) {
			draw := rand.New(rand.NewPCG(7, 9))
			held, width := 0.0, 0.0
			for range runs {
				whole := judge.Agreed{}
				for range n / 2 {
					if draw.Float64() < sens {
						whole.RightPassed++
					} else {
						whole.RightFailed++
					}
					if draw.Float64() < spec {
						whole.WrongFailed++
					} else {
						whole.WrongPassed++
					}
				}
				whole.Sensitivity = &judge.Share{Value: whole.RightPassed / float64(n/2)}
				whole.Specificity = &judge.Share{Value: whole.WrongFailed / float64(n/2)}
				records, _ := judgedRun(draw, queries, truth, sens, spec)
				m := manifest(queries, 1, "a")
				m.Configurations[0].Pass, m.Configurations[0].Calibration = judge.PassCorrectness, &judge.Calibration{Answers: n, Whole: whole}
				r, err := result.Summarize(m, all(records, nil))
				if err != nil {
					b.Fatal(err)
				}
				k := r.Configurations[0].Corrected
				if k.CI.Low <= truth && truth <= k.CI.High {
					held++
				}
				width += k.CI.High - k.CI.Low
			}
			covers(b, held, runs)
			b.ReportMetric(100*width/runs, "points-wide")
		})
	}
}
