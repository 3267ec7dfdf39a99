package page

import (
	"io"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

// WriteGate writes the page of a gated run: the decision first, then the run.
func WriteGate(w io.Writer, run *store.Run, g reports.Gate) error {
	r, err := ablations.Summarize(run, "", ablations.Options{})
	if err != nil {
		return err
	}
	return Page{Result: r, Runs: []*store.Run{run}, Gate: &g}.Write(w)
}

// gateView is a decision on the page.
type gateView struct {
	Reasons  []string
	Findings [][]string
	Facts    []fact
}

// decide puts the decision where the closing sentence of the run would be.
func (v *view) decide(g *reports.Gate) {
	if g == nil {
		return
	}
	words := g.Words()
	v.Title, v.Closing = "Gate: "+v.Title, words.Decision
	v.Gate = &gateView{Reasons: words.Reasons, Findings: words.Findings}
	for _, ground := range words.Grounds {
		v.Gate.Facts = append(v.Gate.Facts, fact{ground[0], ground[1]})
	}
}
