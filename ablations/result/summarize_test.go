package result_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// mixed is a run of five queries: one of each way to end.
func mixed() []store.Record {
	const a, n, i, r, s = trace.Answered, trace.NoAnswer, trace.Infra, trace.Refused, trace.Abstained
	return []store.Record{
		record("default", "q-1", "lookup", judge.Correct, a, a, a),   // exact
		record("default", "q-2", "lookup", judge.Incorrect, a, a, n), // majority
		record("default", "q-3", "lookup", judge.Unscored, a, i, i),  // none
		record("default", "q-4", "safety", judge.Correct, r, r, r),   // exact
		record("default", "q-5", "safety", judge.Incorrect, a, r, s), // tie
	}
}

func TestSummarize(t *testing.T) {
	c := summarize(t, manifest(5, 3, "default"), mixed()...).Configurations[0]

	if want := (result.Counts{Queries: 5, Correct: 2, Incorrect: 2, Unscored: 1}); c.Counts != want {
		t.Errorf("counts %+v, want %+v", c.Counts, want)
	}
	if c.PassRate == nil || *c.PassRate != 0.4 {
		t.Errorf("pass rate %v, want 0.4: unscored queries stay in the denominator", c.PassRate)
	}
	if c.Bounds == nil || *c.Bounds != [2]float64{0.4, 0.6} {
		t.Errorf("bounds %v, want 0.4 to 0.6", c.Bounds)
	}
	wantCategories := map[string]result.Counts{
		"lookup": {Queries: 3, Correct: 1, Incorrect: 1, Unscored: 1},
		"safety": {Queries: 2, Correct: 1, Incorrect: 1},
	}
	if diff := cmp.Diff(wantCategories, c.ByCategory); diff != "" {
		t.Errorf("by category (-want +got):\n%s", diff)
	}
	wantConsensus := result.Consensus{
		Quorum:          consensus.QuorumMajority,
		Methods:         map[consensus.Method]int{consensus.Exact: 2, consensus.Majority: 1, consensus.None: 1, consensus.Tie: 1},
		CorrectByMethod: map[consensus.Method]int{consensus.Exact: 2},
		MeanAgreement:   c.Consensus.MeanAgreement,
		VerifierUnread:  result.Unread{Tokens: new(0.0)},
	}
	if diff := cmp.Diff(wantConsensus, c.Consensus); diff != "" {
		t.Errorf("consensus (-want +got):\n%s", diff)
	}
	// 1, 2/3, 1 and 1/3; the third query lost traces.
	if m := c.Consensus.MeanAgreement; m == nil || math.Abs(*m-3.0/4) > 1e-12 {
		t.Errorf("mean agreement %v, want 3/4", m)
	}
	wantTraces := result.Traces{
		Total:       15,
		Outcomes:    map[trace.Outcome]int{trace.Answered: 7, trace.NoAnswer: 1, trace.Infra: 2, trace.Refused: 4, trace.Abstained: 1},
		StopReasons: map[trace.StopReason]int{trace.Final: 12, trace.EmptyAnswer: 1, trace.Timeout: 2},
		Correct:     6,
		Causes:      []result.Cause{{StopReason: trace.Timeout, Text: "timeout", Traces: 2, Query: "q-3", Trace: 1}},
	}
	if diff := cmp.Diff(wantTraces, c.Traces); diff != "" {
		t.Errorf("traces (-want +got):\n%s", diff)
	}
	wantUsage := store.Usage{ToolCalls: 15}
	wantUsage.Call(store.AgentRole, 30, model.Usage{InputTokens: 500, OutputTokens: 50, CachedTokens: 5}, nil)
	if diff := cmp.Diff(wantUsage, c.Usage); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
	if c.Timing.CallsSent != 15 || c.Timing.WallS == nil || *c.Timing.WallS != 90 {
		t.Errorf("timing %+v, want 15 calls in 90 s", c.Timing)
	}
}

// Wilson's interval of docs/method.md §5.2.
func TestIntervalOfThePassRate(t *testing.T) {
	for _, c := range []struct {
		correct, wrong, unscored int
		low, high                float64
	}{
		{27, 2, 0, .7804, .9809},
		{27, 0, 2, .7804, .9809}, // unscored counts as wrong
		{29, 0, 0, .8830, 1},
		{0, 29, 0, 0, .1170},
		{1, 0, 0, .2065, 1},
	} {
		n := c.correct + c.wrong + c.unscored
		records := slices.Concat(
			repeat(0, c.correct, judge.Correct, trace.Answered),
			repeat(c.correct, c.wrong, judge.Incorrect, trace.Answered),
			repeat(c.correct+c.wrong, c.unscored, judge.Unscored, trace.Infra),
		)
		got := summarize(t, manifest(n, 1, "default"), records...).Configurations[0]
		if got.CI.Method != "wilson" || got.CI.Level != 0.95 || math.Abs(got.CI.Low-c.low) > 5e-5 || math.Abs(got.CI.High-c.high) > 5e-5 {
			t.Errorf("%d of %d: %+v, want wilson [%v, %v] at 0.95", c.correct, n, got.CI, c.low, c.high)
		}
		if got.Consensus.MeanAgreement != nil {
			t.Errorf("%d of %d: agreement %v of K=1, want undefined", c.correct, n, *got.Consensus.MeanAgreement)
		}
		upper := float64(c.correct+c.unscored) / float64(n)
		if *got.PassRate != float64(c.correct)/float64(n) || *got.Bounds != [2]float64{*got.PassRate, upper} {
			t.Errorf("%d of %d: pass rate %v, bounds %v", c.correct, n, *got.PassRate, *got.Bounds)
		}
	}
}

func TestSummarizeWithoutQueries(t *testing.T) {
	r := summarize(t, manifest(0, 3, "default"))
	c := r.Configurations[0]
	if c.PassRate != nil || c.Bounds != nil || c.Consensus.MeanAgreement != nil || c.Timing.TraceP50S != nil || c.Timing.TraceP95S != nil || c.CI != nil || c.Clustered != nil {
		t.Errorf("figures of no query are defined: %+v", c)
	}
	if r.Invalid() || len(r.Warnings) > 0 {
		t.Errorf("invalid %v, warnings %q", r.Invalid(), r.Warnings)
	}
}

// Nearest rank: the smallest value that at least the share p does not exceed.
func TestTraceSeconds(t *testing.T) {
	for _, c := range []struct {
		seconds  []float64
		p50, p95 float64
	}{
		{[]float64{3}, 3, 3},
		{[]float64{2, 1}, 1, 2},
		{[]float64{4, 1, 3, 2}, 2, 4},
		{[]float64{5, 1, 4, 2, 3}, 3, 5},
		{upTo(20), 10, 19}, // 0.95·20 is 19, whatever floats make of it
		{upTo(21), 11, 20},
		{upTo(100), 50, 95},
	} {
		outcomes := slices.Repeat([]trace.Outcome{trace.Answered}, len(c.seconds)+1)
		outcomes[0] = trace.Infra // and took longest
		r := record("default", "q-1", "lookup", judge.Correct, outcomes...)
		r.Timing.TracesS = append([]float64{1000}, c.seconds...)
		got := summarize(t, manifest(1, len(outcomes), "default"), r).Configurations[0].Timing
		if *got.TraceP50S != c.p50 || *got.TraceP95S != c.p95 {
			t.Errorf("%v: p50 %v, p95 %v, want %v, %v", c.seconds, *got.TraceP50S, *got.TraceP95S, c.p50, c.p95)
		}
	}
}

func upTo(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(n - i)
	}
	return out
}

// Records of an ablation interleave; every row counts its own, in the manifest's order.
func TestSummarizeSeveralConfigurations(t *testing.T) {
	records := []store.Record{
		record("b", "q-1", "lookup", judge.Incorrect, trace.Answered),
		record("a", "q-2", "lookup", judge.Correct, trace.Answered),
		record("a", "q-1", "lookup", judge.Correct, trace.Answered),
		record("b", "q-2", "lookup", judge.Correct, trace.Answered),
	}
	r := summarize(t, manifest(2, 1, "b", "a"), records...)
	if len(r.Configurations) != 2 || r.Configurations[0].Name != "b" || r.Configurations[1].Name != "a" {
		t.Fatalf("rows %+v, want b, then a", r.Configurations)
	}
	if b, a := r.Configurations[0].Counts.Correct, r.Configurations[1].Counts.Correct; b != 1 || a != 2 {
		t.Errorf("correct: b %d, a %d, want 1 and 2", b, a)
	}
}

// The order in which queries were decided says nothing, not even in the last digit.
func TestOrderOfRecordsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := []string{"+a", "-b", "-c", "0", "!"}
		records := drawn(t, "a", 3, words)
		n := len(records)
		records = append(records, drawn(t, "b", 3, words)...)
		m := manifest(n, 3, "a", "b")
		if m.Dataset.Queries = max(n, len(records)-n); 2*m.Dataset.Queries > len(records) {
			m.State = store.Interrupted
		}
		for i := range records {
			records[i].Cluster = rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "cluster")
		}
		want, err := result.Summarize(m, all(records, nil))
		if err != nil {
			t.Fatal(err)
		}
		got, err := result.Summarize(m, all(rapid.Permutation(records).Draw(t, "order"), nil))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("another order (-want +got):\n%s", diff)
		}
	})
}

func TestSummarizeErrors(t *testing.T) {
	broken := errors.New("read results.jsonl:3: cut off")
	one := record("default", "q-1", "lookup", judge.Correct, trace.Answered)
	two := record("default", "q-2", "lookup", judge.Correct, trace.Answered)
	foreign := record("other", "q-2", "lookup", judge.Correct, trace.Answered)
	strange := record("default", "q-2", "lookup", judge.Ruling("perhaps"), trace.Answered)
	for _, c := range []struct {
		name    string
		records []store.Record
		reader  error
		want    string
	}{
		{"a record is missing", []store.Record{one}, nil, "default has records of 1 queries, but the manifest lists 2"},
		{"one too many", []store.Record{one, two, record("default", "q-3", "lookup", judge.Correct, trace.Answered)}, nil, "records of 3 queries"},
		{"two records of a query", []store.Record{one, one}, nil, "query q-1 of configuration default has two records"},
		{"unknown configuration", []store.Record{one, foreign}, nil, `a record of configuration "other"`},
		{"unknown verdict", []store.Record{one, strange}, nil, `"perhaps"`},
		{"unreadable", []store.Record{one}, broken, "results.jsonl:3"},
	} {
		r, err := result.Summarize(manifest(2, 1, "default"), all(c.records, c.reader))
		if err == nil || r != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: result %v, error %v, want one with %q", c.name, r, err, c.want)
		}
		if c.reader != nil && !errors.Is(err, c.reader) {
			t.Errorf("%s: the reader's error is lost in %v", c.name, err)
		}
	}
}

// In an incomplete run, queries without a record widen the bounds, and rates that they would
// change are undefined.
func TestAPartOfARun(t *testing.T) {
	m := manifest(4, 1, "default")
	m.State, m.Dataset.ByCategory = store.Interrupted, map[string]int{"lookup": 3, "safety": 1}
	r := summarize(t, m, judged("a", judge.Correct, judge.Correct, 5), record("default", "b", "lookup", judge.Incorrect, trace.Answered))
	c := r.Configurations[0]
	if want := (result.Counts{Queries: 4, Correct: 1, Incorrect: 1, Unscored: 2, Missing: 2}); c.Counts != want {
		t.Errorf("counts %+v, want %+v", c.Counts, want)
	}
	if *c.Bounds != [2]float64{0.25, 0.75} || c.PassRate != nil || c.CI != nil || c.Clustered != nil || c.Confidence != nil {
		t.Errorf("bounds %v, want 0.25 to 0.75; rate %v, interval %v, clusters %v and confidence %v want to be undefined", *c.Bounds, c.PassRate, c.CI, c.Clustered, c.Confidence)
	}
	if got := c.ByCategory["lookup"]; got.Queries != 3 || got.Missing != 1 {
		t.Errorf("lookup %+v", got)
	}
	if got := c.ByCategory["safety"]; got.Queries != 1 || got.Missing != 1 {
		t.Errorf("safety %+v", got)
	}
	if c.Judge.CorrectnessPassRate != nil || c.Judge.QualityPassRate != nil {
		t.Errorf("judges' rates of a part of a run: %+v", c.Judge)
	}
	if warnings := strings.Join(r.Warnings, "\n"); !strings.Contains(warnings, "2 of 4 queries have no record") || strings.Contains(warnings, "unscored;") {
		t.Errorf("warnings %q", warnings)
	}
}

// The seconds that a run lay still are not part of what it took.
func TestPausesDoNotCount(t *testing.T) {
	m := manifest(1, 1, "default")
	m.PausedS = 60
	if got := *summarize(t, m, judged("a", judge.Correct, judge.Correct, 5)).Configurations[0].Timing.WallS; got != 30 {
		t.Errorf("%v s, want 30", got)
	}
	m.PausedS = 1000 // a clock that jumped
	if got := *summarize(t, m, judged("a", judge.Correct, judge.Correct, 5)).Configurations[0].Timing.WallS; got != 0 {
		t.Errorf("%v s, want 0", got)
	}
}

// The versions are a copy: who changes a result does not change the manifest.
func TestVersionsAreThoseOfTheManifest(t *testing.T) {
	m := manifest(0, 1, "default")
	m.Versions = map[string]string{"norm": "norm/v2"}
	r := summarize(t, m)
	r.Versions["norm"] = "other"
	if m.Versions["norm"] != "norm/v2" || len(r.Versions) != 1 {
		t.Errorf("manifest %v, result %v", m.Versions, r.Versions)
	}
	if got := summarize(t, manifest(0, 1, "default")).Versions; got == nil {
		t.Error("no versions are null, want an empty object")
	}
}

// What a query cost is over those that were run.
func TestCostOfAPartOfARun(t *testing.T) {
	m := manifest(4, 1, "default")
	m.State = store.Interrupted
	c := summarize(t, m, voted("default", "a", "lookup", "+a"), voted("default", "b", "lookup", "-a")).Configurations[0]
	is(t, "per query", c.USDPerQuery, .5)
	is(t, "per correct", c.USDPerCorrect, 1)
}

func TestCategoriesThatDoNotFit(t *testing.T) {
	m := manifest(1, 1, "default")
	m.Dataset.ByCategory = map[string]int{"lookup": -7}
	_, err := result.Summarize(m, all([]store.Record{record("default", "q-1", "lookup", judge.Correct, trace.Answered)}, nil))
	if err == nil || !strings.Contains(err.Error(), "1 queries of the category lookup, but the manifest lists -7") {
		t.Errorf("%v", err)
	}
}
