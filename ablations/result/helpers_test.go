package result_test

import (
	"context"
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
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
// as they would in a run; unscored are the traces that infrastructure failures took.
func record(configuration, query, category string, verdict judge.Ruling, outcomes ...trace.Outcome) store.Record {
	r := store.Record{
		Configuration: configuration, Query: query, Category: category, QueryHash: "00", Agent: "3f2a",
		Verdict: judge.Verdict{Verdict: verdict, By: "gold"},
		Usage:   store.Usage{ToolCalls: len(outcomes)},
		Timing:  store.Timing{CallsSent: len(outcomes)},
	}
	r.Usage.Call(store.AgentRole, 2*len(outcomes), model.Usage{InputTokens: 100, OutputTokens: 10, CachedTokens: 1}, nil)
	ballots := make([]consensus.Ballot, len(outcomes))
	for i, o := range outcomes {
		ballots[i] = consensus.Ballot{Trace: i, Outcome: o, Key: string(o)}
		key, own := string(o), verdict
		if o == trace.Infra {
			own = judge.Unscored
		} else if own == judge.Unscored {
			own = judge.Incorrect
		}
		r.Answers = append(r.Answers, store.Answer{Trace: i, Key: &key, Outcome: o, StopReason: reason(o), Verdict: own})
		r.Timing.TracesS = append(r.Timing.TracesS, float64(i+1))
	}
	decider := consensus.Decider{Stages: []consensus.Stage{consensus.StageExact, consensus.StageMajority}}
	var err error
	if r.Consensus, err = decider.Decide(context.Background(), consensus.Question{}, ballots); err != nil {
		panic(err)
	}
	if r.Consensus.Unscored {
		r.Verdict.By = judge.ByInfra
	}
	return r
}

// voted is a record of traces that are written as "+x" where they gave the right answer x,
// "-x" where they gave the wrong one x, "0" without an answer and "!" where the
// infrastructure failed. Each asked a model twice, took a step more than its index, and the
// verdict is that of the trace that stands for the consensus.
func voted(configuration, query, category, traces string) store.Record {
	return votedWith(consensus.QuorumMajority, configuration, query, category, traces)
}

// votedWith is voted with a quorum.
func votedWith(quorum consensus.Quorum, configuration, query, category, traces string) store.Record {
	r := store.Record{Configuration: configuration, Query: query, Category: category, Agent: "3f2a"}
	var ballots []consensus.Ballot
	for i, word := range strings.Fields(traces) {
		a := store.Answer{Trace: i, Outcome: trace.Answered, StopReason: trace.Final, Verdict: judge.Incorrect, Steps: i + 1, ToolCalls: i}
		switch word[0] {
		case '0':
			a.Outcome = trace.NoAnswer
		case '!':
			a.Outcome, a.Verdict = trace.Infra, judge.Unscored
		case '+':
			a.Verdict = judge.Correct
		}
		b := consensus.Ballot{Trace: i, Outcome: a.Outcome}
		if a.Outcome == trace.Answered {
			b.Key = word[1:]
			a.Key = &b.Key
		}
		ballots, r.Answers = append(ballots, b), append(r.Answers, a)
	}
	price := 0.5 * float64(len(ballots))
	r.Usage.Call(store.AgentRole, 2*len(ballots), model.Usage{InputTokens: 100 * len(ballots), OutputTokens: 10 * len(ballots)}, &price)
	var err error
	decider := consensus.Decider{Stages: []consensus.Stage{consensus.StageExact, consensus.StageMajority}, Quorum: quorum}
	if r.Consensus, err = decider.Decide(context.Background(), consensus.Question{ID: query}, ballots); err != nil {
		panic(err) // the stages and the quorum are known
	}
	r.Verdict = judge.Verdict{Verdict: judge.Incorrect, By: judge.ByGold}
	switch d := r.Consensus; {
	case d.Unscored:
		r.Verdict = judge.Verdict{Verdict: judge.Unscored, By: judge.ByInfra}
	case d.Representative != nil:
		r.Verdict.Verdict = r.Answers[*d.Representative].Verdict
	}
	return r
}

// votedAll is a complete run of one configuration, a query each.
func votedAll(t *testing.T, k int, queries ...string) result.Configuration {
	t.Helper()
	return votedRun(t, consensus.QuorumMajority, k, queries...).Configurations[0]
}

// votedRun is that run, with a quorum.
func votedRun(t *testing.T, quorum consensus.Quorum, k int, queries ...string) *result.Result {
	t.Helper()
	records := make([]store.Record, len(queries))
	for i, traces := range queries {
		records[i] = votedWith(quorum, "default", fmt.Sprintf("q-%03d", i), "lookup", traces)
	}
	m := manifest(len(records), k, "default")
	m.Configurations[0].Consensus.Quorum = consensus.Quorum(quorum)
	return summarize(t, m, records...)
}

// is fails the test unless a figure is defined and what it should be.
func is(t *testing.T, name string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 5e-7 {
		t.Errorf("%s: %s, want %v", name, figure(got), want)
	}
}

// undefined fails the test unless all figures are.
func undefined(t *testing.T, name string, figures ...*float64) {
	t.Helper()
	for i, f := range figures {
		if f != nil {
			t.Errorf("%s: figure %d is %v, want undefined", name, i, *f)
		}
	}
}

func figure(f *float64) string {
	if f == nil {
		return "undefined"
	}
	return fmt.Sprint(*f)
}

// between fails the test unless an interval is what it should be, to four digits.
func between(t *testing.T, name string, got *result.Interval, method string, low, high float64) {
	t.Helper()
	if got == nil || got.Method != method || got.Level != 0.95 || math.Abs(got.Low-low) > 5e-5 || math.Abs(got.High-high) > 5e-5 {
		t.Errorf("%s: %+v, want %s [%v, %v] at 0.95", name, got, method, low, high)
	}
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
