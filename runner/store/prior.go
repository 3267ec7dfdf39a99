package store

import (
	"github.com/seed-5817661a/concur/judge"
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

// Prior reads what is finished: traces that ended, other than by being cancelled, and
// whose exchanges are all there; and records that rest on such traces alone. With
// retryFailed, what ended through the infrastructure is not finished, nor is a query whose
// verifier or judge failed.
func (r *Run) Prior(retryFailed bool) (*Prior, error) {
	found, err := r.survey()
	if err != nil {
		return nil, err
	}
	finished := func(id trace.ID) bool {
		e := found.ends[id]
		return e != nil && e.ended && found.complete(id, *e) && !(retryFailed && e.failed)
	}
	p := &Prior{decided: map[decision]bool{}, traces: map[trace.ID]FinishedTrace{}}
	needed := map[trace.ID]int{} // the session of each finished trace that no standing record covers
	for id, e := range found.ends {
		if finished(id) {
			needed[id] = e.session
		}
	}
	for d, rec := range found.records {
		stands := found.asked[d.query] <= rec.Timing.Session && !(retryFailed && rec.askedInVain())
		for _, id := range rec.traces() {
			stands = stands && finished(id) && found.ends[id].session <= rec.Timing.Session
		}
		p.decided[d] = stands
	}
	for d, stands := range p.decided {
		if !stands {
			delete(p.decided, d)
			continue
		}
		for _, id := range found.records[d].traces() {
			delete(needed, id)
		}
	}
	return p, r.load(p, needed)
}

// recordHead is the part of a Record that tells whether it stands.
type recordHead struct {
	Configuration string `json:"configuration"`
	Query         string `json:"query"`
	Agent         string `json:"agent"`
	Answers       []struct {
		Trace int `json:"trace"`
	} `json:"answers"`
	Consensus struct {
		VerifierErrors int `json:"verifier_errors"`
	} `json:"consensus"`
	Judgements *struct {
		Correctness *judged  `json:"correctness"`
		Quality     []judged `json:"quality"`
	} `json:"judgements"`
	Timing struct {
		Session int `json:"session"`
	} `json:"timing"`
}

type judged struct {
	Verdict judge.Verdict `json:"verdict"`
}

// traces names the traces that a record rests on.
func (r recordHead) traces() []trace.ID {
	ids := make([]trace.ID, len(r.Answers))
	for i, a := range r.Answers {
		ids[i] = trace.ID{Agent: r.Agent, Query: r.Query, Trace: a.Trace}
	}
	return ids
}

// askedInVain reports whether the verifier or a judge failed on a query.
func (r recordHead) askedInVain() bool {
	if r.Consensus.VerifierErrors > 0 {
		return true
	}
	if r.Judgements == nil {
		return false
	}
	if c := r.Judgements.Correctness; c != nil && c.Verdict.Verdict == judge.Unscored {
		return true
	}
	for _, q := range r.Judgements.Quality {
		if q.Verdict.Verdict == judge.Unscored {
			return true
		}
	}
	return false
}
