package result_test

import (
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// manifest of a complete run of 90 seconds over n queries, one configuration per name.
func manifest(n, k int, names ...string) store.Manifest {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	end := start.Add(90 * time.Second)
	m := store.Manifest{
		Run: "run-1", State: store.Complete, Start: start, End: &end, Seed: 7,
		Dataset: store.Dataset{Name: "small", Hash: "sha256:00", Queries: n, Categories: []string{"lookup", "safety"}},
	}
	for _, name := range names {
		c := config.New()
		c.Name, c.K = name, k
		m.Configurations = append(m.Configurations, store.Configuration{Name: name, Agent: "3f2a", Configuration: c})
	}
	return m
}

// record is one of K traces that all ended with the outcomes given. Its ballots decide
// as they would in a run.
func record(configuration, query, category string, verdict judge.Ruling, outcomes ...trace.Outcome) store.Record {
	r := store.Record{
		Configuration: configuration, Query: query, Category: category, Agent: "3f2a",
		Verdict: judge.Verdict{Verdict: verdict, By: "gold"},
		Usage:   store.Usage{ToolCalls: len(outcomes)},
		Timing:  store.Timing{CallsSent: len(outcomes)},
	}
	r.Usage.Call(store.AgentRole, 2*len(outcomes), model.Usage{InputTokens: 100, OutputTokens: 10, CachedTokens: 1}, nil)
	ballots := make([]consensus.Ballot, len(outcomes))
	for i, o := range outcomes {
		ballots[i] = consensus.Ballot{Trace: i, Outcome: o, Key: string(o)}
		r.Answers = append(r.Answers, store.Answer{Trace: i, Outcome: o, StopReason: reason(o), Verdict: verdict})
		r.Timing.TracesS = append(r.Timing.TracesS, float64(i+1))
	}
	r.Consensus = consensus.Decide(ballots, []consensus.Stage{consensus.StageExact, consensus.StageMajority})
	return r
}

func reason(o trace.Outcome) trace.StopReason {
	switch o {
	case trace.NoAnswer:
		return trace.EmptyAnswer
	case trace.Infra:
		return trace.Timeout
	}
	return trace.Final
}

// all yields records, then err where there is one.
func all(records []store.Record, err error) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
		if err != nil {
			yield(store.Record{}, err)
		}
	}
}

// summarize fails the test on an error.
func summarize(t *testing.T, m store.Manifest, records ...store.Record) *result.Result {
	t.Helper()
	r, err := result.Summarize(m, all(records, nil))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// repeat makes n records of K=1 whose queries are numbered from first on.
func repeat(first, n int, verdict judge.Ruling, o trace.Outcome) []store.Record {
	out := make([]store.Record, n)
	for i := range out {
		out[i] = record("default", fmt.Sprintf("q-%03d", first+i), "lookup", verdict, o)
	}
	return out
}
