package transcript

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Schema is the name and version of the JSON form of Transcripts.
const Schema = "concur/transcript/v1"

// Transcripts holds the traces of one query and its records, as one JSON document.
type Transcripts struct {
	Schema  string         `json:"schema"`
	Run     string         `json:"run"`
	Query   string         `json:"query"`
	Records []store.Record `json:"records"` // one for each configuration; none before the query is decided
	Traces  []TracedEvents `json:"traces"`
}

// TracedEvents holds the events of one trace, in order.
type TracedEvents struct {
	trace.ID
	// Configurations are the configurations that use the trace, because they have its agent
	Configurations []string `json:"configurations"`
	// Worker is the worker of a hub that made the trace; "" without a hub
	Worker string        `json:"worker,omitempty"`
	Events []trace.Event `json:"events"`
	// Marks are written below the events. JSON does not have them.
	Marks Marks `json:"-"`
}

// WriteJSON writes t as JSON.
func WriteJSON(w io.Writer, t Transcripts) error {
	t.Schema = Schema
	t.Records, t.Traces = append([]store.Record{}, t.Records...), append([]TracedEvents{}, t.Traces...)
	return document.WriteJSON(w, t)
}

// Write writes the events as the function Write does, with the worker that made the trace and the marks.
func (t TracedEvents) Write(w io.Writer, full bool) error {
	var b bytes.Buffer
	by := ""
	if t.Worker != "" {
		by = ", worker " + document.Printable(t.Worker)
	}
	fmt.Fprintf(&b, "── trace %d of %s (agent %s%s)\n", t.ID.Trace, document.Printable(t.Query),
		document.Printable(t.Agent), by)
	eventsInSteps(&b, t.Events, full, t.Marks)
	if len(t.Events) == 0 {
		b.WriteString("nothing was recorded\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}
