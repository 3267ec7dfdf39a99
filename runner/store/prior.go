package store

import (
	"encoding/json"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/trace"
)

// Prior has the finished traces and records of a run that is resumed. A nil Prior is empty.
type Prior struct {
	decided  decidedIn         // valid records
	tallies  map[string]*Tally // by configuration
	traces   map[trace.ID]FinishedTrace
	outdated int // see Outdated
}

// decidedIn has the session in which each query was last decided, by configuration and query.
type decidedIn map[string]map[string]int32

// again returns an error if the query was already decided in this session or in a later one.
func (d decidedIn) again(of recordKey, session int, r *Run) error {
	if last, known := d[of.configuration][of.query]; known && int(last) >= session {
		return r.secondRecord(of)
	}
	d.set(of, session)
	return nil
}

// session returns the session in which a query was last decided.
func (d decidedIn) session(of recordKey) int { return int(d[of.configuration][of.query]) }

// set records the session in which a query was decided.
func (d decidedIn) set(of recordKey, session int) {
	queries := d[of.configuration]
	if queries == nil {
		queries = map[string]int32{}
		d[of.configuration] = queries
	}
	queries[of.query] = int32(session)
}

// FinishedTrace is a trace that a resumed run does not run again.
type FinishedTrace struct {
	trace.Trace
	Timing trace.Timing
	Events []trace.Event
	// If the trace is one turn of a conversation, Path is the path of the turn, and Earlier has the earlier
	// messages and replies of the same trace.
	Path    string
	Earlier []datasets.Turn
}

// Decided reports whether a query has a valid record.
func (p *Prior) Decided(configuration, query string) bool {
	if p == nil {
		return false
	}
	_, is := p.decided[configuration][query]
	return is
}

// Trace returns a finished trace of an undecided query.
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

// Queries returns the number of decided queries, summed over the configurations.
func (p *Prior) Queries() (n int) {
	for _, queries := range p.decided {
		n += len(queries)
	}
	return n
}

// Outdated counts the records that are no longer valid, because one of their traces is missing or was run again.
func (p *Prior) Outdated() int { return p.outdated }

// Traces counts the finished traces of undecided queries.
func (p *Prior) Traces() int { return len(p.traces) }

// Scope selects the parts of a run that count as finished.
type Scope struct {
	// RetryFailed excludes failed parts, so that they run again: traces that ended as infra, and queries whose
	// verifier, judge or checks failed.
	RetryFailed bool
	// Queries are the ids of the dataset's queries; nil allows any query. If a record has another query, this
	// is an error.
	Queries map[string]bool
	// If Ends is set, only the end of each finished trace is read, and not its other events.
	Ends bool
}

// Prior reads the finished parts of a run. A trace is finished if it ended by itself and its exchanges are
// complete. A record is finished if all its K traces are finished.
func (r *Run) Prior(of Scope) (*Prior, error) {
	e, err := r.readEnds()
	if err != nil {
		return nil, err
	}
	finished := func(id trace.ID) (session int, is bool) {
		t, is := e.trace(id)
		return int(t.session), is && !(of.RetryFailed && t.infra)
	}
	p := &Prior{decided: decidedIn{}, tallies: map[string]*Tally{}, traces: map[trace.ID]FinishedTrace{}}
	for _, c := range r.Manifest.Configurations {
		p.tallies[c.Name] = &Tally{}
	}
	for rec, err := range r.bases(of.Queries) {
		if err != nil {
			return nil, err
		}
		c := r.configuration(rec.Configuration)
		// If a verifier or a judge was asked again in a session after that of the record, the record is
		// replaced. With several configurations this rule is not used, because the files do not say to which
		// configuration the question belongs.
		replaced := len(p.tallies) == 1 && int(e.questions[rec.Query]) > rec.Timing.Session
		valid := !replaced && !(of.RetryFailed && rec.judgeFailed()) && rec.hasTraces(c)
		for n := 0; valid && n < c.K; n++ {
			session, is := finished(trace.ID{Agent: rec.Agent, Query: rec.Query, Trace: c.First + n})
			valid = is && session <= rec.Timing.Session
		}
		if !valid {
			p.outdated++
			continue
		}
		p.decided.set(recordKey{c.Name, rec.Query}, rec.Timing.Session)
		p.tallies[c.Name].add(knownRuling(rec.Verdict.Verdict), rec.usage())
	}
	needed := map[trace.ID]int{} // the session of each trace that is needed
	for k := range e.of {
		if id := e.events.id(k); p.needs(id, r.Manifest.Configurations) {
			if session, is := finished(id); is {
				needed[id] = session
			}
		}
	}
	return p, p.load(r, needed, of.Ends)
}

// needs reports whether one of the configurations uses the trace and has not yet decided its query.
func (p *Prior) needs(id trace.ID, among []Configuration) bool {
	return slices.ContainsFunc(among, func(c Configuration) bool {
		return c.Agent == id.Agent && id.Trace >= c.First && id.Trace < c.First+c.K &&
			!p.Decided(c.Name, id.Query)
	})
}

// load reads the events of finished traces. needed has, for each trace, the session whose events are read. If
// ends is true, only the last event of each trace is read.
func (p *Prior) load(r *Run, needed map[trace.ID]int, ends bool) error {
	if len(needed) == 0 {
		return nil
	}
	return r.eachHead(runfiles.Traces, func(line linefile.Line, h *linefile.Head) error {
		id := traceOf(h.Identity)
		session, is := needed[id]
		if !is || h.Session != session || h.Event == trace.ExtractionEvent || ends && !h.Ends() {
			return nil
		}
		var event trace.Event
		if err := json.Unmarshal(line.Text, &event); err != nil {
			return r.Mendable("the line is damaged", err)
		}
		f := p.traces[id]
		if c, ok := event.Body.(trace.Conclusion); ok && h.Ends() {
			f.Trace, f.Timing = c.Trace(id), c.Timing
		}
		if !ends {
			f.Events = append(f.Events, event)
		}
		p.traces[id] = f
		return nil
	})
}
