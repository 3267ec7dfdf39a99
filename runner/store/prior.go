package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

// Prior holds the finished parts of a run that is continued. A nil Prior is empty.
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

// Queries counts the decided queries, of each configuration.
func (p *Prior) Queries() int { return len(p.decided) }

// Traces counts the finished traces of undecided queries.
func (p *Prior) Traces() int { return len(p.traces) }

// Scope selects the parts of a run that count as finished.
type Scope struct {
	// RetryFailed leaves out traces that failed as infra, and queries whose verifier or judge failed.
	RetryFailed bool
	// Queries are the queries of the dataset; nil means any. A record of a query that is not among them is an
	// error.
	Queries map[string]bool
	// Ends reads only how finished traces ended, and not their events.
	Ends bool
}

// basis is the data that a record depends on.
type basis struct {
	session     int
	agent       string
	traces      []int
	judgeFailed bool // the extractor, the verifier or a judge failed
	verdict     judge.Ruling
	usage       Usage // without Roles
}

// basisLine has the fields of a record that a resumption needs.
type basisLine struct {
	Configuration string `json:"configuration"`
	Query         string `json:"query"`
	Agent         string `json:"agent"`
	Answers       []struct {
		Trace int `json:"trace"`
	} `json:"answers"`
	Consensus struct {
		VerifierErrors int `json:"verifier_errors"`
	} `json:"consensus"`
	Verdict struct {
		Verdict judge.Ruling `json:"verdict"`
	} `json:"verdict"`
	Judgements *Judgements `json:"judgements"`
	Extraction *Extraction `json:"extraction"`
	Usage      Usage       `json:"usage"`
	Timing     struct {
		Session int `json:"session"`
	} `json:"timing"`
}

// Prior reads the finished parts: traces that ended by themselves and whose exchanges are
// complete, and records that depend only on such traces, all K of them.
func (r *Run) Prior(of Scope) (*Prior, error) {
	x, records := NewIndex(), map[recordKey]basis{}
	var g errgroup.Group
	g.Go(func() error { return x.UpdateTraces(context.Background(), r) })
	g.Go(func() error { return r.readBases(of.Queries, records) })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	finished := func(id trace.ID, t *tracePlaces) bool {
		return t.ended() && x.hasCalls(id, t) && !(of.RetryFailed && t.ending.Outcome == trace.Infra)
	}
	p := &Prior{decided: map[recordKey]bool{}, tallies: map[string]*Tally{}, traces: map[trace.ID]FinishedTrace{}}
	configurations := map[string]Configuration{}
	for _, c := range r.Manifest.Configurations {
		configurations[c.Name] = c
		p.tallies[c.Name] = &Tally{}
	}
	for d, rec := range records {
		c := configurations[d.configuration]
		// Later questions to verifier or judges replace the record. The files do not tell which of several
		// configurations they belong to, so with several they are ignored.
		replaced := len(configurations) == 1 && x.questions[d.query] > rec.session
		valid := !replaced && !(of.RetryFailed && rec.judgeFailed) && len(rec.traces) == c.K
		for i, n := range rec.traces {
			id := trace.ID{Agent: rec.agent, Query: d.query, Trace: n}
			t := x.trace(id)
			valid = valid && id.Trace == c.First+i && finished(id, t) && t.session <= rec.session
		}
		if valid {
			p.decided[d] = true
			p.tallies[d.configuration].add(rec.verdict, rec.usage)
		}
	}
	needed := map[trace.ID]*tracePlaces{}
	for k, t := range x.traces {
		if id := x.names[traceFile].id(k); p.needs(id, r.Manifest.Configurations) && finished(id, t) {
			needed[id] = t
		}
	}
	return p, p.load(r, needed, of.Ends)
}

// readBases keeps the last record of each query.
func (r *Run) readBases(queries map[string]bool, into map[recordKey]basis) error {
	var texts names
	seen := decidedIn{}
	for line, err := range r.rawLines(resultsFile, start) {
		if err != nil {
			return err
		}
		var rec basisLine
		if err := json.Unmarshal(line.text, &rec); err != nil {
			return line.error(damageError(err))
		}
		known := slices.ContainsFunc(r.Manifest.Configurations,
			func(c Configuration) bool { return c.Name == rec.Configuration })
		if !known || queries != nil && !queries[rec.Query] {
			return line.error(fmt.Errorf("this record is of query %q in configuration %q, which the run does not have: %w",
				rec.Query, rec.Configuration, errDamaged))
		}
		rec.Configuration = r.configurationName(rec.Configuration)
		if err := seen.again(recordKey{rec.Configuration, rec.Query}, rec.Timing.Session, r); err != nil {
			return line.error(err)
		}
		b := basis{session: rec.Timing.Session, agent: texts.shared(rec.Agent), verdict: knownRuling(rec.Verdict.Verdict),
			usage: rec.Usage}
		b.judgeFailed = rec.Extraction != nil && rec.Extraction.Errors > 0 || rec.Consensus.VerifierErrors > 0 ||
			len(rec.Judgements.unscored()) > 0
		b.usage.Roles = nil
		for _, a := range rec.Answers {
			b.traces = append(b.traces, a.Trace)
		}
		into[recordKey{rec.Configuration, rec.Query}] = b
	}
	return nil
}

// needs reports whether one of the configurations reads the trace and has not decided its query.
func (p *Prior) needs(id trace.ID, among []Configuration) bool {
	return slices.ContainsFunc(among, func(c Configuration) bool {
		return c.Agent == id.Agent && id.Trace >= c.First && id.Trace < c.First+c.K &&
			!p.decided[recordKey{c.Name, id.Query}]
	})
}

// load reads the events of finished traces; with ends, only the last event.
func (p *Prior) load(r *Run, needed map[trace.ID]*tracePlaces, ends bool) error {
	_, err := reading(r, func(in reader) (none struct{}, err error) {
		for id, t := range needed {
			var end trace.Event
			if err := in.read(traceFile, t.ending.Offset, &end); err != nil {
				return none, err
			}
			var f FinishedTrace
			if c, ok := end.Body.(trace.Conclusion); ok {
				f.Trace, f.Timing = c.Trace(id), c.Timing
			}
			if !ends {
				if f.Events, err = readAll[trace.Event](in, traceFile, t.offsets()); err != nil {
					return none, err
				}
			}
			p.traces[id] = f
		}
		return none, nil
	})
	return err
}
