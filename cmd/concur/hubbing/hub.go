package hubbing

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/plan"
	"github.com/seed-5817661a/concur/runner/store"
)

// LinkOptions returns the options of a connection. log gets messages about it, and may be nil.
func LinkOptions(c *console.Console, h *flags.HubOptions, log func(string)) link.Options {
	return link.Options{URL: h.URL, Token: c.Environ(flags.HubToken), TokenFile: h.TokenFile, CA: h.CA, Log: log}
}

// connect connects to the hub. It returns nil if no hub is given.
func connect(ctx context.Context, c *console.Console, h *flags.HubOptions, log func(string)) (*link.Link, error) {
	if h.URL == "" {
		return nil, nil
	}
	l, err := link.Dial(ctx, LinkOptions(c, h, log))
	if err != nil {
		return nil, console.Usagef("%w", err)
	}
	return l, nil
}

// Check returns an error if a run cannot use a hub. It does not connect to it.
func Check(h *flags.HubOptions, s *assemble.Session) error {
	if h.URL == "" {
		return nil
	}
	if h.AckWait < minAckWait {
		return console.Usagef("--hub-ack-wait (or hub.ack_wait) must be at least %v", minAckWait)
	}
	if h.Losses != 0 && h.Losses < coordinator.DefaultLosses {
		return console.Usagef("--%s (or hub.losses) must be 0, which is no limit, or at least %d: fewer lost "+
			"workers do not show that a trace is the cause", flags.NameHubLosses, coordinator.DefaultLosses)
	}
	if err := plan.Check(s.Manifest()); err != nil {
		return console.Usagef("--%s: %w", flags.NameHub, err)
	}
	return nil
}

// Try returns an error if the hub cannot be reached or used. It is called before the run folder is made, and after the
// user has agreed to the price.
func Try(ctx context.Context, c *console.Console, h *flags.HubOptions) error {
	l, err := connect(ctx, c, h, nil)
	if l != nil {
		l.Close()
	}
	return err
}

// minAckWait is the minimum of --hub-ack-wait, so that a busy machine is not taken for a dead one.
const minAckWait = time.Second

// Session is the part of a run that uses a hub.
type Session struct {
	link *link.Link
	*plan.Coordinated
}

// Coordinate begins to coordinate a run at the hub. It returns nil if no hub is given.
func Coordinate(
	running context.Context, c *console.Console, h *flags.HubOptions, s *assemble.Session, out *store.Writer,
	prior *store.Prior, shown *progress.Run,
) (*Session, error) {
	if h == nil || h.URL == "" {
		return nil, nil
	}
	l, err := connect(running, c, h, shown.Note)
	if err != nil {
		return nil, err
	}
	h.Permits.Of(l, s.Draft.Manifest.Run)
	// The lease ends before the hub gives the traces of the coordinator's workers to others.
	times := coordinator.Times{AckWait: h.AckWait, LeaseFor: min(10*time.Second, h.AckWait),
		LeaseEvery: min(3*time.Second, h.AckWait/4)}
	coord, err := plan.Coordinate(running, l, c.Assembler, s, out.Dir(), prior, plan.Settings{
		Places: s.Arms[0].Configuration.Limits.Concurrency, Losses: h.Losses, Times: times, Log: shown.Note, Warn: shown.Warn,
	})
	if err != nil {
		l.Close()
		return nil, err
	}
	shown.ShowMachines(func() progress.Machines { return progress.Machines(coord.State()) })
	return &Session{l, coord}, nil
}

// Finish ends the coordination after the run folder is closed, and prints what was dropped.
func (h *Session) Finish(ctx context.Context, complete bool, w io.Writer) {
	if h == nil {
		return
	}
	counts, err := h.End(context.WithoutCancel(ctx), complete)
	h.link.Close()
	if note := hubNote(counts); note != "" {
		fmt.Fprintf(w, "concur: %s\n", note)
	}
	if err != nil { // the run itself is not affected
		fmt.Fprintf(w, "concur: end the run at the hub: %v; remove what is left with `concur hub clean`\n", err)
	}
}

// hubNote describes what happened at the hub; "" if nothing did.
func hubNote(n coordinator.Counts) string {
	var parts []string
	for _, c := range []struct {
		n           int
		thing, what string
	}{
		{n.Doubled, "doubled result", "dropped"}, {n.Refused, "result", "refused"},
		{n.Foreign, "result", "of another run dropped"}, {n.Twice, "part", "that came twice"},
		{n.Again, "trace", "asked for again"}, {n.Losses, "trace", "lost with a worker"}, {n.Infra, "trace", "given up"},
	} {
		if c.n > 0 {
			parts = append(parts, text.Counted(c.n, c.thing)+" "+c.what)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "hub: " + strings.Join(parts, ", ")
}

// Executor returns the executor of a run; nil if the traces are made here.
func (h *Session) Executor() runner.Executor {
	if h == nil {
		return nil
	}
	return h.Coordinated
}
