package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// BenchmarkResume opens a stopped run of 100,000 traces with two turns each, as `concur run --resume` does at
// its start.
func BenchmarkResume(b *testing.B) {
	const traces = 100_000
	w, err := store.Create(b.TempDir(), manifest("large"))
	if err != nil {
		b.Fatal(err)
	}
	asked := []model.Message{{Role: model.User, Content: strings.Repeat("a question and what was found ", 30)}}
	for i := range traces {
		id := trace.ID{Agent: "3f2a", Query: fmt.Sprint("q", i)}
		for step := range 2 {
			w.Exchange(store.Exchange{Identity: model.Identity{Agent: id.Agent, Query: id.Query, Step: step, Purpose: model.Agent}, Messages: asked})
			w.Event(trace.Event{ID: id, Step: step, Body: trace.Thought{Content: strings.Repeat("thinking ", 30)}})
		}
		c := trace.Trace{ID: id, Outcome: trace.Answered, StopReason: trace.Final, ModelCalls: 2, Extract: "line"}.Conclusion()
		c.Timing.CallsSent = 2
		w.Event(trace.Event{ID: id, Step: 1, Body: c})
		if i%1000 > 0 {
			w.Record(store.Record{Configuration: "default", Query: id.Query, Agent: id.Agent, Question: asked[0].Content, Answers: []store.Answer{{}}})
		}
	}
	if err := w.Finish(store.Interrupted, day(2)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		run, err := store.Open(w.Dir())
		if err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		w, prior, err := run.Resume(day(3), store.Scope{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(start).Seconds(), "s/resume")
		if prior.Traces() != traces/1000 {
			b.Fatalf("%d traces", prior.Traces())
		}
		if err := w.Finish(store.Interrupted, day(4)); err != nil {
			b.Fatal(err)
		}
	}
}
