package runner

import (
	"cmp"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Progress is the state of one configuration during a run.
type Progress struct {
	Configuration string
	Queries       int        // in the dataset
	store.Tally              // of the decided queries, including those of earlier sessions
	PassRate      *RateSoFar // of the decided queries; nil before the first
	InFlight      int        // running traces; a shared trace counts for the configuration that runs it
	Ends          time.Time  // estimated end of its last trace, from the pace of this session; zero if unknown
	Attack        bool       // the run is an attack, whose purpose is not the verdicts
	LastError     string     // the last failure of a model, tool, verifier or judge; "" without any
	traces, ended int        // traces of this session that the configuration reads
	begun         time.Time  // start of the session
}

// RateSoFar is a rate in [0, 1] with its Wilson interval at a level of 95 %.
type RateSoFar struct{ Value, Low, High float64 }

// watchProgress reports the state of every configuration at the start.
func (s *schedule) watchProgress() {
	if len(s.out.watchers) == 0 {
		return
	}
	s.progress = map[*Arm]*Progress{}
	own := map[*Arm]int{}
	missing := s.plan.Missing(s.control.Prior)
	for id := range s.plan.Dataset.IDs() {
		for i, n := range missing(id) {
			own[&s.plan.Arms[i]] += n
		}
	}
	now := s.control.Clock()
	for _, g := range s.groups {
		for _, a := range g.arms {
			name := a.Configuration.Name
			s.progress[a] = &Progress{
				Configuration: name, Queries: s.plan.Dataset.Len(), Tally: s.control.Prior.Tally(name),
				traces: own[g.owner()], begun: now,
			}
		}
	}
	for i := range s.plan.Arms {
		s.progressed(func(*Progress) {}, &s.plan.Arms[i])
	}
}

// progressed changes the state of configurations, and reports it.
func (s *schedule) progressed(change func(*Progress), arms ...*Arm) {
	if s.progress == nil {
		return
	}
	for _, a := range arms {
		s.out.progress(func() Progress {
			p := s.progress[a]
			change(p)
			p.estimate(s.control.Clock())
			return *p
		})
	}
}

// estimate computes the pass rate, and when the traces end.
func (p *Progress) estimate(now time.Time) {
	if n := p.Decided(); n > 0 {
		low, high := stats.Wilson(p.Correct, n, 0.95)
		p.PassRate = &RateSoFar{float64(p.Correct) / float64(n), low, high}
	}
	p.Ends = time.Time{}
	if left := p.traces - p.ended; p.ended > 0 && left > 0 {
		p.Ends = now.Add(time.Duration(float64(now.Sub(p.begun)) / float64(p.ended) * float64(left)))
	}
}

// failed records the failure of a trace.
func (p *Progress) failed(t trace.Trace) {
	if t.Outcome == trace.Infra && t.StopReason != trace.Cancelled {
		cause, _, _ := strings.Cut(t.Cause, "\n")
		p.LastError = cmp.Or(cause, string(t.StopReason))
	}
}

// decided counts a record.
func (p *Progress) decided(r store.Record) {
	p.Add(r)
	if troubles := r.Troubles(); len(troubles) > 0 {
		p.LastError = troubles[len(troubles)-1]
	}
}
