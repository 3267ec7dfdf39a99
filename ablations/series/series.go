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

// DefaultPool is how many accepted runs are the pool: the first since the last reset. Ranks need so many.
const DefaultPool = 10

// enoughRuns is how many accepted runs the test against the pool needs to be of use: with one, an unchanged agent with
// bad hours is called worse in 9 of 100 series, and a drop of ten points is seen in 4 of 10.
const enoughRuns = 5

// Levels at which a series shows a drop. That of the pool is split in two halves of 2.5 %: one for the lower end of the
// pool's rate, one for the nights.
const (
	poolAlarm = 40
	rankAlarm = 20
	lowLevel  = 0.975
	rateAlpha = 0.05
)

// mostE bounds the figures that are kept: beyond it, they are of no further use.
const mostE = 1e12

// Series says what the nights of an agent show against a pool of accepted runs.
type Series struct {
	Schema        string `json:"schema"`
	Configuration string `json:"configuration"`
	Queries       int    `json:"queries"`
	K             int    `json:"k"`        // traces of a query; 0 where nights differ
	Clusters      int    `json:"clusters"` // units of the counts; 0 where traces are the units
	Pool          Pool   `json:"pool"`
	Nights        []Look `json:"nights"` // by their start
	// Rate is the confidence sequence of the nights' mean rate: it holds at all looks together, 95 %.
	Rate *Interval `json:"rate"`
	// Since is the first night that shows a drop, by either test; nil without one. By says which test: pool or ranks.
	Since *string `json:"since"`
	By    string  `json:"by"`
	// WithoutRanks says why there is no test by ranks; "" where there is one.
	WithoutRanks string   `json:"without_ranks"`
	Warnings     []string `json:"warnings"`
}

// Pool is what the nights are compared with.
type Pool struct {
	Runs  []string `json:"runs"`
	Right float64  `json:"right"` // traces, or the sum of the means of clusters; what is lost counts as wrong
	Of    float64  `json:"of"`
	Low   float64  `json:"low"` // exact lower end of the rate, one-sided 97.5 %
	Few   bool     `json:"few"` // fewer than five runs
}

// Interval is a range of a rate.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Look is one night, and what is shown up to it.
type Look struct {
	Run   string    `json:"run"`
	Start time.Time `json:"start"`
	Right float64   `json:"right"` // as in Pool, but what is lost counts as right
	Of    float64   `json:"of"`
	Open  int       `json:"open"` // traces without a verdict, such as those lost to the infrastructure
	// E is the e-value against "the mean rate is at least the pool's lower end", of all nights so far; at most 1e12. 40
	// or more shows a drop. Ranks is the martingale of the ranks, which shows one at 20; nil without one.
	E     float64  `json:"e"`
	Ranks *float64 `json:"ranks"`
}

// night is a run in numbers.
type night struct {
	run   string
	start time.Time
	k     int
	// low and high are the right traces with those lost counted as wrong, and as right.
	low, high, of float64
	openTraces    int
}

// decide looks at every night in turn.
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
		if log, ok := stats.LogEBelow(right, wrong, s.Pool.Low); ok { // not where no trace of the pool is right
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

// withoutRanks says why nights have no ranks among each other.
func withoutRanks(pool, nights []night) string {
	all := slices.Concat(pool, nights)
	switch {
	case len(pool) < DefaultPool:
		return fmt.Sprintf("ranks need %d accepted runs, and there are %d", DefaultPool, len(pool))
	case slices.ContainsFunc(all, func(n night) bool { return n.of != all[0].of || n.k != all[0].k }):
		return "ranks need the same K in all runs"
	}
	return ""
}

// tieBreak is a number in (0, 1] that depends on the name of a run alone, so that a series has one result.
func tieBreak(run string) float64 {
	sum := fnv.New64a()
	sum.Write([]byte(run)) // never fails
	return 1 - rand.New(rand.NewPCG(sum.Sum64(), 0)).Float64()
}
