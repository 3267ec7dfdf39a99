package replay_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

func TestBrokenExchanges(t *testing.T) {
	good, _ := record(t, 1, 1, nil)
	disk := errors.New("input/output error")
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
	} {
		bad := []store.Exchange{good[0]}
		err := c.damage(&bad[0])
		rec := replay.New(memory{exchanges: bad, err: err})
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
	ask := func(rec *replay.Recording) string {
		_, results := run(t, t.Context(), traceOf(0), []tool.Tool{replay.Tool{Inner: library{}, Recording: rec}}, []model.ToolCall{search("c", "nile")})
		return results[0].Error
	}
	for _, c := range []struct {
		name   string
		source replay.Source
		want   string
	}{
		{"cannot be read", memory{events: good.events, err: disk}, disk.Error()},
		{"no output", with(trace.Observation{}), "recorded output"},
		{"null output", with(trace.Observation{Output: []byte(`null`)}), "recorded output"},
		{"output is no object", with(trace.Observation{Output: []byte(`[1]`)}), "recorded output"},
		{"error without text", with(trace.Observation{Error: &text}), "damaged"},
		{"a trace that was stopped", memory{events: good.events, open: map[trace.ID]bool{traceOf(0): true}}, "no such call"},
	} {
		if got := ask(replay.New(c.source)); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}
