package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/tool/search"
	"github.com/seed-5817661a/concur/runner/trace"
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
	plan, err := planOf(ctx, run.Manifest, flagReplay)
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
	plan.replay = &replaying{of: run.Manifest, recorded: recorded, missing: ctx.Bool(flagRecordMissing), regrade: ctx.Bool(flagCheck)}
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

// replaying is a recording that answers for models and tools.
type replaying struct {
	of       store.Manifest
	recorded *replay.Recording
	missing  bool // what is not recorded is asked
	regrade  bool // the gold may be another: rule-based judges are asked about it
}

// model is a model as recorded. A request that the recording does not answer ends the run:
// every further one would only say the same. judge answers what it is asked instead of the
// agent's model; nil where the recording alone may.
func (r *replaying) model(name string, missing, judge model.Model, stop context.CancelCauseFunc) model.Model {
	m := &replay.Model{Recorded: r.recorded, Name: name, Missing: missing}
	return completes(func(ctx context.Context, req model.Request) (model.Response, error) {
		resp, err := m.Complete(ctx, req)
		if judge != nil && req.Identity.Purpose != model.Agent && leftRecording(err) != nil {
			return judge.Complete(ctx, req)
		}
		if e := leftRecording(err); e != nil {
			stop(e)
		}
		return resp, err
	})
}

// leftRecording is why a replay cannot go on; nil where it can.
func leftRecording(err error) error {
	if d, ok := errors.AsType[*replay.Difference](err); ok {
		return d
	}
	if u, ok := errors.AsType[*replay.Unrecorded](err); ok {
		return u
	}
	return nil
}

type completes func(context.Context, model.Request) (model.Response, error)

func (f completes) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return f(ctx, req)
}

// wrap is a tool as recorded.
func (r *replaying) wrap(t tool.Tool) tool.Tool {
	return replay.Tool{Inner: t, Recorded: r.recorded, Missing: r.missing}
}

// backend stands for a search backend that is not asked, so that it needs neither key nor
// network: its tool says of itself what it says with it.
func (r *replaying) backend(name string) search.Backend {
	if name == config.BackendWikipedia {
		return unaskedLanguages{unasked(name)}
	}
	return unasked(name)
}

type unasked string

func (u unasked) Name() string { return string(u) }

func (u unasked) Search(context.Context, string, int) ([]trace.Document, error) {
	return nil, fmt.Errorf("%s is not asked in a replay", string(u))
}

type unaskedLanguages struct{ unasked }

func (u unaskedLanguages) SearchLanguage(ctx context.Context, _, query string, limit int) ([]trace.Document, error) {
	return u.Search(ctx, query, limit)
}
