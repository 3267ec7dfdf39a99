package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/page"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// manifest is of a run with these configurations, each of K=2 and with an agent of its own.
func manifest(run string, queries int, names ...string) store.Manifest {
	m := store.Manifest{Run: run, Start: start, Seed: 1, Dataset: store.Dataset{
		Name: "set", Hash: "sha256:00", Queries: queries, Of: queries, Categories: []string{"lookup"}, ByCategory: map[string]int{"lookup": queries},
	}}
	for _, name := range names {
		c := store.Configuration{Name: name, Agent: "agent of " + name, Configuration: config.New()}
		c.K = 2
		m.Configurations = append(m.Configurations, c)
	}
	if len(names) > 1 {
		m.Ablation, m.Baseline = "test", names[0]
	}
	return m
}

// record is the decision on two traces that gave these answers; "!" is a lost trace. The
// verdict goes by the first answer.
func record(configuration, query string, answers ...string) store.Record {
	r := store.Record{
		Configuration: configuration, Agent: "agent of " + configuration, Query: query, QueryHash: "h", Category: "lookup",
		Question: "What is " + query + "?", Expected: "right", Verdict: judge.Verdict{Verdict: judge.Incorrect, By: judge.ByGold, Reason: `"wrong" is not "right"`},
	}
	var ballots []consensus.Class
	for i, text := range answers {
		grounded := text == "right"
		a := store.Answer{Grounded: &grounded, Trace: i, Answer: &text, Key: &text, Outcome: trace.Answered, StopReason: trace.Final, Steps: 2, Verdict: judge.Incorrect}
		if text == "right" {
			a.Verdict = judge.Correct
		}
		if text == "!" {
			a.Answer, a.Key, a.Outcome, a.StopReason, a.Verdict = nil, nil, trace.Infra, trace.Timeout, judge.Unscored
		} else if n := len(ballots); n > 0 && ballots[n-1].Key == text {
			ballots[n-1].Traces = append(ballots[n-1].Traces, i)
		} else {
			ballots = append(ballots, consensus.Class{Key: text, Keys: []string{text}, Traces: []int{i}})
		}
		r.Answers = append(r.Answers, a)
	}
	agreement := 0.0
	for _, b := range ballots {
		agreement = max(agreement, float64(len(b.Traces))/float64(len(answers)))
	}
	r.Consensus = consensus.Decision{Method: consensus.Exact, Outcome: trace.Answered, Answer: &answers[0], Key: &answers[0], Agreement: &agreement, Votes: ballots, Valid: len(answers), KCurve: true}
	switch {
	case answers[0] == "right":
		r.Verdict = judge.Verdict{Verdict: judge.Correct, By: judge.ByGold, Reason: "equal"}
	case answers[0] == "!":
		r.Consensus = consensus.Decision{Method: consensus.None, Outcome: trace.Infra, Agreement: &agreement, Infra: len(answers), Unscored: true}
		r.Verdict = judge.Verdict{Verdict: judge.Unscored, By: judge.ByInfra, Reason: "its traces were lost"}
	}
	return r
}

// events are those of one trace: a search, and an answer on what it found.
func events(id trace.ID, found trace.Document, answer string) []trace.Event {
	var out []trace.Event
	add := func(step int, b trace.Body) { out = append(out, trace.Event{ID: id, Step: step, Time: start, Body: b}) }
	add(0, trace.Thought{Content: "Search first."})
	add(0, trace.Action{Name: "web_search", Input: json.RawMessage(`{"query":"x"}`), CallID: "c"})
	add(0, trace.Observation{CallID: "c", Output: json.RawMessage(`{}`), Documents: []trace.Document{found}, DurationMS: 3})
	add(1, trace.Guard{Rule: "repeat", Decision: "block", Detail: "asked before"})
	add(1, trace.Audit{Version: "cite/v4", Claims: 1, Citations: 1, Problems: []trace.AuditProblem{{Check: "C1", Level: "error", Claim: "x", Detail: "no such document"}}})
	add(1, trace.Conclusion{Message: "Answer: " + answer, Answer: &answer, Outcome: trace.Answered, StopReason: trace.Final, Steps: 2})
	return out
}

// stored writes a run as the runner does, and opens it.
func stored(t testing.TB, m store.Manifest, records []store.Record, traces ...[]trace.Event) *store.Run {
	t.Helper()
	w, err := store.Create(t.TempDir(), m)
	if err != nil {
		t.Fatal(err)
	}
	for _, events := range traces {
		for _, e := range events {
			w.Event(e)
		}
	}
	for _, r := range records {
		w.Record(r)
	}
	if err := w.Finish(store.Complete, start.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	run, err := store.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// ablation is a run of three configurations on three queries: the second loses q1 and q3, the
// third has lost its traces on q3.
func ablation(t testing.TB) *store.Run {
	doc := trace.Document{ID: "corpus_1", Title: "A title", Source: "A source", Snippet: "What it says.", Score: .5}
	var records []store.Record
	var traces [][]trace.Event
	names := []string{"full", "less", "lost"}
	for i, of := range [][]string{{"right right", "wrong right", "right right"}, {"wrong wrong", "wrong right", "wrong wrong"}, {"right right", "wrong right", "! !"}} {
		for j, answers := range of {
			query := fmt.Sprint("q", j+1)
			records = append(records, record(names[i], query, strings.Fields(answers)...))
			for n, a := range strings.Fields(answers) {
				if a != "!" {
					traces = append(traces, events(trace.ID{Agent: "agent of " + names[i], Query: query, Trace: n}, doc, a))
				}
			}
		}
	}
	return stored(t, manifest("run-1", 3, names...), records, traces...)
}

// written is the page of a run.
func written(t testing.TB, run *store.Run) string {
	t.Helper()
	r, err := result.Summarize(run.Manifest, run.Records())
	if err != nil {
		t.Fatal(err)
	}
	if r.Baseline = run.Manifest.Baseline; r.Baseline != "" {
		sides, err := ablations.Sides(run.Manifest, run.Records())
		if err != nil {
			t.Fatal(err)
		}
		if r.Comparisons, err = ablations.Against(r.Baseline, sides, ablations.Options{Margin: ablations.DefaultMargin}); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := (page.Page{Result: r, Runs: []*store.Run{run}}).Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// attacks mean to get out of where they stand.
var attacks = []string{
	"</script><script>window.hit=1</script>", `"><img src=x onerror="window.hit=1">`, "javascript:window.hit=1", "</style><style>*{display:none}</style>",
	`<svg onload="window.hit=1"><a href="javascript:window.hit=1">x</a></svg>`, "</title></desc></svg><script>window.hit=1</script>",
	"{{.Result}}", "-->", "]]>", "&lt;b&gt;", "a\x00b\x1b[31mc\u202egnp.exe\u2066", "\xff\xfe invalid", `" onclick="window.hit=1" x="`, "' onfocus='window.hit=1", "<base href=//evil>",
	"<meta http-equiv=refresh content=0;url=//evil>", "@import url(//evil)", `<link rel=stylesheet href=//evil><iframe srcdoc="<script>parent.hit=1</script>">`,
}

// hostile is a run in which every text that others write is an attack. Traces have no end, no
// beginning, or a line of a megabyte.
func hostile(t testing.TB) *store.Run {
	all := strings.ToValidUTF8(strings.Join(attacks, " "), "?") // a configuration without valid UTF-8 cannot be run
	m := manifest("run-hostile", len(attacks), all, "other "+all)
	m.Dataset.Name, m.Ablation = all, all
	m.Dataset.Categories, m.Dataset.ByCategory = []string{all}, map[string]int{all: len(attacks)}
	var records []store.Record
	var traces [][]trace.Event
	for _, c := range m.Configurations {
		for i, text := range attacks {
			query := fmt.Sprint(i, text)
			r := record(c.Name, query, text, "right")
			r.Category, r.Question, r.Expected, r.Agent = all, all, all, c.Agent
			r.Verdict.Reason, r.Verdict.By = text, text
			r.Consensus.Votes[0].Key = text
			r.Answers[1].Outcome, r.Answers[1].StopReason = trace.NoAnswer, trace.StopReason(text)
			r.Judgements = &store.Judgements{Correctness: &judge.CorrectnessJudgement{Verdict: judge.Verdict{Verdict: judge.Ruling(text), Reason: text}}}
			records = append(records, r)
			e := events(trace.ID{Agent: c.Agent, Query: query}, trace.Document{ID: text, Title: text, Source: text, Snippet: all, Ref: "javascript:window.hit=1"}, text)
			reason := strings.Repeat(text, 1<<20/len(text))
			e = append(e,
				trace.Event{ID: e[0].ID, Path: text, Step: 1, Time: start, Body: trace.Thought{Content: reason}},
				trace.Event{ID: e[0].ID, Step: 2, Time: start, Body: trace.Observation{CallID: text, Error: &reason}},
				trace.Event{ID: e[0].ID, Step: 2, Time: start, Body: trace.Guard{Rule: text, Decision: text, Detail: text}},
				trace.Event{ID: e[0].ID, Step: 2, Time: start, Body: trace.Action{Name: text, Input: trace.InputOf(text)}},
			)
			if i%2 == 1 {
				e = e[:4] // and no end
			}
			traces = append(traces, e)
		}
	}
	return stored(t, m, records, traces...)
}
