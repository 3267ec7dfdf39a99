package store

import (
	"slices"

	"github.com/seed-5817661a/concur/runner/trace"
)

// Prior is what a run folder holds of a run that is to go on. Nil holds nothing.
type Prior struct {
	decided map[decision]bool
	traces  map[trace.ID]FinishedTrace
}

// decision names a query under a configuration.
type decision struct{ configuration, query string }

// FinishedTrace is a trace that need not be run again.
type FinishedTrace struct {
	trace.Trace
	Timing trace.Timing
	Events []trace.Event
}

// Decided reports whether a query has a record that stands.
func (p *Prior) Decided(configuration, query string) bool {
	return p != nil && p.decided[decision{configuration, query}]
}

// Trace gives a finished trace of a query that is not decided.
func (p *Prior) Trace(id trace.ID) (FinishedTrace, bool) {
	if p == nil {
		return FinishedTrace{}, false
	}
	t, ok := p.traces[id]
	return t, ok
}

// Queries counts the decided queries, of each configuration.
func (p *Prior) Queries() int { return len(p.decided) }

// Traces counts the finished traces of queries that are not decided.
func (p *Prior) Traces() int { return len(p.traces) }

// Scope says what of a run is to count as finished.
type Scope struct {
	// RetryFailed leaves out traces that ended through the infrastructure, and queries
	// whose verifier or judge failed.
	RetryFailed bool
	// Queries are those of the dataset; a record of another one is an error. Nil knows none.
	Queries map[string]bool
}

// Prior reads what is finished: traces that ended, other than by being stopped from
// outside, and whose exchanges are all there; and records that rest on such traces alone, on all K.
func (r *Run) Prior(of Scope) (*Prior, error) {
	found, err := r.survey(of.Queries)
	if err != nil {
		return nil, err
	}
	finished := func(id trace.ID) bool {
		e := found.ends[id]
		return e != nil && e.ended && found.complete(id, *e) && !(of.RetryFailed && e.failed)
	}
	configurations := map[string]Configuration{}
	for _, c := range r.Manifest.Configurations {
		configurations[c.Name] = c
	}
	p := &Prior{decided: map[decision]bool{}, traces: map[trace.ID]FinishedTrace{}}
	for d, rec := range found.records {
		c := configurations[d.configuration]
		// Which configuration was asked about is not told, so that of several any may have been:
		// their records rest on what they hold, and are not for a replay.
		asked := len(configurations) == 1 && found.asked[d.query] > rec.session
		stands := !asked && !(of.RetryFailed && rec.askedInVain) && len(rec.traces) == c.K
		for i, id := range rec.traces {
			stands = stands && id.Trace == c.First+i && finished(id) && found.ends[id].session <= rec.session
		}
		if stands {
			p.decided[d] = true
		}
	}
	needed := map[trace.ID]int{} // the session of each finished trace that a query still waits for
	for id, e := range found.ends {
		if finished(id) && p.waitsFor(id, r.Manifest.Configurations) {
			needed[id] = e.session
		}
	}
	return p, r.load(p, needed)
}

// waitsFor reports whether a configuration that reads the trace has not decided its query.
func (p *Prior) waitsFor(id trace.ID, among []Configuration) bool {
	return slices.ContainsFunc(among, func(c Configuration) bool {
		return c.Agent == id.Agent && id.Trace >= c.First && id.Trace < c.First+c.K && !p.decided[decision{c.Name, id.Query}]
	})
}
