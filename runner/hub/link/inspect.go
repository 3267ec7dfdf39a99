package link

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// Facts describe a hub.
type Facts struct {
	Server     string // name and version
	MaxPayload int64  // bytes of a message
	Store      int64  // bytes that the account may store; -1 if there is no limit
	Used       int64  // of Store
}

// Inspect asks the hub for its limits.
func (l *Link) Inspect(ctx context.Context) (Facts, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	info, err := l.JS.AccountInfo(ctx)
	if err != nil {
		return Facts{}, fmt.Errorf("ask the hub for its limits: %w", err)
	}
	return Facts{
		Server:     fmt.Sprintf("%.60s, NATS %.20s", l.Conn.ConnectedServerName(), l.Conn.ConnectedServerVersion()),
		MaxPayload: l.Conn.MaxPayload(), Store: info.Limits.MaxStore, Used: int64(info.Store),
	}, nil
}

// Room returns an error if a run has no room at the hub.
func (f Facts) Room() error {
	switch {
	case f.Store < 0:
		return nil
	case f.Store <= 1: // see server.Server: a concur-hub whose disk is nearly full
		return errors.New("the hub is full: its disk has nearly no space, and it refuses messages; make room on that disk")
	case f.Store-f.Used < 2*leastResults:
		return fmt.Errorf("the hub is full: %d of its %d MB are used; remove dead runs with `concur hub clean URL`, or "+
			"start it with a larger --store", f.Used>>20, f.Store>>20)
	}
	return nil
}

// Workers returns the workers that answer within a time. They need not work on a run.
func (l *Link) Workers(ctx context.Context, within time.Duration) ([]wire.Alive, error) {
	inbox := l.Conn.NewInbox()
	answers, err := l.Conn.SubscribeSync(inbox)
	if err == nil {
		defer func() { _ = answers.Unsubscribe() }() // the connection is closed soon
		err = l.Conn.PublishRequest(wire.WhoSubject, inbox, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("ask for workers: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	var out []wire.Alive
	for len(out) < maxWorkers {
		m, err := answers.NextMsgWithContext(ctx)
		switch {
		case errors.Is(err, nats.ErrNoResponders) || ctx.Err() != nil:
			return out, nil
		case err != nil:
			return out, fmt.Errorf("ask for workers: %w", err)
		}
		var a wire.Alive
		if json.Unmarshal(m.Data, &a) == nil && a.Worker != "" {
			out = append(out, a)
		}
	}
	return out, nil
}

// maxWorkers is the maximum number of answers that Workers reads.
const maxWorkers = 10_000
