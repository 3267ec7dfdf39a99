package search_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/trace"
)

// source is a backend with fixed results.
type source struct {
	name string
	docs []trace.Document
	err  error
	wait bool // waits until its context ends
}

func (s source) Name() string { return s.name }
func (s source) Search(ctx context.Context, _ string, _ int) ([]trace.Document, error) {
	if s.wait {
		<-ctx.Done()
		return nil, &fetch.Error{Kind: fetch.Timeout, Host: s.name, Err: ctx.Err()}
	}
	return s.docs, s.err
}

func finds(name string) source {
	return source{name: name, docs: []trace.Document{{Backend: name, Ref: "r", Title: "Nile"}}}
}
func fails(name string, kind fetch.Kind) source {
	return source{name: name, err: &fetch.Error{Kind: kind, Host: name + ".example", Err: errors.New("it said no")}}
}

// invoke runs a tool like the harness.
func invoke(t *testing.T, tl tool.Tool, arguments string) tool.Result {
	t.Helper()
	r, err := tool.New(tl)
	if err != nil {
		t.Fatal(err)
	}
	return r.Invoke(context.Background(), model.ToolCall{Name: tl.Spec().Name, Arguments: arguments}, time.Minute)
}

// shown returns the output in the form for a model, or the error.
func shown(t *testing.T, res tool.Result) string {
	t.Helper()
	if res.Error != "" {
		return fmt.Sprintf("%s: %s", res.Failure, res.Error)
	}
	raw, err := res.Output.Render(res.Output.Documents)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

const oneResult = `[{"id":"","title":"Nile","snippet":"","source":"","score":0}]`

func TestCascade(t *testing.T) {
	private := source{name: "p", err: &fetch.Error{Kind: fetch.BadRequest, Host: "h", Err: fetch.ErrPrivateAddress}}
	for _, c := range []struct {
		name    string
		cascade search.Cascade
		want    string
	}{
		{"one that finds", search.Cascade{Backends: []search.Backend{finds("a")}}, `{"results":` + oneResult + `,"source_used":"a"}`},
		{"one that is empty", search.Cascade{Backends: []search.Backend{source{name: "a"}}}, `{"results":[],"source_used":"a"}`},
		{"one that says it is empty", search.Cascade{Backends: []search.Backend{fails("a", fetch.Empty)}}, `{"results":[],"source_used":"a"}`},
		{"one that fails", search.Cascade{Backends: []search.Backend{fails("a", fetch.Quota)}}, `backend: ERROR: tool_failed(web_search): quota: a.example: it said no; it will fail again; try another search tool`},
		{"the first of two", search.Cascade{Backends: []search.Backend{finds("a"), finds("b")}}, `{"results":` + oneResult + `,"skipped":[],"source_used":"a","tried":[]}`},
		{
			"the second, after a failure",
			search.Cascade{Backends: []search.Backend{fails("a", fetch.CaptchaBlocked), source{name: "b"}, finds("c")}, Skipped: []search.Skipped{{Backend: "d", Reason: "no key"}}},
			`{"results":` + oneResult + `,"skipped":[{"backend":"d","reason":"no key"}],"source_used":"c","tried":[{"backend":"a","error_kind":"captcha_blocked","detail":"a.example: it said no"},{"backend":"b","error_kind":"empty","detail":"no results"}]}`,
		},
		{
			"nothing found",
			search.Cascade{Backends: []search.Backend{fails("a", fetch.Upstream), source{name: "b"}}},
			`{"results":[],"skipped":[],"source_used":null,"tried":[{"backend":"a","error_kind":"upstream","detail":"a.example: it said no"},{"backend":"b","error_kind":"empty","detail":"no results"}]}`,
		},
		{
			"all fail",
			search.Cascade{Backends: []search.Backend{fails("a", fetch.Upstream), fails("b", fetch.Auth), source{name: "c", err: errors.New("closed")}}},
			`backend: ERROR: tool_failed(web_search): upstream: no search backend could answer: a: upstream (a.example: it said no); b: auth (b.example: it said no); c: upstream (closed)`,
		},
		{
			"all fail alike",
			search.Cascade{Backends: []search.Backend{fails("a", fetch.Auth), fails("b", fetch.Auth)}},
			`backend: ERROR: tool_failed(web_search): auth: no search backend could answer: a: auth (a.example: it said no); b: auth (b.example: it said no)`,
		},
		{
			"all refuse the query",
			search.Cascade{Backends: []search.Backend{fails("a", fetch.BadRequest), fails("b", fetch.NotFound)}},
			`agent: ERROR: tool_failed(web_search): bad_request: no search backend could answer: a: bad_request (a.example: it said no); b: not_found (b.example: it said no); change the query`,
		},
		{
			"one refuses the query, one fails",
			search.Cascade{Backends: []search.Backend{fails("a", fetch.BadRequest), fails("b", fetch.Upstream)}},
			`backend: ERROR: tool_failed(web_search): upstream: no search backend could answer: a: bad_request (a.example: it said no); b: upstream (b.example: it said no)`,
		},
		{"a private address is configured", search.Cascade{Backends: []search.Backend{private}}, `backend: ERROR: tool_failed(web_search): upstream: h: the address is not of the public Internet; try another search tool`},
		{"all skipped", search.Cascade{Skipped: []search.Skipped{{Backend: "d", Reason: "no key"}}}, `backend: ERROR: tool_failed(web_search): upstream: no search backend could answer: d: skipped (no key)`},
		{"none", search.Cascade{}, `backend: ERROR: tool_failed(web_search): upstream: no search backend could answer: none is configured`},
	} {
		if got := shown(t, invoke(t, c.cascade, `{"query":"nile"}`)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestKindsOfFailures checks that every search failure has one of the ten kinds of docs/agent.md#search, and
// that a recording gives the same failure again.
func TestKindsOfFailures(t *testing.T) {
	own := source{name: "own", err: &tool.BackendError{Kind: "exploded", Err: errors.New("boom")}}
	quota := source{name: "q", err: &tool.BackendError{Kind: "quota", Err: errors.New("used up")}}
	private := source{name: "p", err: &fetch.Error{Kind: fetch.BadRequest, Host: "h", Err: fetch.ErrPrivateAddress}}
	both := func(a, b search.Backend) tool.Tool { return search.Cascade{Backends: []search.Backend{a, b}} }
	for _, c := range []struct {
		name    string
		tool    tool.Tool
		query   string
		failure tool.Failure
		kind    fetch.Kind
	}{
		{"bad request", search.Tool{ToolName: "x", Description: "d", Backend: fails("a", fetch.BadRequest)}, "nile", tool.AgentFailure, fetch.BadRequest},
		{"not found", search.Tool{ToolName: "x", Description: "d", Backend: fails("a", fetch.NotFound)}, "nile", tool.AgentFailure, fetch.NotFound},
		{"empty query", search.Cascade{Backends: []search.Backend{finds("a")}}, " ", tool.AgentFailure, fetch.BadRequest},
		{"no known kind", search.Cascade{Backends: []search.Backend{own}}, "nile", tool.BackendFailure, fetch.Upstream},
		{"a kind of its own", search.Cascade{Backends: []search.Backend{quota}}, "nile", tool.BackendFailure, fetch.Quota},
		{"no kind", search.Cascade{Backends: []search.Backend{source{name: "a", err: errors.New("closed")}}}, "nile", tool.BackendFailure, fetch.Upstream},
		{"cancelled", search.Cascade{Backends: []search.Backend{source{name: "a", err: context.Canceled}}}, "nile", tool.BackendFailure, fetch.Timeout},
		{"two agree", both(fails("a", fetch.Quota), quota), "nile", tool.BackendFailure, fetch.Quota},
		{"two differ", both(fails("a", fetch.Quota), fails("b", fetch.Auth)), "nile", tool.BackendFailure, fetch.Upstream},
		{"two refuse alike", both(fails("a", fetch.NotFound), fails("b", fetch.NotFound)), "nile", tool.AgentFailure, fetch.NotFound},
		{"two refuse", both(fails("a", fetch.NotFound), fails("b", fetch.BadRequest)), "nile", tool.AgentFailure, fetch.BadRequest},
		{"one refuses", both(private, fails("b", fetch.BadRequest)), "nile", tool.BackendFailure, fetch.Upstream},
	} {
		res := invoke(t, c.tool, fmt.Sprintf(`{"query":%q}`, c.query))
		if res.Failure != c.failure || res.Kind != string(c.kind) || !strings.Contains(res.Error, "): "+res.Kind+": ") {
			t.Errorf("%s: %s %s (%s), want %s %s", c.name, res.Failure, res.Kind, res.Error, c.failure, c.kind)
		}
		again, ok := errors.AsType[*tool.ObservedError](tool.Observed(res.Error, res.Kind))
		if !ok || again.Failure != c.failure {
			t.Errorf("%s: recorded as %+v, want %s", c.name, again, c.failure)
		}
	}
}

func TestASlowBackendLeavesTimeForTheNext(t *testing.T) {
	call := func(t *testing.T, backends ...search.Backend) (tool.Output, time.Duration, error) {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		start := time.Now()
		out, err := search.Cascade{Backends: backends}.Call(ctx, json.RawMessage(`{"query":"nile"}`))
		return out, time.Since(start), err
	}
	slow := func(name string) source { return source{name: name, wait: true} }
	synctest.Test(t, func(t *testing.T) {
		out, took, err := call(t, slow("a"), slow("b"), finds("c"))
		if err != nil || out.Object["source_used"] != "c" || took > 20*time.Second {
			t.Errorf("%v, %v after %s", out, err, took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		_, took, err := call(t, slow("a"), slow("b"))
		if b, ok := errors.AsType[*tool.BackendError](err); !ok || b.Kind != "timeout" || took >= 30*time.Second {
			t.Errorf("%v after %s: the failure must be told before the tool's deadline", err, took)
		}
	})
}

func TestACancelledCascadeHasNotFoundNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := search.Cascade{Backends: []search.Backend{source{name: "a"}, finds("b")}}
	if out, err := c.Call(ctx, json.RawMessage(`{"query":"nile"}`)); err == nil {
		t.Errorf("%v", out)
	}
}

func TestRetryAfterIsTheShortest(t *testing.T) {
	limited := func(name string, d time.Duration) source {
		return source{name: name, err: &fetch.Error{Kind: fetch.RateLimited, RetryAfter: d, Err: errors.New("slow down")}}
	}
	for _, c := range []tool.Tool{
		search.Cascade{Backends: []search.Backend{limited("a", time.Hour), limited("b", time.Minute), fails("c", fetch.Upstream)}},
		search.Tool{ToolName: "x", Backend: limited("a", time.Minute)},
	} {
		_, err := c.Call(context.Background(), json.RawMessage(`{"query":"nile"}`))
		if b, ok := errors.AsType[*tool.BackendError](err); !ok || b.RetryAfter != time.Minute || !strings.Contains(err.Error(), "wait 1m0s") {
			t.Errorf("%v", err)
		}
	}
}

// polyglot is a backend that returns its request.
type polyglot struct{ source }

func (polyglot) SearchLanguage(_ context.Context, language, query string, limit int) ([]trace.Document, error) {
	return []trace.Document{{Title: fmt.Sprint(language, " ", query, " ", limit)}}, nil
}

func TestToolOfOneBackend(t *testing.T) {
	plain := search.Tool{ToolName: "a_search", Description: "Search a.", Backend: finds("a")}
	languages := search.Tool{ToolName: "wiki_search", Description: "Search the encyclopedia.", Backend: polyglot{finds("wiki")}}
	for _, c := range []struct {
		tool      tool.Tool
		arguments string
		want      string
	}{
		{plain, `{"query":"nile"}`, `{"results":` + oneResult + `,"source_used":"a"}`},
		{plain, `{"query":"nile","language":"en"}`, `agent: ERROR: bad_tool_arguments(a_search): additional properties 'language' not allowed`},
		{plain, `{"query":" "}`, `agent: ERROR: tool_failed(a_search): bad_request: the query is empty: say what to look for`},
		{plain, `{"query":"nile","limit":11}`, `agent: ERROR: bad_tool_arguments(a_search): limit: maximum: got 11, want 10`},
		{languages, `{"query":"nile"}`, `{"results":` + oneResult + `,"source_used":"wiki"}`},
		{languages, `{"query":"nil","language":"de","limit":3}`, `{"results":[{"id":"","title":"de nil 3","snippet":"","source":"","score":0}],"source_used":"wiki"}`},
		{search.Tool{ToolName: "a", Description: "d", Backend: fails("a", fetch.BadRequest)}, `{"query":"nile"}`, `agent: ERROR: tool_failed(a): bad_request: a.example: it said no; change the query`},
		{search.Tool{ToolName: "a", Description: "d", Backend: fails("a", fetch.RateLimited)}, `{"query":"nile"}`, `backend: ERROR: tool_failed(a): rate_limited: a.example: it said no; call it later, or try another search tool`},
		{search.Tool{ToolName: "a", Description: "d", Backend: fails("a", fetch.Malformed)}, `{"query":"nile"}`, `backend: ERROR: tool_failed(a): malformed: a.example: it said no; try another search tool`},
	} {
		if got := shown(t, invoke(t, c.tool, c.arguments)); got != c.want {
			t.Errorf("%s %s:\n got %s\nwant %s", c.tool.Spec().Name, c.arguments, got, c.want)
		}
	}
	for _, bad := range []string{"EN", "e", "en-", "en_US", "../x", "en.evil.org/", "abcdefghijklm"} {
		if res := invoke(t, languages, fmt.Sprintf(`{"query":"nile","language":%q}`, bad)); res.Failure != tool.AgentFailure {
			t.Errorf("language %q: %s", bad, shown(t, res))
		}
	}
}

func ExampleCascade_Call() {
	c := search.Cascade{
		Backends: []search.Backend{fails("serper", fetch.Quota), finds("wiki")},
		Skipped:  []search.Skipped{{Backend: "baidu", Reason: "switched off"}},
	}
	out, err := c.Call(context.Background(), json.RawMessage(`{"query":"Nile"}`))
	fmt.Println(out.Object["source_used"], len(out.Documents), err)
	// Output: wiki 1 <nil>
}
