package usefulness

import (
	"slices"

	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model/gain"
)

// Level is the probability of the intervals.
const Level = 0.95

// Range is an interval.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Figures are the figures of some calls (docs/method.md §5.12). All are nil if they are undefined.
type Figures struct {
	Calls   int `json:"calls"`
	Defined int `json:"defined"` // calls with a gain; the other figures are of these
	// Short counts the calls whose answer has fewer than five tokens.
	Short int      `json:"short"`
	Mean  *float64 `json:"mean_gain"` // in nats
	CI    *Range   `json:"ci"`        // by units; nil with too few of them
	Units int      `json:"units"`     // clusters of queries; queries where they have no cluster
	// UsefulShare and HarmfulShare are the shares of the calls with a gain of at least tau, and of at most -tau.
	UsefulCalls  int      `json:"useful"`
	UsefulShare  *float64 `json:"useful_share"`
	HarmfulCalls int      `json:"harmful"`
	HarmfulShare *float64 `json:"harmful_share"`
	// PerSecond is the sum of the gains by the seconds of these calls. PerKiloToken is the sum by thousands of the
	// scorer's tokens which the calls and their results add; only calls with counted tokens are in it.
	PerSecond    *float64 `json:"gain_per_second"`
	PerKiloToken *float64 `json:"gain_per_1000_tokens"`
	// AUROC is the chance that a call of a right trace has a larger gain than a call of a wrong trace. The unit is the
	// call; AUROCCI has clusters as units.
	AUROC      *float64 `json:"auroc"`
	AUROCCI    *Range   `json:"auroc_ci"`
	RightCalls int      `json:"calls_of_right_traces"`
	WrongCalls int      `json:"calls_of_wrong_traces"`
}

// tally collects what the figures of a row need: some bytes for each call.
type tally struct {
	calls, short int
	gains        []float64
	units        []string
	seconds      float64
	counted      float64 // sum of the gains of calls with counted tokens
	tokens       int
	ranked       []stats.Ranked
}

func (t *tally) add(e Entry, c tracedCall, unit string) {
	t.calls++
	if e.Gain == nil {
		return
	}
	t.gains, t.units = append(t.gains, *e.Gain), append(t.units, unit)
	t.seconds += c.Seconds
	if e.Weighed < gain.MaxTokens {
		t.short++
	}
	if e.Tokens != nil {
		t.tokens += *e.Tokens
		t.counted += *e.Gain
	}
	if c.verdict == judge.Correct || c.verdict == judge.Incorrect {
		t.ranked = append(t.ranked, stats.Ranked{Score: *e.Gain, Right: c.verdict == judge.Correct, Cluster: unit})
	}
}

func (t *tally) figures(tau float64) Figures {
	out := Figures{Calls: t.calls, Defined: len(t.gains), Short: t.short}
	var values stats.Values
	var sum float64
	for i, g := range t.gains {
		values.Add(g, t.units[i], 1)
		sum += g
		if gain.Reaches(g, tau) {
			out.UsefulCalls++
		}
		if gain.Reaches(-g, tau) {
			out.HarmfulCalls++
		}
	}
	for _, r := range t.ranked {
		if r.Right {
			out.RightCalls++
		} else {
			out.WrongCalls++
		}
	}
	if mean, ok := stats.ClusteredError(&values); ok {
		out.Mean, out.Units = &mean.Mean, mean.Clusters
		if i, ok := mean.MeanInterval(Level); ok {
			out.CI = &Range{i.Low, i.High}
		}
	}
	n := float64(len(t.gains))
	out.UsefulShare = stats.Defined(float64(out.UsefulCalls)/n, n > 0)
	out.HarmfulShare = stats.Defined(float64(out.HarmfulCalls)/n, n > 0)
	out.PerSecond = stats.Defined(sum/t.seconds, t.seconds > 0)
	out.PerKiloToken = stats.Defined(t.counted/float64(t.tokens)*1000, t.tokens > 0)
	if d, ok := stats.ClusteredAUROC(t.ranked); ok {
		out.AUROC = &d.AUROC
		if i, ok := d.Interval(Level); ok {
			out.AUROCCI = &Range{i.Low, i.High}
		}
	}
	return out
}

// extremes returns the most useful and the most harmful calls of a list that is sorted by falling gain.
func extremes(list []Listed, tau float64) (useful, harmful []Listed) {
	useful, harmful = []Listed{}, []Listed{}
	for _, l := range list {
		if len(useful) < listed && l.Gain > 0 && gain.Reaches(l.Gain, tau) {
			useful = append(useful, l)
		}
	}
	for _, l := range slices.Backward(list) {
		if len(harmful) < listed && l.Gain < 0 && gain.Reaches(-l.Gain, tau) {
			harmful = append(harmful, l)
		}
	}
	return useful, harmful
}
