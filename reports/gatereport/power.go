package gatereport

import (
	"fmt"
	"math"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
)

// Below these chances of detecting a query that breaks, or falls to half, a gate has little power.
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

// adviseOnPower returns advice for a PASS with little power; "" if the power is sufficient or unknown.
func (g Report) adviseOnPower() string {
	broken, known := g.chanceOfFinding(gate.BrokenTo)
	half, _ := g.chanceOfFinding(.5)
	if g.Decision != gate.Pass || g.Rolling == nil || !g.Rolling.Powerless() &&
		(!known || broken >= seesBroken && half >= seesHalf) {
		return ""
	}
	if more := baseline.PoolRuns(g.K) - g.History.Runs; more > 0 {
		return ", but it has little power yet: accept " + text.Counted(more, "more run")
	}
	return ", but it has little power: take more traces of each query (-k)"
}

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
	out := []document.RichText{
		document.Plain(fmt.Sprintf("watched %s, %s; before: %s of each in %s", watched, text.Counted(traces, "trace"),
			history, text.Counted(g.History.Runs, "accepted run"))),
	}
	broken, known := g.chanceOfFinding(gate.BrokenTo)
	half, _ := g.chanceOfFinding(.5)
	switch {
	case !known:
		out = append(out, document.Plain("its power is not simulated: run concur gate simulate"))
	default:
		out = append(out, document.Plain(fmt.Sprintf("would find a broken query in %s, one that falls to half in %s",
			inRuns(broken), inRuns(half))))
		miss := "would miss a loss spread over all queries in more than 1 of 5"
		if g.Operating.MDE != nil {
			miss = fmt.Sprintf("would miss a loss of %.1f points overall in 1 of 5, smaller ones more often",
				*g.Operating.MDE*100)
		}
		out = append(out, document.Plain(miss))
	}
	more := "to find more: accept more runs (concur baseline add), raise K; see --explain"
	if g.AnswersOnly {
		more = "to find more: accept more recordings (--add), take more answers; see --explain"
	}
	return append(out, document.Plain(more))
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
