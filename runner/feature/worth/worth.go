package worth

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/feature"
)

// Name is the name of the figures in a summary.
const Name = "usefulness"

// Figures are the gains of a configuration's calls (docs/method.md §5.12). Figures are nil if they are undefined.
type Figures struct {
	Scorer  string   `json:"scorer"`
	Tau     float64  `json:"tau"`   // in nats
	Calls   int      `json:"calls"` // calls that the scorer was asked about
	Defined int      `json:"defined"`
	Mean    *float64 `json:"mean_gain"` // in nats
	Low     *float64 `json:"ci_low"`
	High    *float64 `json:"ci_high"`
	Useful  *float64 `json:"useful_share"`  // share of the defined gains that are at least Tau
	Harmful *float64 `json:"harmful_share"` // share of the defined gains that are at most -Tau
}

// Kind describes the figures. No feature of an agent records them.
var Kind = feature.Kind{
	Name: Name, Figures: Figures{},
	Columns: []feature.Column{
		feature.Show("gain of\na call", func(f Figures) string { return f.gain() }),
		feature.Show("useful\ncalls", func(f Figures) string { return text.Share(f.Useful) }),
		feature.Value("scorer", func(f Figures) any { return f.Scorer }),
		feature.Value("calls_with_gain", func(f Figures) any { return f.Defined }),
		feature.Value("mean_gain", func(f Figures) any { return f.Mean }),
		feature.Value("mean_gain_low", func(f Figures) any { return f.Low }),
		feature.Value("mean_gain_high", func(f Figures) any { return f.High }),
		feature.Value("useful_share", func(f Figures) any { return f.Useful }),
		feature.Value("harmful_share", func(f Figures) any { return f.Harmful }),
	},
}

// gain formats the mean gain with its interval.
func (f Figures) gain() string {
	if f.Mean == nil {
		return text.Undefined
	}
	out := fmt.Sprintf("%+.2f", *f.Mean)
	if f.Low != nil && f.High != nil {
		out += fmt.Sprintf(" [%+.2f, %+.2f]", *f.Low, *f.High)
	}
	return strings.ReplaceAll(out, "-", "−")
}
