package series

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/internal/stats"
)

// DefaultPool is the number of accepted runs in the pool: the first runs after the last reset. The test by
// ranks needs this number.
const DefaultPool = 10

// enoughRuns is the number of accepted runs from which the test against the pool is useful. With a single run,
// an unchanged agent with bad hours is called worse in 9 of 100 series, and a drop of ten points is detected in
// 4 of 10.
const enoughRuns = 5

// The levels at which a series shows a drop. The level of the test against the pool is divided into two halves
// of 2.5 %: one for the lower end of the pool's rate, one for the nights.
const (
	poolAlarm = 40
	rankAlarm = 20
	lowLevel  = 0.975
	rateAlpha = 0.05
)

// mostE is the maximum of stored e-values; larger values give no further information.
const mostE = 1e12

// Series is the result of comparing an agent's nights with a pool of accepted runs.
type Series struct {
	Schema        string `json:"schema"`
	Configuration string `json:"configuration"`
	Queries       int    `json:"queries"`
	K             int    `json:"k"`        // traces per query; 0 if the nights have different K
	Clusters      int    `json:"clusters"` // clusters that are the units of the counts; 0 if traces are the units
	Pool          Pool   `json:"pool"`
	Nights        []Look `json:"nights"` // by the time of their start
	// Rate is the 95 % confidence sequence of the nights' mean rate, which is valid at all looks together.
	Rate *Interval `json:"rate"`
	// Since is the first night that shows a drop by one of the tests; nil if no night does. By is the test:
	// pool or ranks.
	Since *string `json:"since"`
	By    string  `json:"by"`
	// WithoutRanks is the reason why there is no test by ranks; "" if there is one.
	WithoutRanks string   `json:"without_ranks"`
	Warnings     []string `json:"warnings"`
}

// Pool holds the runs with which the nights are compared.
type Pool struct {
	Runs  []string `json:"runs"`
	Right float64  `json:"right"` // right traces, or the sum of the means of clusters; lost traces count as wrong
	Of    float64  `json:"of"`
	Low   float64  `json:"low"` // exact lower end of the rate, one-sided, 97.5 %
	Few   bool     `json:"few"` // there are fewer than five runs
}

// Interval is an interval of a rate.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Look holds one night, and the evidence from all nights until then.
type Look struct {
	Run   string    `json:"run"`
	Start time.Time `json:"start"`
	Right float64   `json:"right"` // as in Pool, but lost traces count as right
	Of    float64   `json:"of"`
	Open  int       `json:"open"` // traces without a verdict, such as traces lost to the infrastructure
	// E is the e-value against "the mean rate is at least the pool's lower end", over all nights so far; at
	// most 1e12. At 40 or more it shows a drop. Ranks is the martingale of the ranks, which shows a drop at 20
	// or more; nil if there is no test by ranks.
	E     float64  `json:"e"`
	Ranks *float64 `json:"ranks"`
}

// night holds the counts of a run.
type night struct {
	run   string
	start time.Time
	k     int
	// low and high are numbers of right traces: low counts lost traces as wrong, high as right.
	low, high, of float64
	openTraces    int
}

// decide computes the looks and the result of a series.
func decide(pool, nights []night) Series {
	s := Series{Schema: Schema, Nights: []Look{}, Warnings: []string{}, WithoutRanks: withoutRanks(pool, nights)}
	var earlier []float64
	for _, n := range pool {
		s.Pool.Runs = append(s.Pool.Runs, n.run)
		s.Pool.Right += n.low
		s.Pool.Of += n.of
		earlier = append(earlier, n.low)
	}
	s.Pool.Few = len(pool) < enoughRuns
	s.Pool.Low, _ = stats.ClopperPearsonLower(s.Pool.Right, s.Pool.Of, lowLevel)
	right, wrong := 0.0, 0.0
	var ranks stats.RankMartingale
	for _, n := range nights {
		right, wrong = right+n.high, wrong+n.of-n.high
		look := Look{Run: n.run, Start: n.start, Right: n.high, Of: n.of, Open: n.openTraces}
		if log, ok := stats.LogEBelow(right, wrong, s.Pool.Low); ok { // undefined if the pool has no right trace
			look.E = figure(log)
		}
		if s.WithoutRanks == "" {
			ranks.Add(stats.RankP(earlier, n.high, tieBreak(n.run)))
			m := figure(ranks.Log())
			look.Ranks = &m
		}
		earlier = append(earlier, n.low)
		s.Nights = append(s.Nights, look)
		switch {
		case s.Since != nil:
		case look.E >= poolAlarm:
			s.Since, s.By = &look.Run, "pool"
		case look.Ranks != nil && *look.Ranks >= rankAlarm:
			s.Since, s.By = &look.Run, "ranks"
		}
	}
	if i, ok := stats.RateSequence(right, wrong, rateAlpha); ok {
		s.Rate = &Interval{i.Low, i.High}
	}
	return s
}

func figure(log float64) float64 { return min(math.Exp(log), mostE) }

// withoutRanks returns the reason why there is no test by ranks; "" if there is one.
func withoutRanks(pool, nights []night) string {
	all := slices.Concat(pool, nights)
	switch {
	case len(pool) < DefaultPool:
		return fmt.Sprintf("the test by ranks needs %d accepted runs, and there are %d", DefaultPool, len(pool))
	case slices.ContainsFunc(all, func(n night) bool { return n.of != all[0].of || n.k != all[0].k }):
		return "the test by ranks needs the same K in all runs"
	}
	return ""
}

// tieBreak returns a number in (0, 1] that depends only on the name of a run. It orders nights with equal
// rates, so that a series always has the same result.
func tieBreak(run string) float64 {
	sum := fnv.New64a()
	sum.Write([]byte(run)) // a write to a hash never fails
	return 1 - rand.New(rand.NewPCG(sum.Sum64(), 0)).Float64()
}
