package gatereport

import (
	"fmt"
	"math"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
)

// Below these chances of detecting a query that breaks, or falls to half, a gate can find little.
const (
	seesBroken = .8
	seesHalf   = .1
)

// chanceOfFinding returns the simulated chance that the gate detects one steady query that falls to this rate.
func (g Report) chanceOfFinding(to float64) (p float64, known bool) {
	if g.Operating == nil {
		return 0, false
	}
	for _, s := range g.Operating.Changes {
		if s.Broken == 1 && !s.Flaky && s.To == to {
			return s.Found.Found.Value, true
		}
	}
	return 0, false
}

// powerRemark returns the remark beside a PASS with little power; "" if the power is sufficient or unknown.
func (g Report) powerRemark() string {
	broken, known := g.chanceOfFinding(gate.BrokenTo)
	half, _ := g.chanceOfFinding(.5)
	switch {
	case g.Decision != gate.Pass || g.Rolling == nil, !g.Rolling.Powerless() &&
		(!known || broken >= seesBroken && half >= seesHalf):
		return ""
	case g.missingRuns() > 0:
		return ", but the gate can find little yet"
	}
	return ", but the gate can find little"
}

// missingRuns returns the number of accepted runs that the pool lacks; 0 for a full pool.
func (g Report) missingRuns() int { return max(0, baseline.PoolRuns(g.K)-g.History.Runs) }

// powerLines describes the power of a PASS: the traces that it watched, the losses that it would detect and miss,
// and how to get more power.
func (g Report) powerLines() []document.RichText {
	traces := 0
	for _, q := range g.Queries {
		traces += q.Now.All() + q.Fresh.All()
	}
	watched := text.Counted(len(g.Queries), "query")
	if n := len(g.NotGated); n > 0 {
		watched = fmt.Sprintf("%d of %s (%d not yet)", len(g.Queries)-n, watched, n)
	}
	history := fmt.Sprint(g.History.Most)
	if g.History.Least != g.History.Most {
		history = fmt.Sprintf("%d to %d", g.History.Least, g.History.Most)
	}
	out := []document.RichText{document.Phrase("watched %s, %s; before: %s of each in %s", watched,
		text.Counted(traces, "trace"), history, text.Counted(g.History.Runs, "accepted run"))}
	broken, known := g.chanceOfFinding(gate.BrokenTo)
	half, _ := g.chanceOfFinding(.5)
	switch {
	case !known:
		out = append(out, document.Plain("its power is not simulated: run concur gate simulate"))
	default:
		out = append(out, document.Phrase("would find a broken query in %s, one that falls to half in %s",
			inRuns(broken), inRuns(half)))
		miss := "would miss a loss spread over all queries in more than 1 of 5"
		if g.Operating.MDE != nil {
			miss = fmt.Sprintf("would miss a loss of %.1f points overall in 1 of 5, smaller ones more often",
				*g.Operating.MDE*100)
		}
		out = append(out, document.Plain(miss))
	}
	return append(out, document.Phrase("to find more: %s; see --explain", g.adviseOnPower()))
}

// adviseOnPower names the actions that let later runs be tested with more power.
func (g Report) adviseOnPower() string {
	switch missing := g.missingRuns(); {
	case g.AnswersOnly:
		return "accept more recordings (--add), take more answers"
	case missing > 0:
		return fmt.Sprintf("accept %s (concur baseline add), raise K", text.Counted(missing, "more run"))
	}
	return "raise K, compare with more accepted runs"
}

// inRuns formats a chance, rounded down.
func inRuns(p float64) string {
	switch {
	case p >= .9:
		return fmt.Sprintf("%.0f of 100", math.Floor(min(p, .99)*100+1e-9))
	case p >= .1:
		return fmt.Sprintf("%.0f of 10", math.Floor(p*10+1e-9))
	case p >= .01:
		return fmt.Sprintf("%.0f of 100", math.Floor(p*100+1e-9))
	}
	return "almost none"
}
