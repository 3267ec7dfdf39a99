package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func ptr[T any](v T) *T { return &v }

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	w := create(t, "r1")
	events := []trace.Event{
		thought("q1", 0, 0),
		{ID: id("q1", 0), Step: 0, Time: day(1), Body: trace.Action{Name: "calc", Input: json.RawMessage(`{"x":1}`), CallID: "c"}},
		{ID: id("q1", 0), Step: 0, Time: day(1), Body: trace.Observation{CallID: "c", Output: json.RawMessage(`{"y":2}`), DurationMS: 1.5}},
		{ID: id("q1", 0), Step: 1, Time: day(1), Body: trace.Conclusion{Message: "line\nline", Answer: ptr("2"), Outcome: trace.Answered, StopReason: trace.Final, Extract: "line"}},
	}
	for _, e := range events {
		w.Event(e)
	}
	x := exchange("q1", 0, 0, 0.5)
	x.Messages = []model.Message{{Role: model.User, Content: "\u2028 <b>&"}}
	x.Response, x.Finish, x.Model = &model.Message{Role: model.Assistant, Content: "Answer: 2"}, ptr("stop"), ptr("m-1")
	x.Usage, x.Seed, x.Latency, x.Attempts = &model.Usage{InputTokens: 3}, 9, 0.25, 1
	w.Exchange(x)
	r := record("q1")
	r.Answers = []store.Answer{{Answer: ptr("2"), Key: ptr("int:2"), Outcome: trace.Answered, StopReason: trace.Final, Verdict: judge.Correct}}
	r.Consensus = consensus.Decision{Method: consensus.Single, Answer: ptr("2"), Votes: []consensus.Class{{Key: "int:2", Traces: []int{0}}}, Valid: 1}
	r.Verdict = judge.Verdict{Verdict: judge.Correct, By: "gold", Reason: "equal"}
	w.Record(r)
	run := finish(t, w, store.Complete)

	gotEvents, err := collect(run.Events())
	if diff := cmp.Diff(events, gotEvents); diff != "" || err != nil {
		t.Errorf("events (%v, -want +got):\n%s", err, diff)
	}
	gotExchanges, err := collect(run.Exchanges())
	if len(gotExchanges) == 1 {
		x.Settings = gotExchanges[0].Settings // the writer chooses the name
	}
	if diff := cmp.Diff([]store.Exchange{x}, gotExchanges); diff != "" || err != nil {
		t.Errorf("exchanges (%v, -want +got):\n%s", err, diff)
	}
	gotRecords, err := collect(run.Records())
	if diff := cmp.Diff([]store.Record{r}, gotRecords); diff != "" || err != nil {
		t.Errorf("records (%v, -want +got):\n%s", err, diff)
	}
	if diff := cmp.Diff(map[string]store.AgentFacts{"3f2a": {Models: []string{"m-1"}}}, run.Manifest.Agents); diff != "" {
		t.Errorf("who answered (-want +got):\n%s", diff)
	}
}

// TestUndefinedIsNull checks that no field is omitted, so that readers need not guess.
func TestUndefinedIsNull(t *testing.T) {
	w := create(t, "r1")
	r := record("q1")
	r.Answers = []store.Answer{{}}
	w.Record(r)
	w.Exchange(store.Exchange{})
	finish(t, w, store.Complete)
	for name, fields := range map[string][]string{
		"results.jsonl": {`"judgements":null`, `"usd":null`, `"grounded":null`, `"answer":null`, `"key":null`, `"agreement":null`},
		"chat.jsonl":    {`"messages":null`, `"response":null`, `"error":null`, `"usage":null`, `"request_settings":null`},
	} {
		raw, err := os.ReadFile(filepath.Join(w.Dir(), name))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fields {
			if !strings.Contains(string(raw), f) {
				t.Errorf("%s lacks %s:\n%s", name, f, raw)
			}
		}
	}
}

func TestConcurrentWriters(t *testing.T) {
	const writers, each = 16, 100
	w := create(t, "r1")
	var writing sync.WaitGroup
	for i := range writers {
		writing.Go(func() {
			query := fmt.Sprint("q", i)
			for step := range each {
				w.Event(thought(query, i, step))
				w.Exchange(exchange(query, i, step, float64(i%3)))
			}
			w.Record(record(query))
		})
	}
	writing.Wait()
	run := finish(t, w, store.Complete)

	next := map[string]int{}
	events, err := collect(run.Events())
	if err != nil || len(events) != writers*each {
		t.Errorf("%d events (%v), want %d", len(events), err, writers*each)
	}
	for _, e := range events {
		if e.Step != next[e.Query] {
			t.Fatalf("step %d of %s comes when %d is due", e.Step, e.Query, next[e.Query])
		}
		next[e.Query]++
	}
	exchanges, err := collect(run.Exchanges())
	if err != nil || len(exchanges) != writers*each {
		t.Errorf("%d exchanges (%v), want %d", len(exchanges), err, writers*each)
	}
	seen := map[string]bool{}
	records, err := collect(run.Records())
	for _, r := range records {
		seen[r.Query] = true
	}
	if err != nil || len(records) != writers || len(seen) != writers {
		t.Errorf("%d records of %d queries (%v), want %d", len(records), len(seen), err, writers)
	}
}

func TestSettingsAreSpelledOutOnce(t *testing.T) {
	w := create(t, "r1")
	for step, temperature := range []float64{0, 0.7, 0, 0.7, 0} {
		w.Exchange(exchange("q1", 0, step, temperature))
	}
	got, err := collect(finish(t, w, store.Complete).Exchanges())
	if err != nil || len(got) != 5 {
		t.Fatalf("%d exchanges, %v", len(got), err)
	}
	named := map[string]float64{}
	for i, x := range got {
		if (x.RequestSettings != nil) != (i < 2) {
			t.Errorf("exchange %d spells its settings out: %t", i, x.RequestSettings != nil)
		}
		if x.RequestSettings != nil {
			named[x.Settings] = x.RequestSettings.Temperature
		}
		if temperature, ok := named[x.Settings]; !ok || temperature != []float64{0, 0.7}[i%2] {
			t.Errorf("exchange %d has the settings %q, which stand for %v", i, x.Settings, temperature)
		}
	}
}

// TestSettingsOnFile checks that the bytes, and so the names, of settings are the same as in older versions.
func TestSettingsOnFile(t *testing.T) {
	for _, c := range []struct {
		settings store.RequestSettings
		want     string
	}{
		{store.RequestSettings{Model: "m", Schema: &model.ResponseSchema{Name: "v", Schema: model.RawSchema(`{}`)}, Tools: []model.ToolSpec{{Name: "f", Parameters: model.RawSchema(`{}`)}}},
			`{"model":"m","temperature":0,"tools":[{"name":"f","description":"","parameters":{}}],"stop":null,"tool_choice":"","single_call":false,"schema":{"name":"v","schema":{}}}`},
		{store.RequestSettings{Model: "m", NoTemperature: true, NoSeed: true, Extra: map[string]json.RawMessage{"top_p": json.RawMessage(`0.50`), "a": json.RawMessage(`1`)}},
			`{"model":"m","temperature":0,"tools":null,"stop":null,"tool_choice":"","single_call":false,"schema":null,"no_temperature":true,"no_seed":true,"extra":{"a":1,"top_p":0.50}}`},
	} {
		if raw, err := json.Marshal(c.settings); err != nil || string(raw) != c.want {
			t.Errorf("%s, %v\nwant %s", raw, err, c.want)
		}
	}
}

// TestWhatIsOnFile checks what would be left after a kill: a trace's end and a record are written at once,
// all other lines within a second.
func TestWhatIsOnFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := create(t, "r1")
		run := reopen(t, w.Dir())
		onFile := func(what string, events, exchanges, records int) {
			t.Helper()
			synctest.Wait() // lets the writing goroutine finish; no time passes
			e, err1 := collect(run.Events())
			x, err2 := collect(run.Exchanges())
			r, err3 := collect(run.Records())
			if err := errors.Join(err1, err2, err3); err != nil || len(e) != events || len(x) != exchanges || len(r) != records {
				t.Errorf("after %s: %d events, %d exchanges, %d records (%v); want %d, %d, %d", what, len(e), len(x), len(r), err, events, exchanges, records)
			}
		}
		w.Exchange(exchange("q1", 0, 0, 0))
		w.Event(thought("q1", 0, 0))
		onFile("a thought", 0, 0, 0)
		w.Event(trace.Event{ID: id("q1", 0), Time: day(1), Body: trace.Conclusion{StopReason: trace.Final}})
		onFile("a trace", 2, 1, 0)
		w.Record(record("q1"))
		onFile("a record", 2, 1, 1)
		w.Event(thought("q2", 0, 0))
		onFile("a thought of the next", 2, 1, 1)
		time.Sleep(time.Second)
		onFile("a second", 3, 1, 1)
		finish(t, w, store.Complete)
	})
}

func TestHugeLines(t *testing.T) {
	w := create(t, "r1")
	long := strings.Repeat("long ", 1<<20)
	r := record("q1")
	r.Question = long
	w.Record(r)
	w.Record(record("q2"))
	got, err := collect(finish(t, w, store.Complete).Records())
	if err != nil || len(got) != 2 || got[0].Question != long || got[1].Query != "q2" {
		t.Errorf("%d records, %v", len(got), err)
	}
}
