package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
)

const (
	flagReplay        = "replay"
	flagRecordMissing = "record-missing"
	flagCheck         = "check"
)

// replayAction runs a recorded run again from its recording: models and tools answer as
// they did, and nothing is asked of the network.
func (c *console) replayAction(ctx *cli.Context, o *output, signals *listener) error {
	run, err := store.Find(ctx.String(flagRunsDir), ctx.String(flagReplay))
	if err != nil {
		return usagef("%w", err)
	}
	if err := o.spare("", run.Manifest.Dataset.Source); err != nil {
		return err
	}
	plan, err := c.planOf(ctx, run.Manifest, flagReplay)
	if err != nil {
		return err
	}
	recording, err := run.Recording()
	if err != nil {
		return usagef("%w", err)
	}
	defer recording.Close() // only read
	recorded, err := replay.Open(recording)
	if err != nil {
		return usagef("replay run %s: %w", run.Manifest.Run, err)
	}
	plan.replay = &replaying{run.Manifest, assemble.Replay{Recorded: recorded, Missing: ctx.Bool(flagRecordMissing), Regrade: ctx.Bool(flagCheck)}}
	if err := plan.rename(time.Now()); err != nil {
		return err
	}
	if err := plan.spareInputs(o); err != nil {
		return err
	}
	if ctx.Bool("dry-run") {
		return o.write(func() error { return plan.describe(o) })
	}
	return plan.whileOpen(ctx.Context, func(running context.Context) error {
		out, err := store.Create(ctx.String(flagRunsDir), plan.manifest())
		if err != nil {
			return notWritten(err)
		}
		if err := c.execute(ctx, running, plan, out, nil, o, signals); err != nil || !ctx.Bool(flagCheck) {
			return err
		}
		return c.checkReplay(run, out.Dir())
	})
}

// checkReplay holds the verdicts of a replay against the recording's. Since models and
// tools said the same, a difference is concur's own: of how it reads, votes or judges.
func (c *console) checkReplay(recorded *store.Run, dir string) error {
	replayed, err := store.Open(dir)
	if err != nil {
		return usagef("%w", err)
	}
	was, now := map[string]store.Record{}, map[string]store.Record{}
	for run, records := range map[*store.Run]map[string]store.Record{recorded: was, replayed: now} {
		for r, err := range run.Records() {
			if err != nil {
				return usagef("%w", err)
			}
			records[r.Query] = r
		}
	}
	name := recorded.Manifest.Run
	for id := range now {
		if _, ok := was[id]; !ok {
			return &exitError{exitInvalid, fmt.Errorf("replay of %s: the recording has %d records and none of query %s, so that its verdict cannot be checked: record anew", name, len(was), id)}
		}
	}
	var differ []string
	for _, id := range slices.Sorted(maps.Keys(now)) {
		a, b := was[id], now[id]
		if a.Verdict.Verdict != b.Verdict.Verdict {
			differ = append(differ, fmt.Sprintf("%s: %s (%s), now %s (%s)", id, a.Verdict.Verdict, reports.Decided(a), b.Verdict.Verdict, reports.Decided(b)))
		}
	}
	if len(differ) > 0 {
		return &exitError{exitRegression, fmt.Errorf("replay of %s: %d of %d verdicts are not the recording's, though models and tools said the same:\n%s", name, len(differ), len(now), strings.Join(differ, "\n"))}
	}
	_, err = fmt.Fprintf(c.err, "replay of %s: all %d verdicts are the recording's. This went through concur's own pipeline again, and says nothing new about the agent.\n", name, len(now))
	return err
}

// replaying is a recorded run that is run again.
type replaying struct {
	of store.Manifest
	assemble.Replay
}
