package replay_test

import (
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/tool/replay"
	"github.com/seed-5817661a/concur/runner/trace"
)

// broken is a source that fails.
type broken struct {
	replay.Memory
	index, read error
}

func (b broken) Index() iter.Seq2[replay.Entry, error] {
	return func(yield func(replay.Entry, error) bool) {
		for e := range b.Memory.Index() {
			if !yield(e, b.index) {
				return
			}
		}
	}
}

func (b broken) Read(position int64) (trace.Event, error) {
	e, err := b.Memory.Read(position)
	return e, errors.Join(err, b.read)
}

func TestBrokenRecordings(t *testing.T) {
	disk := errors.New("input/output error")
	text := ""
	action := trace.Event{ID: traceOf(0), Body: trace.Action{Name: "web_search", Input: []byte(`{"query":"nile"}`), CallID: "c"}}
	with := func(o trace.Observation) replay.Memory {
		o.CallID = "c"
		return replay.Memory{action, {ID: traceOf(0), Body: o}}
	}
	good := with(trace.Observation{Output: []byte(`{}`)})
	if _, err := replay.Open(broken{Memory: good, index: disk}); !errors.Is(err, disk) {
		t.Error(err)
	}
	for _, c := range []struct {
		name   string
		source replay.Source
		want   string
	}{
		{"cannot be read", broken{Memory: good, read: disk}, disk.Error()},
		{"no output", with(trace.Observation{}), "recorded output"},
		{"null output", with(trace.Observation{Output: []byte(`null`)}), "recorded output"},
		{"output is no object", with(trace.Observation{Output: []byte(`[1]`)}), "recorded output"},
		{"error without text", with(trace.Observation{Error: &text}), "damaged"},
	} {
		rec, err := replay.Open(c.source)
		if err != nil {
			t.Fatal(err)
		}
		_, results := run(t, t.Context(), traceOf(0), []tool.Tool{replay.Tool{Inner: library{}, Recorded: rec}}, []model.ToolCall{search("c", "nile")})
		if !strings.Contains(results[0].Error, c.want) {
			t.Errorf("%s: %s", c.name, results[0].Error)
		}
	}
	t.Run("changed meanwhile", func(t *testing.T) {
		rec := open(t, good)
		good[0], good[1] = good[1], good[0]
		_, results := run(t, t.Context(), traceOf(0), []tool.Tool{replay.Tool{Inner: library{}, Recorded: rec}}, []model.ToolCall{search("c", "nile")})
		if !strings.Contains(results[0].Error, "changed since") {
			t.Error(results[0].Error)
		}
	})
	if _, err := (replay.Memory{}).Read(-1); err == nil {
		t.Error("an empty recording has an event")
	}
}
