package live_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/reports/otel/live"
	"github.com/seed-5817661a/concur/reports/otel/send"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/outputtest"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// newRun opens a run folder for two configurations with an agent each.
func newRun(t *testing.T) outputtest.Run {
	t.Helper()
	m := store.Manifest{Run: "r", Start: time.Now(), Configurations: []store.Configuration{
		{Name: "a", Agent: "agent-a", Configuration: config.Configuration{K: 1, Model: "openai:m"}},
		{Name: "b", Agent: "agent-b", Configuration: config.Configuration{K: 1, Model: "openai:m"}},
	}}
	w, err := store.Create(t.TempDir(), m)
	if err != nil {
		t.Fatal(err)
	}
	return outputtest.Run{Draft: runner.Draft{Manifest: m}, Folder: w}
}

// answer makes the calls of one query under a configuration: three spans and two verdicts.
func answer(out runner.Output, folder *store.Writer, configuration, query string, v judge.Ruling) {
	id, now := trace.ID{Agent: "agent-" + configuration, Query: query}, time.Now()
	x := store.Exchange{Identity: model.Identity{Agent: id.Agent, Query: query, Purpose: model.Agent}, Time: now,
		RequestSettings: &store.RequestSettings{Model: "openai:m"}, Response: &model.Message{Role: model.Assistant, Content: "yes"}}
	e := trace.Event{ID: id, Time: now, Body: trace.Conclusion{Message: "yes", Outcome: trace.Answered, StopReason: trace.Final}}
	r := store.Record{Configuration: configuration, Query: query, Agent: id.Agent, Verdict: judge.Verdict{Verdict: v, By: "gold"},
		Consensus: consensus.Decision{Method: consensus.Single, Outcome: trace.Answered},
		Answers:   []store.Answer{{Outcome: trace.Answered, StopReason: trace.Final, Verdict: v}}}
	folder.Exchange(x)
	out.Exchange(x)
	folder.Event(e)
	out.Event(e)
	folder.Record(r)
	out.Record(r)
}

const (
	spansOfQuery    = 3
	verdictsOfQuery = 2
)

// sentOf finishes the run and returns what its manifest says about telemetry.
func sentOf(t *testing.T, run outputtest.Run, out *live.Output) store.Telemetry {
	t.Helper()
	out.End(nil)
	if err := run.Folder.Finish(store.Complete, time.Now()); err != nil {
		t.Fatal(err)
	}
	read, err := store.Open(run.Folder.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Manifest.CheckSeal(); err != nil {
		t.Error(err)
	}
	if read.Manifest.Telemetry == nil {
		t.Fatal("the manifest says nothing about telemetry")
	}
	return *read.Manifest.Telemetry
}

// A collector that fails in any way costs spans, and never the run. What was not sent is counted.
func TestCollectorsThatFail(t *testing.T) {
	rejected := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 1)
	partial := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), rejected)
	for _, c := range []struct {
		name     string
		answer   func(http.ResponseWriter, *http.Request)
		want     store.Telemetry
		log      string
		requests int64 // at most
	}{
		{"well", func(http.ResponseWriter, *http.Request) {}, store.Telemetry{Spans: 6, Verdicts: 4}, "telemetry: sent 6 spans and 4 verdicts", 2},
		{"400", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such field", 400) }, store.Telemetry{Dropped: 10},
			"status 400: no such field", 2},
		{"a page", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(500)
			fmt.Fprint(w, "<html>\n<b>Oops</b>")
		}, store.Telemetry{Dropped: 10}, "status 500: <html> <b>Oops</b>", 2},
		{"a page as success", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html>")
		}, store.Telemetry{Spans: 6, Verdicts: 4}, "sent 6 spans", 2},
		{"partial success", func(w http.ResponseWriter, _ *http.Request) { w.Write(partial) }, store.Telemetry{Spans: 6, Verdicts: 4, Rejected: 2},
			"the endpoint rejected 2", 2},
		{"no spans", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, store.Telemetry{Dropped: 10}, "answers 404", 1},
		{"no logs", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/logs" {
				w.WriteHeader(405)
			}
		}, store.Telemetry{Spans: 6}, "verdicts are sent only as attributes of spans: ", 2},
		{"busy", busy(2), store.Telemetry{Spans: 6, Verdicts: 4}, "sent 6 spans and 4 verdicts", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			var requests atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				c.answer(w, r)
			}))
			defer server.Close()
			run := newRun(t)
			out, log := start(run, live.Options{Endpoint: endpointOf(server.URL)})
			answer(out, run.Folder, "a", "q1", judge.Correct)
			answer(out, run.Folder, "b", "q1", judge.Correct)
			got := sentOf(t, run, out)
			c.want.To = server.URL
			if got != c.want || !strings.Contains(log(), c.log) || requests.Load() > c.requests {
				t.Errorf("%+v after %d requests, want %+v; log:\n%s", got, requests.Load(), c.want, log())
			}
			if warned := strings.Contains(log(), "WARN telemetry: 10 spans and verdicts were not sent"); warned != (c.want.Dropped > 0) {
				t.Errorf("log:\n%s", log())
			}
		})
	}
}

func endpointOf(base string) send.Endpoint {
	return send.Endpoint{Traces: base + "/v1/traces", Logs: base + "/v1/logs", From: "a test"}
}

// busy answers 503 some times.
func busy(times int64) func(http.ResponseWriter, *http.Request) {
	var n atomic.Int64
	return func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) <= times {
			w.Header().Set("Retry-After-Ms", "1")
			w.WriteHeader(503)
		}
	}
}

// A collector that does not answer does not keep the run from ending. The queue holds 2,048 spans and verdicts; more are
// dropped while the run goes on.
func TestCollectorThatHangs(t *testing.T) {
	over := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
	defer server.Close()
	defer close(over)
	run := newRun(t)
	out, log := start(run, live.Options{Endpoint: endpointOf(server.URL)})
	const queries = 600
	for i := range queries {
		answer(out, run.Folder, "a", fmt.Sprint("q", i), judge.Correct)
	}
	got := sentOf(t, run, out)
	if want := queries * (spansOfQuery + verdictsOfQuery); got.Spans != 0 || got.Dropped != want {
		t.Errorf("%+v, want %d dropped; log:\n%s", got, want, log())
	}
	if !strings.Contains(log(), "after the end of the run, not everything was sent") {
		t.Errorf("log:\n%s", log())
	}
}

// With sample: failed, a query that one configuration did not answer correctly is sent under all, from the run folder.
func TestSampleFailed(t *testing.T) {
	c, run := newCollector(t), newRun(t)
	out, log := start(run, live.Options{Endpoint: c.endpoint(), Sample: config.Sample{Failed: true}, Describe: otel.Options{Content: true}})
	for query, verdicts := range map[string][2]judge.Ruling{
		"right": {judge.Correct, judge.Correct}, "wrong": {judge.Correct, judge.Incorrect}, "open": {judge.Unscored, judge.Correct},
	} {
		answer(out, run.Folder, "a", query, verdicts[0])
		answer(out, run.Folder, "b", query, verdicts[1])
	}
	answer(out, run.Folder, "b", "half", judge.Incorrect) // the run is stopped before a decides it
	got := sentOf(t, run, out)
	if want := (store.Telemetry{To: c.URL, Spans: 15, Verdicts: 10}); got != want {
		t.Errorf("%+v, want %+v; log:\n%s", got, want, log())
	}
	queries := map[string]int{}
	for _, s := range c.Spans {
		for _, a := range s.Attributes {
			if a.Key == "concur.query" {
				queries[a.Value.GetStringValue()]++
			}
		}
	}
	if queries["wrong"] != 2 || queries["open"] != 2 || queries["half"] != 1 || queries["right"] != 0 {
		t.Errorf("queries %v", queries)
	}
}

// A part of the queries is sent, and always the same.
func TestSamplePart(t *testing.T) {
	var first []string
	for range 2 {
		c, run := newCollector(t), newRun(t)
		out, _ := start(run, live.Options{Endpoint: c.endpoint(), Sample: config.Sample{Part: 0.3}})
		for i := range 50 {
			answer(out, run.Folder, "a", fmt.Sprint("q", i), judge.Correct)
			answer(out, run.Folder, "b", fmt.Sprint("q", i), judge.Correct)
		}
		got := sentOf(t, run, out)
		if got.Spans != len(c.Spans) || got.Spans == 0 || got.Spans%(2*spansOfQuery) != 0 || got.Spans > 50*spansOfQuery {
			t.Errorf("%+v, and %d spans arrived", got, len(c.Spans))
		}
		var names []string
		for _, s := range c.Spans {
			names = append(names, fmt.Sprintf("%x", s.SpanId))
		}
		if first != nil && strings.Join(first, " ") != strings.Join(names, " ") {
			t.Error("the second run sent other spans")
		}
		first = names
	}
}
