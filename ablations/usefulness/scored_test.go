package usefulness_test

import (
	"testing"

	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/trace"
)

func TestReadScored(t *testing.T) {
	run := newRun(t, true, dozen()...)
	none, err := usefulness.ReadScored(run, "", nil)
	if err != nil || !none.Empty() || none.Scorer != "" {
		t.Fatalf("a run without scores: %+v, %v", none, err)
	}
	measured(t, run, dozen(), &words{})
	o := options(&words{})
	o.Scorer.Name = "test:other"
	if _, err := usefulness.Measure(t.Context(), run, goldsOf(dozen()), o); err != nil {
		t.Fatal(err)
	}
	for scorer, want := range map[string]string{"": "test:other", "test:words": "test:words", "test:nobody": "test:nobody"} {
		s, err := usefulness.ReadScored(run, scorer, func(query string) bool { return query == "q3" })
		if err != nil || s.Scorer != want || s.Empty() != (scorer == "test:nobody") || len(s.Of(trace.ID{Agent: "a", Query: "q4"})) > 0 {
			t.Fatalf("scorer %q: got %+v, error %v", scorer, s, err)
		}
		if s.Empty() {
			continue
		}
		useful, useless := s.Of(trace.ID{Agent: "a", Query: "q3", Trace: 0}), s.Of(trace.ID{Agent: "a", Query: "q3", Trace: 1})
		if len(useful) != 1 || *useful[0].Gain != 3.5 || useful[0].Useless(3.5) || !useful[0].Useless(3.6) || !useless[0].Useless(1) {
			t.Errorf("entries: %+v, %+v", useful, useless)
		}
	}
	if (usefulness.Entry{Undefined: usefulness.Overflow}).Useless(100) {
		t.Error("a call without a gain is not useless")
	}
}

func TestByResult(t *testing.T) {
	events := []trace.Event{
		event(trace.Action{CallID: "a"}), event(trace.Action{CallID: "b"}), event(trace.Guard{}), event(trace.Observation{CallID: "b"}),
		event(trace.Observation{CallID: "a"}), event(trace.Action{CallID: "c"}),
	}
	got := usefulness.ByResult(events, []usefulness.Entry{{Call: 0, Tool: "first"}, {Call: 1, Tool: "second"}, {Call: 2, Tool: "third"}})
	if len(got) != 2 || got[4].Tool != "first" || got[3].Tool != "second" {
		t.Errorf("got %+v", got)
	}
	if usefulness.ByResult(events, nil) != nil {
		t.Error("a trace without scores has no entries")
	}
}
