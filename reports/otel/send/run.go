package send

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/runner/store"
)

// Counts says what an endpoint took.
type Counts struct {
	Spans, Logs int    // sent
	Rejected    int64  // of those, items that the endpoint took and then rejected
	Message     string // the endpoint's reason for the last rejection
	NoLogs      error  // why the endpoint takes no log records; nil if it takes them
}

func (c Counts) String() string {
	s := fmt.Sprintf("sent %d spans and %d verdicts", c.Spans, c.Logs)
	if c.Rejected > 0 {
		s += fmt.Sprintf("; the endpoint rejected %d: %s", c.Rejected, c.Message)
	}
	if c.NoLogs != nil {
		s += fmt.Sprintf("; verdicts only as attributes of spans, since %v", c.NoLogs)
	}
	return s
}

// Take sends spans and log records. An endpoint that takes no log records is not an error: it is asked once.
func (c *Client) Take(ctx context.Context, from otel.Source, s otel.Spans, counts *Counts) error {
	if err := counts.note(c.Send(ctx, from.Traces(s.Spans))); err != nil {
		return err
	}
	counts.Spans += len(s.Spans)
	if len(s.Logs) > 0 && c.endpoint.Logs != "" && counts.NoLogs == nil {
		return counts.logs(c.Send(ctx, from.Logs(s.Logs)), len(s.Logs))
	}
	return nil
}

func (c *Counts) logs(err error, n int) error {
	if refused, is := errors.AsType[*RefusedError](err); is {
		c.NoLogs = refused
		return nil
	}
	if err = c.note(err); err == nil {
		c.Logs += n
	}
	return err
}

// note counts what an endpoint rejected, and returns all other errors.
func (c *Counts) note(err error) error {
	if partial, is := errors.AsType[*PartialError](err); is {
		c.Rejected, c.Message = c.Rejected+partial.Rejected, partial.Message
		return nil
	}
	return err
}

// Run sends a run from its folder, for one configuration or, if configuration is "", for all. Sending it twice sends
// the same ids. The counts say what was sent before an error.
func (c *Client) Run(ctx context.Context, run *store.Run, configuration string, from otel.Source, o otel.Options,
) (counts Counts, err error) {
	err = otel.Read(ctx, run, configuration, o, func(s otel.Spans) error { return c.Take(ctx, from, s, &counts) })
	if err != nil {
		err = fmt.Errorf("export run %s: %w (%s before)", run.Manifest.Run, err, counts)
	}
	return counts, err
}
