package otel_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/reports/otel/oteltest"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/trace"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// The query and the agents of the run of these tests.
const (
	query = "q1"
	agent = "a1"
)

func manifest() store.Manifest {
	three := store.Configuration{Name: "three", Agent: agent, Configuration: config.Configuration{K: 3, Model: "openai:gpt-4o?effort=low",
		MCP: map[string]config.MCPServer{"files": {}}}}
	one := store.Configuration{Name: "one", Agent: agent, Configuration: config.Configuration{K: 1, Model: "openai:gpt-4o"}}
	return store.Manifest{Run: "r", Start: at(0), Configurations: []store.Configuration{three, one}}
}

// at returns a time some seconds after the start of the run.
func at(seconds float64) time.Time {
	return time.Unix(1_800_000_000, 0).Add(time.Duration(seconds * float64(time.Second))).UTC()
}

// recorder receives what a run produces.
type recorder interface {
	Exchange(store.Exchange)
	Event(trace.Event)
	Record(store.Record)
}

// produce makes the run of these tests: three traces, of which the first calls a tool, an MCP server and a sub-agent,
// the second answers at once, and the third is lost; a judge; and two configurations with equal agents.
func produce(out recorder) {
	id := func(t int) trace.ID { return trace.ID{Agent: agent, Query: query, Trace: t} }
	event := func(t int, path string, step int, when float64, body trace.Body) {
		out.Event(trace.Event{ID: id(t), Path: path, Step: step, Time: at(when), Body: body})
	}
	chat := func(of model.Identity, when float64, message, reply string) {
		of.Query = query
		finish, name := "stop", "gpt-4o-2024-08-06"
		out.Exchange(store.Exchange{Identity: of, Time: at(when), Latency: 0.5, Seed: 7, Attempts: 1,
			Messages:        []model.Message{{Role: model.User, Content: message}},
			RequestSettings: &store.RequestSettings{Model: "openai:gpt-4o?effort=low", Temperature: 0.5},
			Response:        &model.Message{Role: model.Assistant, Content: reply}, Finish: &finish, Model: &name,
			Usage: &model.Usage{InputTokens: 10, OutputTokens: 2, CachedTokens: 4, CacheWriteTokens: 1}})
	}
	own := func(t, step int, path string) model.Identity {
		return model.Identity{Agent: agent, Trace: t, Step: step, Path: path, Purpose: model.Agent}
	}
	chat(own(0, 0, ""), 1, "How long is the Anduin? My key is sk-secret.", "Let me look.")
	event(0, "", 0, 1.5, trace.Action{Name: "web_search", Input: json.RawMessage(`{"query":"Anduin"}`), CallID: "c1"})
	event(0, "", 0, 2.5, trace.Observation{CallID: "c1", Output: json.RawMessage(`"2233 km"`), DurationMS: 900,
		Documents: []trace.Document{{ID: "wiki_1", Ref: "Anduin", Snippet: "It is 2233 km long.", Score: 1, Backend: "wiki"}}})
	refused, kind := "no such file", "refused"
	event(0, "", 0, 2.5, trace.Action{Name: "files__read", Input: json.RawMessage(`{}`), CallID: "c2"})
	event(0, "", 0, 2.6, trace.Observation{CallID: "c2", Error: &refused, ErrorKind: &kind, DurationMS: 100})
	event(0, "", 0, 2.6, trace.Action{Name: "researcher", Input: json.RawMessage(`{}`), CallID: "c3"})
	chat(own(0, 0, "researcher#1"), 2.7, "Find it.", "It is 2233 km.")
	event(0, "researcher#1", 0, 3.3, trace.Conclusion{Message: "It is 2233 km.", Outcome: trace.Answered, StopReason: trace.Final,
		Timing: trace.Timing{WallS: 0.6}})
	event(0, "", 0, 3.4, trace.Observation{CallID: "c3", Output: json.RawMessage(`"2233"`), DurationMS: 800})
	chat(own(0, 1, ""), 3.5, "2233", "Answer: 2233 km")
	answer := "2233 km"
	event(0, "", 1, 4, trace.Conclusion{Message: "Answer: 2233 km", Answer: &answer, Outcome: trace.Answered, StopReason: trace.Final,
		Usage: model.Usage{InputTokens: 30, OutputTokens: 6}, Timing: trace.Timing{WallS: 3, CallsSent: 3}})
	chat(own(1, 0, ""), 1, "How long is the Anduin?", "Answer: 2233 km")
	event(1, "", 0, 1.6, trace.Conclusion{Message: "Answer: 2233 km", Answer: &answer, Outcome: trace.Answered, StopReason: trace.Final,
		Timing: trace.Timing{WallS: 0.6, CallsSent: 1}})
	cause := "status 500"
	event(2, "", 0, 5, trace.Conclusion{Outcome: trace.Infra, StopReason: trace.ModelError, Cause: &cause, Timing: trace.Timing{WallS: 4}})
	chat(model.Identity{Agent: "judge:1", Purpose: model.Judge}, 6, "Is it right?", `{"correct": true}`)

	agreement, score := 2.0/3, 5
	r := store.Record{Configuration: "three", Query: query, Category: "rivers", Question: "How long is the Anduin?", Agent: agent, Expected: "2233 km",
		Verdict: judge.Verdict{Verdict: judge.Correct, By: "gold", Reason: "2233 km = 2233 km"},
		Consensus: consensus.Decision{Method: consensus.Majority, Answer: &answer, Outcome: trace.Answered, Agreement: &agreement,
			Votes: []consensus.Class{{Traces: []int{0, 1}}}},
		Answers: []store.Answer{
			{Trace: 0, Outcome: trace.Answered, StopReason: trace.Final, Verdict: judge.Correct},
			{Trace: 1, Outcome: trace.Answered, StopReason: trace.Final, Verdict: judge.Correct},
			{Trace: 2, Outcome: trace.Infra, StopReason: trace.ModelError, Verdict: judge.Unscored},
		},
		Judgements: &store.Judgements{Correctness: &judge.CorrectnessJudgement{Score: &score,
			Verdict: judge.Verdict{Verdict: judge.Correct, By: "correctness", Reason: "equal"}}},
	}
	out.Record(r)
	r.Configuration, r.Answers, r.Judgements = "one", r.Answers[:1], nil
	r.Consensus = consensus.Decision{Method: consensus.Single, Answer: &answer, Outcome: trace.Answered, Votes: []consensus.Class{{Traces: []int{0}}}}
	out.Record(r)
}

// live collects the spans that a Describer returns during a run.
type live struct {
	*otel.Describer
	all otel.Spans
}

func (l *live) take(s otel.Spans) {
	l.all.Spans, l.all.Logs = append(l.all.Spans, s.Spans...), append(l.all.Logs, s.Logs...)
}
func (l *live) Exchange(x store.Exchange) { l.take(l.Describer.Exchange(x)) }
func (l *live) Event(e trace.Event)       { l.take(l.Describer.Event(e)) }
func (l *live) Record(r store.Record)     { l.take(l.Describer.Record(r)) }

func described(o otel.Options) otel.Spans {
	l := &live{Describer: otel.New(manifest(), o)}
	produce(l)
	return l.all
}

// official returns the spans of the run as the official messages.
func official(t *testing.T, o otel.Options) oteltest.Messages {
	return oteltest.Decode(t, described(o))
}

// folder writes the run of these tests into a folder.
func folder(t *testing.T) *store.Run {
	t.Helper()
	dir := t.TempDir()
	w, err := store.Create(dir, manifest())
	if err != nil {
		t.Fatal(err)
	}
	produce(w)
	if err := w.Finish(store.Complete, at(10)); err != nil {
		t.Fatal(err)
	}
	run, err := runlist.Find(dir, runlist.Latest)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func named(t *testing.T, spans []*tracepb.Span, name string) *tracepb.Span {
	t.Helper()
	var found []*tracepb.Span
	for _, s := range spans {
		if s.Name == name {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d spans are called %q, want 1", len(found), name)
	}
	return found[0]
}

// words returns the attributes of a span as name=value, sorted.
func words(s *tracepb.Span) []string {
	var out []string
	for _, a := range s.Attributes {
		out = append(out, a.Key+"="+strings.Trim(a.Value.String(), " "))
	}
	slices.Sort(out)
	return out
}
