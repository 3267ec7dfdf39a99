package replay

import (
	"fmt"
	"iter"

	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Source is a recording: the actions and observations of its traces. It must not change
// while it is replayed, and is safe for concurrent reading.
type Source interface {
	// Index goes through all of them once; those of one trace come in order.
	Index() iter.Seq2[Entry, error]
	// Read gives the event at a position that Index told.
	Read(position int64) (trace.Event, error)
}

// Entry says where an action or an observation is.
type Entry struct {
	Caller      tool.Caller
	Observation bool
	Position    int64 // whatever the Source finds it by, such as a line's offset in a file
}

// Memory is a recording that is held in memory: events, of which others are passed over.
type Memory []trace.Event

// Index goes through the recording; positions are the indexes of events.
func (m Memory) Index() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for i, e := range m {
			entry := Entry{Caller: tool.Caller{Trace: e.ID}, Position: int64(i)}
			switch b := e.Body.(type) {
			case trace.Action:
				entry.Caller.Call = b.CallID
			case trace.Observation:
				entry.Caller.Call, entry.Observation = b.CallID, true
			default:
				continue
			}
			if !yield(entry, nil) {
				return
			}
		}
	}
}

// Read gives the event at an index.
func (m Memory) Read(position int64) (trace.Event, error) {
	if position < 0 || position >= int64(len(m)) {
		return trace.Event{}, fmt.Errorf("the recording has %d events, and none at position %d", len(m), position)
	}
	return m[position], nil
}
