package trace_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/trace"
)

func ExampleLedger() {
	var l trace.Ledger
	first := l.Enter([]trace.Document{{Backend: "corpus", Ref: "nile"}, {Backend: "corpus", Ref: "amazon"}})
	again := l.Enter([]trace.Document{{Backend: "corpus", Ref: "amazon"}, {Backend: "corpus", Ref: "volga"}})
	fmt.Println(first[0].ID, first[1].ID, again[0].ID, again[1].ID)
	// Output: corpus_1 corpus_2 corpus_2 corpus_3
}

func TestEventRoundTrip(t *testing.T) {
	text, cause := "ERROR: timeout(calc)", "deadline"
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, body := range []trace.Body{
		trace.Thought{Content: "look up \"Nile\"\n"},
		trace.Action{Name: "calc", Input: json.RawMessage(`{"expression":"2**10"}`), CallID: "call_1"},
		trace.Observation{CallID: "call_1", Output: json.RawMessage(`{"value":"1024"}`), Documents: []trace.Document{{ID: "corpus_1", Score: 0.5}}},
		trace.Observation{CallID: "call_2", Error: &text, DurationMS: 1.5},
		trace.Guard{Rule: "repeat", Decision: "block", Detail: "calc"},
		trace.Conclusion{Message: "m", Outcome: trace.Infra, StopReason: trace.Panic, Extract: "none", Cause: &cause},
	} {
		e := trace.Event{ID: trace.ID{Agent: "a", Query: "q", Trace: 2}, Step: 1, Time: at, Body: body}
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var back trace.Event
		if err := json.Unmarshal(line, &back); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if o, ok := back.Body.(trace.Observation); ok && string(o.Output) == "null" {
			o.Output = nil // null and absent mean the same
			back.Body = o
		}
		if diff := cmp.Diff(e, back); diff != "" {
			t.Errorf("%T changed on its way through JSON (-want +got):\n%s", body, diff)
		}
	}
}

// An event of a later version keeps its place and its text.
func TestUnknownEvent(t *testing.T) {
	line := `{"agent":"a","query":"q","trace":2,"path":"researcher#1","step":1,"event":"vision","session":0,"time":"2026-01-02T03:04:05Z","content":"look again"}`
	var e trace.Event
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		t.Fatal(err)
	}
	want := trace.Event{
		ID: trace.ID{Agent: "a", Query: "q", Trace: 2}, Path: "researcher#1", Step: 1, Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Body: trace.Unknown{Name: "vision", Line: json.RawMessage(line)},
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	back, err := json.Marshal(e)
	if err != nil || string(back) != line {
		t.Errorf("written again as %s, %v", back, err)
	}
}

func TestEventErrors(t *testing.T) {
	var e trace.Event
	for _, line := range []string{`{}`, `{`, `{"event":"thought","content":3}`, `null`} {
		if err := json.Unmarshal([]byte(line), &e); err == nil {
			t.Errorf("%s: no error", line)
		}
	}
	if _, err := json.Marshal(trace.Event{}); err == nil {
		t.Error("an event without a body was encoded")
	}
}

func TestInputOf(t *testing.T) {
	for in, want := range map[string]string{`{"a":1}`: `{"a":1}`, `{"a":`: `"{\"a\":"`, ``: `""`} {
		if got := string(trace.InputOf(in)); got != want {
			t.Errorf("InputOf(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestDeepInputCanBeEncoded(t *testing.T) {
	for _, depth := range []int{10, 1000, 1001, 9999, 10000, 20000} {
		deep := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		if _, err := json.Marshal(trace.Event{Body: trace.Action{Name: "calc", Input: trace.InputOf(deep)}}); err != nil {
			t.Errorf("%d levels: %v", depth, err)
		}
	}
}

func TestEveryStopReasonHasOneOutcome(t *testing.T) {
	byMessage := map[trace.StopReason]bool{trace.Final: true, trace.MaxSteps: true, trace.MaxToolCalls: true}
	for _, s := range []trace.StopReason{
		trace.Final, trace.RefusedByGuard, trace.ContentFilter, trace.MaxSteps, trace.MaxToolCalls, trace.FormatError,
		trace.EmptyAnswer, trace.ContextOverflow, trace.Timeout, trace.ModelError, trace.Panic, trace.Cancelled, trace.ToolBackend,
	} {
		if _, decided := s.Outcome(); decided == byMessage[s] {
			t.Errorf("%s: decided by the stop reason alone: %v", s, decided)
		}
	}
}
