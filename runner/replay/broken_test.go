package replay_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

func TestBrokenExchanges(t *testing.T) {
	good, _ := record(t, 1, 1, nil)
	disk := errors.New("input/output error")
	if _, err := replay.Open(broken{memory: memory{exchanges: good}, index: disk}); !errors.Is(err, disk) {
		t.Errorf("%v", err)
	}
	failed := "it failed"
	for _, c := range []struct {
		name   string
		damage func(x *store.Exchange) error
		want   string
	}{
		{"cannot be read", func(*store.Exchange) error { return disk }, disk.Error()},
		{"no answer", func(x *store.Exchange) error { x.Response = nil; return nil }, "damaged"},
		{"half an answer", func(x *store.Exchange) error { x.Usage = nil; return nil }, "damaged"},
		{"two answers", func(x *store.Exchange) error { x.Error = &failed; return nil }, "damaged"},
		{"no settings", func(x *store.Exchange) error { x.RequestSettings = nil; return nil }, "damaged"},
		{"keeps too much", func(x *store.Exchange) error { x.Kept = 99; return nil }, "damaged"},
		{"keeps too little", func(x *store.Exchange) error { x.Kept = -1; return nil }, "damaged"},
		{"changed meanwhile", func(x *store.Exchange) error { x.Query = "q7"; return nil }, "changed since"},
	} {
		bad := []store.Exchange{good[0]}
		rec, err := replay.Open(broken{memory: memory{exchanges: bad}, read: c.damage(&store.Exchange{})})
		if err != nil {
			t.Fatal(err)
		}
		_ = c.damage(&bad[0]) // its error is given when it is read
		_, err = (&replay.Model{Recording: rec}).Complete(t.Context(), turn(0, 0))
		if err == nil || !strings.Contains(err.Error(), c.want) || model.KindOf(err) != model.ErrUnavailable {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestBrokenEvents(t *testing.T) {
	disk := errors.New("input/output error")
	text := ""
	action := trace.Event{ID: traceOf(0), Body: trace.Action{Name: "web_search", Input: []byte(`{"query":"nile"}`), CallID: "c"}}
	with := func(o trace.Observation) memory {
		o.CallID = "c"
		return memory{events: []trace.Event{action, {ID: traceOf(0), Body: o}}}
	}
	good := with(trace.Observation{Output: []byte(`{}`)})
	if _, err := replay.Open(broken{memory: good, index: disk}); !errors.Is(err, disk) {
		t.Error(err)
	}
	ask := func(rec *replay.Recording) string {
		_, results := run(t, t.Context(), traceOf(0), []tool.Tool{replay.Tool{Inner: library{}, Recording: rec}}, []model.ToolCall{search("c", "nile")})
		return results[0].Error
	}
	for _, c := range []struct {
		name   string
		source replay.Source
		want   string
	}{
		{"cannot be read", broken{memory: good, read: disk}, disk.Error()},
		{"no output", with(trace.Observation{}), "recorded output"},
		{"null output", with(trace.Observation{Output: []byte(`null`)}), "recorded output"},
		{"output is no object", with(trace.Observation{Output: []byte(`[1]`)}), "recorded output"},
		{"error without text", with(trace.Observation{Error: &text}), "damaged"},
		{"a trace that was stopped", memory{events: good.events, open: map[trace.ID]bool{traceOf(0): true}}, "no such call"},
	} {
		rec, err := replay.Open(c.source)
		if err != nil {
			t.Fatal(err)
		}
		if got := ask(rec); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.name, got)
		}
	}
	rec := openEvents(t, good.events)
	good.events[0], good.events[1] = good.events[1], good.events[0]
	if got := ask(rec); !strings.Contains(got, "changed since") {
		t.Error(got)
	}
}
