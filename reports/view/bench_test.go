package view_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// BenchmarkLargeRun opens the pages of a run of 100,000 traces, K=3, of two turns each.
func BenchmarkLargeRun(b *testing.B) {
	const queries, k = 33_334, 3
	dir := b.TempDir()
	m := manifest("large", queries, start)
	m.Configurations[0].K = k
	w := created(b, dir, m)
	text := strings.Repeat("a question and what was found ", 40)
	for i := range queries {
		s := sentence{fmt.Sprintf("q%05d", i), text, "yes", "a reason"}
		r := store.Record{
			Configuration: "default", Query: s.query, QueryHash: "h", Category: "lookup", Question: s.question, Expected: s.answer, Agent: agent,
			Consensus: consensus.Decision{Method: consensus.Exact, Outcome: trace.Answered, Answer: &s.answer, Key: &s.answer, Valid: k, KCurve: true, Votes: []consensus.Class{{Key: s.answer, Keys: []string{s.answer}, Traces: []int{0, 1, 2}}}},
			Verdict:   judge.Verdict{Verdict: []judge.Ruling{judge.Correct, judge.Incorrect}[i%2], By: judge.ByGold, Reason: s.text},
		}
		for n := range k {
			id := trace.ID{Agent: agent, Query: s.query, Trace: n}
			for step := range 2 {
				w.Exchange(store.Exchange{
					Identity: model.Identity{Agent: agent, Query: s.query, Trace: n, Step: step, Purpose: model.Agent}, RequestSettings: &store.RequestSettings{Model: "m"},
					Messages: []model.Message{{Role: model.User, Content: text}}, Response: &model.Message{Role: model.Assistant, Content: "So it is."},
				})
				w.Event(trace.Event{ID: id, Step: step, Body: trace.Thought{Content: "thinking"}})
				w.Event(trace.Event{ID: id, Step: step, Body: trace.Observation{Documents: []trace.Document{{ID: "corpus_1", Title: "a title", Snippet: text}}}})
			}
			w.Event(trace.Event{ID: id, Step: 1, Body: trace.Conclusion{Message: text, Answer: &s.answer, Outcome: trace.Answered, StopReason: trace.Final, Steps: 2}})
			r.Answers = append(r.Answers, store.Answer{Trace: n, Answer: &s.answer, Key: &s.answer, Outcome: trace.Answered, StopReason: trace.Final, Steps: 2, Verdict: r.Verdict.Verdict})
		}
		w.Record(r)
	}
	completed(b, w)
	run, err := store.Open(w.Dir())
	if err != nil {
		b.Fatal(err)
	}
	size, err := run.Size()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s := served(b, dir)
		for _, p := range []struct{ name, path string }{
			{"list", "/"}, {"run", "/run/large/"}, {"queries", "/run/large/queries?from=20000"}, {"trace", traceOf("large", "q20000")}, {"next-trace", traceOf("large", "q20001")},
		} {
			began := time.Now()
			s.page(p.path)
			b.ReportMetric(time.Since(began).Seconds(), "s-"+p.name)
		}
		var used runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&used)
		b.ReportMetric(float64(used.HeapAlloc)/1e6, "MB-heap")
	}
	b.ReportMetric(float64(size)/1e6, "MB")
}
