package transcript

import (
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
	Configurations []string      `json:"configurations"`
	Events         []trace.Event `json:"events"`
}

// WriteJSON writes t as JSON.
func WriteJSON(w io.Writer, t Transcripts) error {
	t.Schema = Schema
	t.Records, t.Traces = append([]store.Record{}, t.Records...), append([]TracedEvents{}, t.Traces...)
	return document.WriteJSON(w, t)
}
