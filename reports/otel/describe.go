package otel

import (
	"sync"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Options select what spans contain.
type Options struct {
	// Content adds questions, messages, arguments and results, each cut at 8,192 characters. Without it, spans have
	// names, figures and verdicts only.
	Content bool
	// Hide removes keys from a text; nil removes nothing.
	Hide func(string) string
}

// Span is a span as it is sent: the message opentelemetry.proto.trace.v1.Span in the form of protocol buffers.
type Span []byte

// LogRecord is a log record as it is sent: the message opentelemetry.proto.logs.v1.LogRecord in the same form.
type LogRecord []byte

// Spans are spans and log records that are complete.
type Spans struct {
	Spans []Span
	Logs  []LogRecord
}

func (s *Spans) add(more ...Span) { s.Spans = append(s.Spans, more...) }

// Join adds other spans and log records.
func (s *Spans) Join(other Spans) {
	s.Spans, s.Logs = append(s.Spans, other.Spans...), append(s.Logs, other.Logs...)
}

// Describer turns what a run produces into spans. For each trace in progress it keeps the calls that have no result
// yet; for each query the time of its traces, until all configurations have its record. It is safe for concurrent use.
type Describer struct {
	run            string
	configurations []store.Configuration
	expected       int // records of a query
	options        Options

	mu      sync.Mutex
	calls   map[callKey]trace.Event // actions without an observation
	queries map[string]*times
	prompts map[string]string // system messages, and how they are sent
}

type callKey struct {
	trace.ID
	path, call string
}

// times has the time of the traces of a query.
type times struct {
	traces  map[trace.ID]span
	records int
}

type span struct{ start, end time.Time }

// New returns a Describer for a run. m needs the run's name and its configurations.
func New(m store.Manifest, o Options) *Describer {
	return &Describer{run: m.Run, configurations: m.Configurations, expected: len(m.Configurations), options: o,
		calls: map[callKey]trace.Event{}, queries: map[string]*times{}, prompts: map[string]string{}}
}

// Event returns the spans that an event completes: a call of a tool, or an agent that has ended.
func (d *Describer) Event(e trace.Event) (out Spans) {
	if d.owner(e.ID) == "" {
		return out
	}
	switch body := e.Body.(type) {
	case trace.Action:
		d.mu.Lock()
		defer d.mu.Unlock()
		d.calls[callKey{e.ID, e.Path, body.CallID}] = e
	case trace.Observation:
		d.mu.Lock()
		key := callKey{e.ID, e.Path, body.CallID}
		action, called := d.calls[key]
		delete(d.calls, key)
		d.mu.Unlock()
		if called {
			out.add(d.toolSpans(action, e, body)...)
		}
	case trace.Conclusion:
		out.add(d.agentSpan(e, body))
		d.mu.Lock()
		defer d.mu.Unlock()
		if e.Path == "" {
			d.forget(e.ID)
			d.query(e.Query).traces[e.ID] = span{before(e.Time, body.Timing.WallS), e.Time}
		}
	}
	return out
}

// forget drops the calls of a trace that has ended.
func (d *Describer) forget(id trace.ID) {
	for key := range d.calls {
		if key.ID == id {
			delete(d.calls, key)
		}
	}
}

func (d *Describer) query(id string) *times {
	if d.queries[id] == nil {
		d.queries[id] = &times{traces: map[trace.ID]span{}}
	}
	return d.queries[id]
}

// Exchange returns the span of a request to a model.
func (d *Describer) Exchange(x store.Exchange) (out Spans) {
	out.add(d.chatSpan(x))
	return out
}

// Knows reports whether a Describer has seen the end of a trace whose query has no record yet.
func (d *Describer) Knows(id trace.ID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := d.queries[id.Query]
	if q == nil {
		return false
	}
	_, ended := q.traces[id]
	return ended
}

// Record returns the span of a query, and the log records of its verdicts.
func (d *Describer) Record(r store.Record) (out Spans) {
	d.mu.Lock()
	q := d.query(r.Query)
	when := span{}
	for _, a := range r.Answers {
		t, ended := q.traces[trace.ID{Agent: r.Agent, Query: r.Query, Trace: a.Trace}]
		if !ended {
			continue
		}
		if when.start.IsZero() || t.start.Before(when.start) {
			when.start = t.start
		}
		if t.end.After(when.end) {
			when.end = t.end
		}
	}
	if q.records++; q.records >= d.expected {
		delete(d.queries, r.Query)
	}
	d.mu.Unlock()
	out.add(d.querySpan(r, when))
	out.Logs = d.verdicts(r, when.end)
	return out
}

// before returns the time some seconds before t.
func before(t time.Time, seconds float64) time.Time {
	return t.Add(-time.Duration(seconds * float64(time.Second)))
}
