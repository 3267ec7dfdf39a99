package store

import (
	"slices"

	"github.com/seed-5817661a/concur/runner/trace"
)

// Prior holds the finished parts of a run that continues. Nil holds nothing.
type Prior struct {
	decided map[recordKey]bool
	tallies map[string]*Tally // by configuration
	traces  map[trace.ID]FinishedTrace
}

// FinishedTrace is a trace that is not run again.
type FinishedTrace struct {
	trace.Trace
	Timing trace.Timing
	Events []trace.Event
}

// Decided reports whether a query has a valid record.
func (p *Prior) Decided(configuration, query string) bool {
	return p != nil && p.decided[recordKey{configuration, query}]
}

// Trace gives a finished trace of an undecided query.
func (p *Prior) Trace(id trace.ID) (FinishedTrace, bool) {
	if p == nil {
		return FinishedTrace{}, false
	}
	t, ok := p.traces[id]
	return t, ok
}

// Tally counts the decided queries of a configuration.
func (p *Prior) Tally(configuration string) Tally {
	if p == nil || p.tallies[configuration] == nil {
		return Tally{}
	}
	return *p.tallies[configuration]
}

// Queries counts the decided queries, of each configuration.
func (p *Prior) Queries() int { return len(p.decided) }

// Traces counts the finished traces of undecided queries.
func (p *Prior) Traces() int { return len(p.traces) }

// Scope selects the parts of a run that count as finished.
type Scope struct {
	// RetryFailed leaves out traces that an infrastructure failure ended, and queries whose
	// verifier or judge failed.
	RetryFailed bool
	// Queries are those of the dataset; a record of another one is an error. Nil disables
	// the check.
	Queries map[string]bool
	// Ends reads of finished traces only how they ended, and leaves their events out.
	Ends bool
}

// Prior reads the finished parts: traces that ended by themselves and whose exchanges are
// complete, and records that depend only on such traces, all K of them.
func (r *Run) Prior(of Scope) (*Prior, error) {
	found, err := r.survey(of.Queries)
	if err != nil {
		return nil, err
	}
	finished := func(id trace.ID) bool {
		e := found.ends[id]
		return e != nil && e.ended && found.complete(id, *e) && !(of.RetryFailed && e.failed)
	}
	p := &Prior{decided: map[recordKey]bool{}, tallies: map[string]*Tally{}, traces: map[trace.ID]FinishedTrace{}}
	configurations := map[string]Configuration{}
	for _, c := range r.Manifest.Configurations {
		configurations[c.Name] = c
		p.tallies[c.Name] = &Tally{}
	}
	for d, rec := range found.records {
		c := configurations[d.configuration]
		// A later question to verifier or judges replaces the record. The files do not say which
		// of several configurations it belongs to, so it is then ignored.
		replaced := len(configurations) == 1 && found.questions[d.query] > rec.session
		valid := !replaced && !(of.RetryFailed && rec.judgeFailed) && len(rec.traces) == c.K
		for i, id := range rec.traces {
			valid = valid && id.Trace == c.First+i && finished(id) && found.ends[id].session <= rec.session
		}
		if valid {
			p.decided[d] = true
			p.tallies[d.configuration].add(rec.verdict, rec.usage)
		}
	}
	needed := map[trace.ID]int{} // the session of each finished trace that an undecided query needs
	for id, e := range found.ends {
		if finished(id) && p.needs(id, r.Manifest.Configurations) {
			needed[id] = e.session
		}
	}
	return p, r.load(p, needed, of.Ends)
}

// needs reports whether a configuration that reads the trace has not decided its query.
func (p *Prior) needs(id trace.ID, among []Configuration) bool {
	return slices.ContainsFunc(among, func(c Configuration) bool {
		return c.Agent == id.Agent && id.Trace >= c.First && id.Trace < c.First+c.K && !p.decided[recordKey{c.Name, id.Query}]
	})
}
