package otel

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Read describes a run from its folder, for one configuration or, if configuration is "", for all. It calls each with
// the spans of one query after the other, and stops at its error. Memory holds one query.
func Read(ctx context.Context, run *store.Run, configuration string, o Options, each func(Spans) error) error {
	d := New(run.Manifest, o)
	if configuration != "" {
		d.expected = 1
	}
	traces, err := run.Traces(ctx)
	if err != nil {
		return err
	}
	defer traces.Close() // the files were only read
	for r, err := range run.Records() {
		if err != nil {
			return err
		}
		if configuration != "" && r.Configuration != configuration {
			continue
		}
		out, err := d.Read(traces, r, nil)
		if err == nil {
			err = each(out)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Folder reads what a run folder has of a query. A store.Traces is one.
type Folder interface {
	Events(trace.ID) ([]trace.Event, error)
	Exchanges(model.Identity) ([]store.Exchange, error)
	Questions(query string) ([]model.Identity, error)
}

// Read returns the spans of a query under one configuration: of its traces that belong to this configuration, of the
// requests of its judges if it is the first configuration, and of its record. If skip is not nil, traces for which it
// returns true are left out; the Describer knows them already.
func (d *Describer) Read(from Folder, r store.Record, skip func(trace.ID) bool) (out Spans, err error) {
	for _, a := range r.Answers {
		id := trace.ID{Agent: r.Agent, Query: r.Query, Trace: a.Trace}
		if skip != nil && skip(id) {
			continue
		}
		events, err := from.Events(id)
		if err != nil {
			return out, err
		}
		own := d.owner(id) == r.Configuration
		for _, e := range events {
			if s := d.Event(e); own {
				out.Join(s)
			}
		}
		of := model.Identity{Agent: id.Agent, Query: id.Query, Trace: id.Trace, Purpose: model.Agent}
		if own {
			if err := d.exchanges(from, of, &out); err != nil {
				return out, err
			}
		}
	}
	if r.Configuration == d.first() && skip == nil {
		questions, err := from.Questions(r.Query)
		if err != nil {
			return out, err
		}
		for _, of := range questions {
			if err := d.exchanges(from, of, &out); err != nil {
				return out, err
			}
		}
	}
	out.Join(d.Record(r))
	return out, nil
}

// exchanges adds the spans of a conversation.
func (d *Describer) exchanges(from Folder, of model.Identity, out *Spans) error {
	all, err := from.Exchanges(of)
	for _, x := range all {
		out.Join(d.Exchange(x))
	}
	return err
}

// Write writes a run as JSON lines of OTLP: for each query one request of traces, and one of logs if it has verdicts.
func Write(ctx context.Context, w io.Writer, run *store.Run, configuration string, from Source, o Options) error {
	out := bufio.NewWriter(w)
	line := func(m Message) error {
		if len(m.Body) == 0 {
			return nil
		}
		raw, err := m.JSON()
		if err == nil {
			_, err = out.Write(append(raw, '\n'))
		}
		return err
	}
	err := Read(ctx, run, configuration, o, func(s Spans) error {
		if err := line(from.Traces(s.Spans)); err != nil {
			return err
		}
		return line(from.Logs(s.Logs))
	})
	if err != nil {
		return fmt.Errorf("export run %s: %w", run.Manifest.Run, err)
	}
	return out.Flush()
}
