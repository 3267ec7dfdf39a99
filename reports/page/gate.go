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

// decide puts the decision where the closing sentence of the run would be.
func (v *view) decide(g *reports.Gate) {
	if g == nil {
		return
	}
	words := g.Words()
	v.Title, v.Closing = "Gate: "+v.Title, words.Decision
	v.Gate = &words
}
