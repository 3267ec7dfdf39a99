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
	Session         string

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
	store *Store
	unit  unit
}

// Conversations finds all conversations, in the order of their traces.
func (s *Store) Conversations() iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		for from := 0; from < len(s.index); {
			to := from + 1
			for to < len(s.index) && s.index[to].traceID == s.index[from].traceID {
				to++
			}
			for _, u := range s.units(from, to) {
				if !yield(Ref{s, u}) {
					return
				}
			}
			from = to
		}
	}
}

// maxContent is the maximum size in bytes of the spans of a conversation that are read at once.
const maxContent = 256 << 20

// Read reads a conversation. It returns an error if the temporary file cannot be read.
func (r Ref) Read() (Conversation, error) {
	root := r.store.index[r.unit.root]
	out := Conversation{TraceID: hex.EncodeToString(root.traceID[:]), SpanID: hex.EncodeToString(root.id[:]),
		Index: -1, Service: r.store.services[root.service], Start: time.Unix(0, int64(root.start)).UTC()}
	size := int64(0)
	for _, i := range r.unit.members {
		size += int64(r.store.index[i].size)
	}
	if size > maxContent {
		out.Failure = "its spans have more than 256 MiB"
		return out, nil
	}
	b := &builder{store: r.store, unit: r.unit, out: &out}
	err := b.read()
	return out, err
}
