package result_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/checking"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// failing is the record of a query whose traces failed with these causes.
func failing(query string, reason trace.StopReason, causes ...string) store.Record {
	outcome, _ := reason.Outcome()
	outcomes := make([]trace.Outcome, len(causes))
	for i := range outcomes {
		outcomes[i] = outcome
	}
	r := record("default", query, "lookup", judge.Unscored, outcomes...)
	for i := range causes {
		r.Answers[i].StopReason, r.Answers[i].Cause = reason, &causes[i]
	}
	return r
}

// Causes that differ only in numbers and quotations are one, and neither the order of the records nor that of the
// traces changes which one is shown.
func TestCausesAreCounted(t *testing.T) {
	records := []store.Record{
		failing("q-2", trace.ModelError, "status 500; request 12", "status 500; request 9", "status 500; request 7"),
		failing("q-1", trace.ModelError, "status 500; request 1", "refused", "status 500; request 2"),
		failing("q-3", trace.FormatError, `it ends in "a"`, `it ends in "b \"c\""`, `it ends in ""`),
		record("default", "q-4", "lookup", judge.Correct, trace.Answered, trace.Answered, trace.Answered),
	}
	want := []result.Cause{
		{StopReason: trace.ModelError, Text: "status 500; request 1", Traces: 5, Query: "q-1"},
		{StopReason: trace.FormatError, Text: `it ends in "a"`, Traces: 3, Query: "q-3"},
		{StopReason: trace.ModelError, Text: "refused", Traces: 1, Query: "q-1", Trace: 1},
	}
	for range 10 {
		rand.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		c := summarize(t, manifest(len(records), 3, "default"), records...).Configurations[0]
		if diff := cmp.Diff(want, c.Traces.Causes); diff != "" {
			t.Fatalf("causes (-want +got):\n%s", diff)
		}
		if got := c.WithoutValid(); got != "2 queries got no answer because every model call failed" {
			t.Errorf("%q", got)
		}
	}
}

// The tools that failed are named.
func TestFailedToolsAreNamed(t *testing.T) {
	const (
		sql  = "every call to an evidence tool failed: tool_failed(sql): upstream: shop.db: locked; the reply has no answer"
		web  = "the last call to an evidence tool failed, and the agent abstained: timeout(web_search)"
		both = "every call of kb_search, sql fails, 10 consecutive times in 3s; fix the cause: upstream: tool_failed(x)"
	)
	for want, causes := range map[string][]string{
		"the calls of sql failed": {sql, sql}, "the calls of sql, web_search failed": {sql, web}, "the calls of kb_search, sql, web_search failed": {both, web, both},
		"the tools failed": {sql, "every search fails, 10 consecutive times"},
	} {
		c := summarize(t, manifest(1, len(causes), "default"), failing("q-1", trace.ToolBackend, causes...)).Configurations[0]
		if got := c.WithoutValid(); got != "no query got an answer because "+want {
			t.Errorf("%q, want %s", got, want)
		}
	}
}

// However many kinds of causes there are, few are kept.
func TestManyCauses(t *testing.T) {
	var records []store.Record
	for i := range 1000 {
		word := ""
		for n := i + 1; n > 0; n /= 26 {
			word += string(rune('a' + n%26))
		}
		records = append(records, failing(fmt.Sprintf("q-%d", i), trace.AgentError, word))
	}
	c := summarize(t, manifest(len(records), 1, "default"), records...).Configurations[0]
	if n := len(c.Traces.Causes); n != 5 {
		t.Errorf("%d causes, want 5", n)
	}
}

// A run all of whose traces crashed, or gave replies that could not be read, says nothing about the agent; one
// readable trace is enough to say that it is connected.
func TestNeverRead(t *testing.T) {
	unread := failing("q-1", trace.FormatError, "x", "x", "x")
	crashed := failing("q-2", trace.AgentError, "x", "x", "x")
	r := summarize(t, manifest(2, 3, "default"), unread, crashed)
	if c := r.Configurations[0]; !r.Invalid() || !cmp.Equal(c.Losses().Invalid(), []string{result.NeverRead}) {
		t.Errorf("invalid %v: %v", r.Invalid(), c.Losses().Invalid())
	}
	one := failing("q-2", trace.FormatError, "x", "x", "x")
	one.Answers[1].StopReason = trace.EmptyAnswer
	if r := summarize(t, manifest(2, 3, "default"), unread, one); r.Invalid() {
		t.Error("invalid, though the reply of one trace was read")
	}
}

// A query that the program of a check left without a verdict is counted, with the reason.
func TestUndecidedChecks(t *testing.T) {
	open := record("default", "q-1", "lookup", judge.Unscored, trace.Answered, trace.Answered)
	failed := checking.Undecided("./check ended with exit status 7")
	failed.Key = "ab"
	for i := range open.Answers {
		open.Answers[i].Checks = []checking.Result{{Parts: []checking.Result{failed}}}
	}
	open.Verdict.By = judge.ByChecks
	r := summarize(t, manifest(1, 2, "default"), open)
	c := r.Configurations[0]
	want := []result.Cause{{StopReason: trace.Final, Text: failed.Reason, Traces: 2, Query: "q-1"}}
	if diff := cmp.Diff(want, c.Traces.Undecided); diff != "" || !r.Invalid() {
		t.Errorf("invalid %t, reasons (-want +got):\n%s", r.Invalid(), diff)
	}
	if got := c.WithoutVerdict(); got != "1 query got no verdict because the program or the model of a check failed" {
		t.Errorf("%q", got)
	}
}
