package otlp

import "testing"

// A large trace stays in memory while small ones are read, until other large ones take its place.
func TestRecent(t *testing.T) {
	var r recent
	of := func(first int64, entries int) *traceSpans {
		return &traceSpans{first: first, entries: make([]entry, entries)}
	}
	r.keep(of(1, mostHeld/2))
	r.keep(of(2, 3))
	r.keep(of(3, 3))
	for first, want := range map[int64]bool{1: true, 2: false, 3: true, 4: false} {
		if got := r.find(first); (got != nil) != want || got != nil && got.first != first {
			t.Errorf("trace %d: %v", first, got)
		}
	}
	r.keep(of(4, mostHeld/2))
	r.keep(of(4, mostHeld/2)) // read by two goroutines
	r.find(1)                 // used later than 4
	r.keep(of(5, largeTrace))
	if r.find(1) == nil || r.find(4) != nil || r.find(5) == nil {
		t.Error("not the trace that was used first was removed")
	}
	r.keep(of(6, 2*mostHeld))
	if r.find(6) == nil || len(r.large) != 1 || r.entries != 2*mostHeld {
		t.Errorf("%d large traces with %d entries", len(r.large), r.entries)
	}
}
