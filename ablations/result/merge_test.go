package result_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// drawnRecord has a value, drawn or not, for everything that a tally sums up.
func drawnRecord(t *rapid.T, configuration string, i, k int) store.Record {
	small := rapid.IntRange(0, 3)
	sometimes := func(what string) bool { return small.Draw(t, what) == 0 }
	traces := make([]string, k)
	for j := range traces {
		traces[j] = rapid.SampledFrom([]string{"+a", "+a", "-b", "-c", "0", "!"}).Draw(t, "trace")
	}
	query := fmt.Sprintf("q-%02d", i)
	r := voted(configuration, query, rapid.SampledFrom([]string{"lookup", "safety"}).Draw(t, "category"), strings.Join(traces, " "))
	r.Cluster = rapid.SampledFrom([]string{"", "", "page 1", "page 2"}).Draw(t, "cluster")
	for j := range r.Answers {
		a := &r.Answers[j]
		a.Steps, a.FailedCalls, a.Actions, a.Repeated = 1+small.Draw(t, "steps"), small.Draw(t, "failed"), 3, small.Draw(t, "repeated")
		a.Format = trace.Format{Errors: small.Draw(t, "errors"), CutOff: 1}
		a.Unread = sometimes("unread")
		if sometimes("right as") {
			a.RightAs = rapid.SampledFrom([]answer.Type{"integer", "date"}).Draw(t, "type")
		}
		if a.Outcome == trace.Infra {
			cause := fmt.Sprintf("HTTP 50%d", small.Draw(t, "status"))
			a.Cause, a.StopReason = &cause, trace.ModelError
		}
		if sometimes("sure") {
			percent := float64(10 * rapid.IntRange(-1, 11).Draw(t, "percent"))
			a.Sureness = &trace.Sureness{Percent: &percent}
		}
		if sometimes("expects calls") {
			a.Calls = &judge.Calls{Expected: 3, Made: small.Draw(t, "made"), Matched: small.Draw(t, "matched"), InOrder: true}
		}
		if sometimes("audited") {
			grounded := sometimes("grounded")
			a.Grounded, a.Grounding = &grounded, trace.Grounding{Claims: 3, Supported: 1, Citations: 2, Valid: 1}
		}
		if sometimes("agents") {
			usd := 0.25
			a.Agents = []store.AgentUsage{{Path: "lead/search#1", AgentCost: store.AgentCost{Steps: 2, RoleUsage: store.RoleUsage{ModelCalls: 2, USD: &usd}}},
				{Task: "analysis", AgentCost: store.AgentCost{Steps: 1, RoleUsage: store.RoleUsage{ModelCalls: 1, Usage: model.Usage{InputTokens: 7}}}}}
		}
		if sometimes("explains") {
			a.Set("explain", map[string]int{"due": 3, "given": 2, "followed": 2, "kept": 1, "tokens": 40})
		}
		if sometimes("playbook") {
			a.Set("playbook", map[string]any{"shown": []string{"b1", "b2"}, "named": []string{"b1"}, "followed": []string{}, "tokens": 30})
		}
		r.Timing.TracesS = append(r.Timing.TracesS, float64(rapid.IntRange(0, 9e9).Draw(t, "ns"))/1e9)
	}
	r.Timing.VerifierS, r.Timing.UnreadS, r.Timing.JudgeS, r.Timing.JudgeUnreadS = .3, .1, .7, .2
	r.Timing.CallsSent, r.Consensus.Effort.Calls, r.Consensus.Effort.Unread = k, 3, small.Draw(t, "verifier's")
	if sometimes("judged") {
		score := 1 + small.Draw(t, "score")
		verdict := judge.Verdict{Verdict: rapid.SampledFrom([]judge.Ruling{judge.Correct, judge.Incorrect, judge.Unscored}).Draw(t, "judge"), By: judge.ByCorrectness}
		other := rapid.SampledFrom([]judge.Ruling{judge.Correct, judge.Incorrect, judge.Unscored}).Draw(t, "other")
		r.Judgements = &store.Judgements{
			Correctness: &judge.CorrectnessJudgement{Verdict: verdict, Members: []judge.Opinion{{Judge: "m:one", Verdict: verdict.Verdict}, {Judge: "m:two", Verdict: other}},
				Repeats: []judge.Opinion{{Verdict: judge.Correct}, {Verdict: other}}, Canaries: &judge.CanaryResult{Count: 4}},
			Quality: []judge.QualityJudgement{{Verdict: verdict, Score: &score}},
			Rubric:  []judge.RubricJudgement{{Item: "polite", Verdict: verdict}},
		}
		if sometimes("decides") {
			r.Verdict = verdict
		}
	}
	if sometimes("extracted") {
		r.Extraction = &store.Extraction{Model: "m:x", Messages: 2, Read: 1, Effort: asking.Effort{Calls: 2, Unread: 1}}
	}
	if sometimes("labelled") {
		says := rapid.SampledFrom([]judge.Ruling{judge.Correct, judge.Incorrect}).Draw(t, "person")
		r.Label = &store.Labelled{Label: store.Label{Query: query, Verdict: says}, Before: r.Verdict}
		for _, a := range r.Answers {
			r.AnswersBefore = append(r.AnswersBefore, a.Verdict)
		}
		r.Verdict = judge.Verdict{Verdict: says, By: judge.ByPerson}
	}
	return r
}

// Tallies of any parts of the records, merged in any order, give the result of the whole, to the last digit.
func TestMergeIsTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, n := rapid.IntRange(1, 4).Draw(t, "k"), rapid.IntRange(1, 12).Draw(t, "queries")
		names := []string{"a", "b"}[:rapid.IntRange(1, 2).Draw(t, "configurations")]
		m := manifest(n, k, names...)
		for i := range m.Configurations {
			c := &m.Configurations[i].Configuration
			c.Judge.Panel.Members, c.Judge.Rubric = []string{"m:one", "m:two"}, []config.RubricItem{{ID: "polite", Weight: 2}}
		}
		var records []store.Record
		for i := range n {
			for _, name := range names {
				records = append(records, drawnRecord(t, name, i, k))
			}
		}
		want, err := result.Summarize(m, all(records, nil))
		if err != nil {
			t.Fatal(err)
		}
		draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
		draw.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		parts := make([]*result.Tally, rapid.IntRange(1, 5).Draw(t, "parts"))
		for i := range parts {
			parts[i] = result.NewTally(m)
		}
		for _, r := range records {
			if err := parts[draw.IntN(len(parts))].Add(r); err != nil {
				t.Fatal(err)
			}
		}
		for len(parts) > 1 { // as a tree of any form
			i := draw.IntN(len(parts) - 1)
			into, from := parts[i], parts[i+1]
			if draw.IntN(2) == 0 {
				into, from = from, into
			}
			if err := into.Merge(from); err != nil {
				t.Fatal(err)
			}
			parts = append(append(parts[:i:i], into), parts[i+2:]...)
		}
		got, err := parts[0].Result()
		if err != nil {
			t.Fatal(err)
		}
		a, _ := lines.Encode(want)
		b, _ := lines.Encode(got)
		if diff := cmp.Diff(string(a), string(b)); diff != "" {
			t.Fatalf("-whole +parts %s", cmp.Diff(want, got))
		}
	})
}

// A query that both have, and a tally of another run, cannot be merged.
func TestMergeRefuses(t *testing.T) {
	m := manifest(2, 1, "a")
	of := func(m store.Manifest, query string) *result.Tally {
		tally := result.NewTally(m)
		if err := tally.Add(voted("a", query, "lookup", "+x")); err != nil {
			t.Fatal(err)
		}
		return tally
	}
	other := m
	other.Run = "run-2"
	for want, with := range map[string]*result.Tally{
		"a query of configuration a has two records": of(m, "q-1"),
		"records of run run-2 are not of this run":   of(other, "q-2"),
	} {
		if err := of(m, "q-1").Merge(with); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
	twice := of(m, "q-1")
	if err := twice.Add(voted("a", "q-1", "lookup", "-x")); err == nil || !strings.Contains(err.Error(), "query q-1 of configuration a has two records") {
		t.Error(err)
	}
}

// The memory of a tally is some bytes a record: of its id, and of the seconds of its traces.
func TestTallyStaysSmall(t *testing.T) {
	const n = 20_000
	live := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	record := voted("a", "", "lookup", "+a +a -b")
	record.Timing.TracesS = []float64{1, 2, 3}
	before := live()
	tally := result.NewTally(manifest(n, 3, "a"))
	for i := range n {
		record.Query = fmt.Sprint("query ", i)
		if err := tally.Add(record); err != nil {
			t.Fatal(err)
		}
	}
	if each := (live() - before) / n; each > 24+3*8*5/4+20 {
		t.Errorf("%d bytes a record", each)
	}
	runtime.KeepAlive(tally)
}
