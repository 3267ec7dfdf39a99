package usefulness_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/trace"
)

// words is a scorer whose tokens are words: likely if the prefix has the word, else unlikely.
type words struct {
	requests atomic.Int64
	fail     func(n int64, r model.ScoreRequest) error // nil for no failures
}

const likely, unlikely = -0.5, -4.0

func (w *words) Score(_ context.Context, r model.ScoreRequest) (out model.Scores, err error) {
	n := w.requests.Add(1)
	if w.fail != nil {
		if err := w.fail(n, r); err != nil {
			return out, err
		}
	}
	out.Usage.InputTokens = len(strings.Fields(r.Prefix + r.Text))
	at := 0
	for _, word := range strings.SplitAfter(r.Text, " ") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		log := unlikely
		if strings.Contains(r.Prefix, word) {
			log = likely
		}
		out.Tokens = append(out.Tokens, model.TokenScore{Token: " " + word, Offset: at, LogProb: log})
		at += len(word) + 1
	}
	return out, nil
}

func failure(kind model.ErrorKind) error {
	return &model.Error{Kind: kind, Model: "test:words", Err: errors.New("scripted")}
}

// tracesOf describes a query of a run: the results of one call for each of its traces. A trace whose result has the
// answer is right.
type tracesOf struct {
	query, answer, cluster string
	results                []string
	events                 []trace.Event // of trace 0, in place of a call
}

// newRun writes a run. With chats, its requests are recorded.
func newRun(t testing.TB, chats bool, all ...tracesOf) *store.Run {
	t.Helper()
	folder := t.TempDir()
	w, err := store.Create(folder, store.Manifest{Run: "r", Start: time.Unix(0, 0), Seed: 1, Dataset: store.Dataset{
		Name: "d", Queries: len(all), Categories: []string{"c"}},
		Configurations: []store.Configuration{{Name: "default", Agent: "a", Configuration: config.Configuration{Model: "test:agent"}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range all {
		r := store.Record{Configuration: "default", Query: q.query, Category: "c", Agent: "a", Question: "What is " + q.query + "?",
			Cluster: q.cluster, Verdict: judge.Verdict{Verdict: judge.Correct}}
		for i, result := range q.results {
			verdict := judge.Incorrect
			if strings.Contains(result, q.answer) {
				verdict = judge.Correct
			}
			r.Answers = append(r.Answers, store.Answer{Trace: i, Outcome: trace.Answered, StopReason: trace.Final, Verdict: verdict})
			id := trace.ID{Agent: "a", Query: q.query, Trace: i}
			events := q.events
			if events == nil || i > 0 {
				raw, _ := json.Marshal(result)
				events = []trace.Event{event(trace.Thought{Content: "Look."}), event(trace.Action{Name: "look", Input: []byte(`{"at":"` + q.query + `"}`), CallID: "c1"}),
					event(trace.Observation{CallID: "c1", Output: raw, DurationMS: 500})}
			}
			for _, e := range append(events, event(trace.Conclusion{Outcome: trace.Answered, StopReason: trace.Final})) {
				e.ID = id
				w.Event(e)
			}
			if chats {
				chat(w, id, r.Question, result)
			}
		}
		w.Record(r)
	}
	if err := w.Finish(store.Complete, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	run, err := runlist.Find(folder, runlist.Latest)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func event(b trace.Body) trace.Event { return trace.Event{Body: b} }

// chat records the two requests of a trace with one call.
func chat(w *store.Writer, id trace.ID, question, result string) {
	finish, name := "stop", "m"
	for step, messages := range [][]model.Message{
		{{Role: model.System, Content: "Be brief."}, {Role: model.User, Content: question}},
		{{Role: model.ToolRole, ToolCallID: "c1", Content: "<<data>>" + result}},
	} {
		reply := model.Message{Role: model.Assistant, Content: "Look.", ToolCalls: []model.ToolCall{{ID: "c1", Name: "look", Arguments: "{}"}}}
		w.Exchange(store.Exchange{Identity: model.Identity{Agent: id.Agent, Query: id.Query, Trace: id.Trace, Step: step, Purpose: model.Agent},
			Kept: 3 * step, Messages: messages, RequestSettings: &store.RequestSettings{Model: "m"}, Response: &reply, Finish: &finish,
			Model: &name, Usage: &model.Usage{}, Attempts: 1})
	}
}

// dozen are twelve queries. The first trace of each has a result with the answer, the second one has another result.
func dozen() (all []tracesOf) {
	for i := range 12 {
		answer := fmt.Sprintf("answer%c", 'a'+i)
		all = append(all, tracesOf{query: fmt.Sprint("q", i), answer: answer, results: []string{"It is " + answer + ".", "It is not known."}})
	}
	return all
}

func goldsOf(all []tracesOf) usefulness.Golds {
	out := usefulness.Golds{}
	for _, q := range all {
		out[q.query] = []usefulness.Gold{{Answers: []string{q.answer}}}
		if q.answer == "" {
			out[q.query] = []usefulness.Gold{{Why: usefulness.NoGold}}
		}
	}
	return out
}

func options(s model.Scorer) usefulness.Options {
	return usefulness.Options{Scorer: usefulness.Scorer{Scorer: s, Name: "test:words", Version: "1"}, Tau: 1, Parallel: 4}
}

func measured(t *testing.T, run *store.Run, all []tracesOf, s model.Scorer) *usefulness.Report {
	t.Helper()
	r, err := usefulness.Measure(t.Context(), run, goldsOf(all), options(s))
	if err != nil {
		t.Fatal(err)
	}
	return r
}
