package otlp

import (
	"slices"
	"sync"
)

// traceSpans has the spans of a trace.
type traceSpans struct {
	first   int64 // the place of its first span in the index
	entries []entry
	units   []unit
	found   counts
}

// recent has traces that were read. Conversations are read in the order of their queries, so that those of one trace
// may be far apart: without large traces in memory, a trace of 100,000 spans would be read again for each of them.
type recent struct {
	mutex   sync.Mutex
	last    *traceSpans
	large   []*traceSpans // the newest last
	entries int           // of large
}

const (
	largeTrace = 1 << 10 // entries
	mostHeld   = 1 << 18 // entries of large traces, about 30 MB; the newest is kept even if it has more
)

// find returns a trace, or nil if it is not in memory.
func (r *recent) find(first int64) *traceSpans {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.last != nil && r.last.first == first {
		return r.last
	}
	at := slices.IndexFunc(r.large, func(t *traceSpans) bool { return t.first == first })
	if at < 0 {
		return nil
	}
	t := r.large[at]
	r.large = append(slices.Delete(r.large, at, at+1), t)
	return t
}

// keep adds a trace, and removes those that were not used for the longest time.
func (r *recent) keep(t *traceSpans) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.last = t
	twice := slices.ContainsFunc(r.large, func(other *traceSpans) bool { return other.first == t.first })
	if len(t.entries) < largeTrace || twice { // another goroutine may have read it too
		return
	}
	r.large, r.entries = append(r.large, t), r.entries+len(t.entries)
	for len(r.large) > 1 && r.entries > mostHeld {
		r.entries -= len(r.large[0].entries)
		r.large = slices.Delete(r.large, 0, 1)
	}
}

// trace returns the spans of a trace.
func (s *Store) trace(first int64) (*traceSpans, error) {
	if t := s.recent.find(first); t != nil {
		return t, nil
	}
	t := &traceSpans{first: first}
	var err error
	if t.entries, err = s.index.trace(first); err != nil {
		return nil, err
	}
	if t.units, t.found, err = s.unitsOf(t.entries); err != nil {
		return nil, err
	}
	s.recent.keep(t)
	return t, nil
}
