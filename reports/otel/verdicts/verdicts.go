package verdicts

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/reports/otel/send"
	"github.com/seed-5817661a/concur/runner/store"
)

// Receiver takes verdicts.
type Receiver interface {
	// Send sends verdicts, and returns how many the receiver has taken. Those that it cannot express are left out.
	Send(ctx context.Context, list []otel.Evaluation) (taken int, err error)
}

// batch is the number of verdicts that are sent together.
const batch = 100

// Counts says what was sent.
type Counts struct{ Traces, Sent, LeftOut int }

// String describes the counts for people.
func (c Counts) String() string {
	s := fmt.Sprintf("sent %d verdicts on %d imported traces", c.Sent, c.Traces)
	if c.LeftOut > 0 {
		s += fmt.Sprintf("; %d without a verdict were left out", c.LeftOut)
	}
	return s
}

// Run sends the verdicts of a run on its imported traces: of one configuration or, if configuration is "", of all. It
// is an error if no trace was imported from a span.
func Run(ctx context.Context, to Receiver, run *store.Run, configuration string, o otel.Options) (c Counts, err error) {
	var waiting []otel.Evaluation
	flush := func(least int) error {
		for len(waiting) > least {
			part := waiting[:min(batch, len(waiting))]
			taken, err := to.Send(ctx, part)
			c.Sent += taken
			if err != nil {
				return err
			}
			c.LeftOut += len(part) - taken
			waiting = waiting[len(part):]
		}
		return nil
	}
	m := run.Manifest
	at := m.Start
	if m.End != nil {
		at = *m.End
	}
	for r, err := range run.Records() {
		if err != nil {
			return c, err
		}
		if configuration != "" && r.Configuration != configuration {
			continue
		}
		list, err := otel.Evaluations(m.Run, r, at, o)
		if err != nil {
			return c, err
		}
		last := -1
		for _, e := range list {
			if e.Trace != last && e.Name == "consensus" {
				c.Traces, last = c.Traces+1, e.Trace
			}
		}
		waiting = append(waiting, list...)
		if err := flush(batch); err != nil {
			return c, fmt.Errorf("export run %s: %w (%s before)", m.Run, err, c)
		}
	}
	if err := flush(0); err != nil {
		return c, fmt.Errorf("export run %s: %w (%s before)", m.Run, err, c)
	}
	if c.Sent+c.LeftOut == 0 {
		return c, fmt.Errorf("export run %s: none of its traces was imported from a span, so no backend has one to judge: "+
			"import spans with `concur import FOLDER --from otlp`", m.Run)
	}
	return c, nil
}

// records returns verdicts as a message of log records.
func records(list []otel.Evaluation, from otel.Source) (otel.Message, error) {
	var out []otel.LogRecord
	for _, e := range list {
		r, err := e.Record()
		if err != nil {
			return otel.Message{}, err
		}
		out = append(out, r)
	}
	return from.Logs(out), nil
}

// Collector sends log records to an endpoint of OpenTelemetry.
type Collector struct {
	Client *send.Client
	From   otel.Source
}

// Send implements Receiver.
func (c Collector) Send(ctx context.Context, list []otel.Evaluation) (int, error) {
	m, err := records(list, c.From)
	if err == nil {
		err = c.Client.Send(ctx, m)
	}
	if err != nil {
		return 0, err
	}
	return len(list), nil
}

// Lines writes requests of log records as lines of JSON.
type Lines struct {
	Out  io.Writer
	From otel.Source
}

// Send implements Receiver.
func (l Lines) Send(_ context.Context, list []otel.Evaluation) (int, error) {
	m, err := records(list, l.From)
	if err != nil || len(m.Body) == 0 {
		return 0, err
	}
	raw, err := m.JSON()
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriter(l.Out)
	_, _ = w.Write(append(raw, '\n')) // Flush returns the error
	return len(list), w.Flush()
}
