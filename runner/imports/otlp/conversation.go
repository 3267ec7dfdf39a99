package otlp

import (
	"encoding/hex"
	"iter"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// Conversation is one answer of an agent to a question.
type Conversation struct {
	TraceID, SpanID string // of OpenTelemetry, in hexadecimal form: the span of the agent
	Agent           string // its name; "" if unknown
	Service, Model  string // model is provider:name, or a name
	Session         string // the id of the session that it is a part of; "" if unknown

	// ID, Gold, Category and Configuration are those that the program recorded as attributes; "" without them. Index is
	// the place among the K traces of the query, from 0; below 0 if it is unknown.
	ID, Gold, Category, Configuration string
	Index                             int

	Question string
	History  []datasets.Turn // what was said before the question
	Message  string          // the final message; "" without one
	// Missing explains why there is no final message. Failure is the error with which the agent ended. Both may be "".
	Missing, Failure string
	// Step reports that this is a single request to a model, without an agent's span, whose reply calls tools: it is a
	// step of an answer whose other requests are in other traces of OpenTelemetry.
	Step       bool
	Events     []Event
	Steps      int // turns of the model
	ModelCalls int
	ToolCalls  int
	Usage      model.Usage
	Start      time.Time
	Seconds    float64 // 0 if unknown
}

// Event is an event of a conversation, without its place and time.
type Event struct {
	Step int
	Body trace.Body
}

// Ref is a conversation that was found and can be read.
type Ref struct {
	store          *Store
	first          int64 // the place of its first entry among those that are kept
	members, above int32 // its entries, and those of the spans above it, which follow
	root           int32 // the place of its first span in its entries
}

// Conversations finds all conversations, in the order of their traces. If a temporary file cannot be read, the last
// element is the error. Each call finds them again, and adds to what is kept of them.
func (s *Store) Conversations() iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) {
		for first := int64(0); first < s.index.spans; {
			t, err := s.trace(first)
			if err != nil {
				yield(Ref{}, err)
				return
			}
			s.counts.addFound(t.found)
			for _, u := range t.units {
				if !t.entries[u.root].isTimed() {
					s.counts.skewed++
				}
				r, err := s.kept.add(s, t, u)
				if !yield(r, err) || err != nil {
					return
				}
			}
			first += int64(len(t.entries))
		}
	}
}

// maxContent is the maximum size in bytes of the spans of a conversation that are read at once.
const maxContent = 256 << 20

// Read reads a conversation. It returns an error if a temporary file cannot be read. Several goroutines may read, if
// none is in Conversations.
func (r Ref) Read() (Conversation, error) {
	entries, u, err := r.read()
	if err != nil {
		return Conversation{}, err
	}
	root := entries[u.root]
	out := Conversation{TraceID: hex.EncodeToString(root.traceID[:]), SpanID: hex.EncodeToString(root.id[:]),
		Index: -1, Service: r.store.services[root.service], Start: time.Unix(0, int64(root.start)).UTC()}
	size := int64(0)
	for _, i := range u.members {
		size += int64(entries[i].size)
	}
	if size > maxContent {
		out.Failure = "its spans have more than 256 MiB"
		return out, nil
	}
	b := &builder{store: r.store, entries: entries, unit: u, out: &out}
	err = b.read()
	return out, err
}
