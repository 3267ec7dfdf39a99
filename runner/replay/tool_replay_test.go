package replay_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// traceOf returns the name of the ith trace of a query.
func traceOf(i int) trace.ID { return trace.ID{Agent: "a1", Query: "q0", Trace: i} }

// everyKind returns calls with every kind of result.
func everyKind(i int) []model.ToolCall {
	var calls []model.ToolCall
	for n, query := range []string{"nile", "quota", "kindless", "refuse", "hang", "nothing", "bare", "no documents", "nile", fmt.Sprint("trace ", i), "<&>\u2028é"} {
		calls = append(calls, search(fmt.Sprint("call_", n), query))
	}
	return append(calls,
		model.ToolCall{ID: "s", Name: "sum"},
		model.ToolCall{ID: "u", Name: "unknown", Arguments: `{}`},
		model.ToolCall{ID: "b", Name: "web_search", Arguments: `{"query":7}`},
		model.ToolCall{ID: "j", Name: "web_search", Arguments: `{"query":`},
	)
}

// TestObservationsAreAsRecorded replays traces with every kind of observation concurrently. The events must
// be equal byte by byte, and the library must not be called again.
func TestObservationsAreAsRecorded(t *testing.T) {
	const k = 3
	var asked, added atomic.Int64
	tools := []tool.Tool{library{&asked}, sum{&added}}
	want := make([][]trace.Event, k)
	wantResults := make([][]tool.Result, k)
	var recorded []trace.Event
	for i := range k {
		synctest.Test(t, func(t *testing.T) { // time passes only when the library does not answer
			want[i], wantResults[i] = runUnder(t, t.Context(), traceOf(i), tools, everyKind(i), impatient)
		})
		recorded = append(recorded, throughJSON(want[i])...)
	}
	before := asked.Load()
	rec := openEvents(recorded)
	for i, inner := range tools {
		tools[i] = replay.Tool{Inner: inner, Recording: rec}
	}
	var wg sync.WaitGroup
	for i := range k {
		wg.Go(func() {
			got, results := run(t, context.Background(), traceOf(i), tools, everyKind(i))
			if diff := cmp.Diff(want[i], got); diff != "" {
				t.Errorf("trace %d (-recorded +replayed):\n%s", i, diff)
			}
			for n, r := range results {
				if w := wantResults[i][n]; r.Failure != w.Failure || r.Kind != w.Kind {
					t.Errorf("call %s: %q %q, want %q %q", r.Call.ID, r.Failure, r.Kind, w.Failure, w.Kind)
				}
			}
		})
	}
	wg.Wait()
	if asked.Load() != before || added.Load() != 2*k {
		t.Errorf("the library was asked %d times more, and the pure tool was run %d times in all", asked.Load()-before, added.Load())
	}
}

func TestCallsThatDiffer(t *testing.T) {
	var asked atomic.Int64
	recorded, _ := run(t, t.Context(), traceOf(0), []tool.Tool{library{&asked}}, []model.ToolCall{search("c", "nile")})
	for _, c := range []struct {
		arguments string
		same      bool
	}{
		{`{"query":"nile"}`, true},
		{" { \"query\" :\n\"nil\\u0065\" } ", true},
		{`{"query":"amazon"}`, false},
		{`{"query":"nile","n":1}`, false},
	} {
		asked.Store(0)
		rec := openEvents(throughJSON(recorded))
		_, results := run(t, t.Context(), traceOf(0), []tool.Tool{replay.Tool{Inner: library{&asked}, Recording: rec, Missing: true}},
			[]model.ToolCall{{ID: "c", Name: "web_search", Arguments: c.arguments}})
		got := results[0]
		if c.same {
			if got.Failure != tool.NoFailure || asked.Load() != 0 {
				t.Errorf("%s: %+v", c.arguments, got)
			}
			continue
		}
		for _, part := range []string{"call c of q0 trace 0", `-web_search({"query":"nile"})`, "+web_search(" + tool.Canonical(c.arguments), "record again"} {
			if !strings.Contains(got.Error, part) {
				t.Errorf("%s: %s\nlacks %q", c.arguments, got.Error, part)
			}
		}
		if got.Failure != tool.BackendFailure || got.Kind != replay.Kind || asked.Load() != 0 {
			t.Errorf("%s: %+v, asked %d times", c.arguments, got, asked.Load())
		}
	}
}

func TestMissingCalls(t *testing.T) {
	var asked atomic.Int64
	recorded, _ := run(t, t.Context(), traceOf(0), []tool.Tool{library{&asked}}, []model.ToolCall{search("c", "nile"), search("d", "nile")})
	recorded = recorded[:3] // the trace was stopped during d
	for _, c := range []struct {
		name  string
		id    trace.ID
		calls []model.ToolCall
		want  string
	}{
		{"another trace", traceOf(4), []model.ToolCall{search("c", "nile")}, "no such call"},
		{"another call", traceOf(0), []model.ToolCall{search("z", "nile")}, "no such call"},
		{"stopped", traceOf(0), []model.ToolCall{search("d", "nile")}, "stopped before the call returned"},
		{"once more", traceOf(0), []model.ToolCall{search("c", "nile"), search("c", "nile")}, "has only 1 of this call"},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked.Store(0)
			rec := openEvents(recorded)
			_, results := run(t, t.Context(), c.id, []tool.Tool{replay.Tool{Inner: library{&asked}, Recording: rec}}, c.calls)
			got := results[len(results)-1]
			if got.Kind != replay.Kind || !strings.Contains(got.Error, c.want) || !strings.Contains(got.Error, "--record-missing") || asked.Load() != 0 {
				t.Errorf("%+v, asked %d times", got, asked.Load())
			}

			rec = openEvents(recorded)
			_, results = run(t, t.Context(), c.id, []tool.Tool{replay.Tool{Inner: library{&asked}, Recording: rec, Missing: true}}, c.calls)
			if got := results[len(results)-1]; got.Failure != tool.NoFailure || asked.Load() != 1 {
				t.Errorf("%+v, asked %d times", got, asked.Load())
			}
		})
	}
}

func TestOutsideOfATrace(t *testing.T) {
	var asked atomic.Int64
	r := replay.Tool{Inner: library{&asked}, Recording: openEvents(nil), Missing: true}
	_, err := r.Call(t.Context(), []byte(`{"query":"nile"}`))
	if e, ok := errors.AsType[*tool.BackendError](err); !ok || e.Kind != replay.Kind || !strings.Contains(err.Error(), "tool.WithTrace") {
		t.Error(err)
	}
}

// TestCallsAreReplayed checks the law of the package: any calls of any traces, also with repeated ids, have
// their recorded results, in any order of the traces.
func TestCallsAreReplayed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var asked atomic.Int64
		queries := rapid.OneOf(rapid.SampledFrom([]string{"quota", "refuse", "nothing", "bare", "no documents"}), rapid.String())
		k := rapid.IntRange(1, 4).Draw(t, "k")
		calls, want := make([][]model.ToolCall, k), make([][]trace.Event, k)
		var recorded []trace.Event
		for i := range k {
			for range rapid.IntRange(0, 5).Draw(t, "calls") {
				calls[i] = append(calls[i], search(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "id"), queries.Draw(t, "query")))
			}
			want[i], _ = run(t, t.Context(), traceOf(i), []tool.Tool{library{&asked}}, calls[i])
			recorded = append(recorded, throughJSON(want[i])...)
		}
		asked.Store(0)
		rec := openEvents(recorded)
		order := rapid.Permutation([]int{0, 1, 2, 3}).Draw(t, "order")
		for _, i := range order {
			if i >= k {
				continue
			}
			got, _ := run(t, t.Context(), traceOf(i), []tool.Tool{replay.Tool{Inner: library{&asked}, Recording: rec}}, calls[i])
			if diff := cmp.Diff(want[i], got); diff != "" {
				t.Fatalf("trace %d (-recorded +replayed):\n%s", i, diff)
			}
		}
		if asked.Load() != 0 {
			t.Fatalf("the library was asked %d times", asked.Load())
		}
	})
}
