package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) rejudgeCommand() *cli.Command {
	return &cli.Command{
		Name:      "rejudge",
		Usage:     "decide and judge the traces of a run again; no agent runs",
		ArgsUsage: "RUN",
		Description: `The traces stay as they are; votes, verifier and judges decide again, by other settings, other
golds or newer rules. What they were asked in the run already is not asked again. The result
is a run of its own with its own verdicts, beside the old one, and the labels of people keep
their say. Compare the two with ` + "`concur compare RUN latest-rejudge`" + `.

Examples:
  concur rejudge latest --judge openai:gpt-4o --pass correctness
  concur rejudge latest --threshold 5
  concur rejudge latest --stages exact,majority --quorum none
  concur rejudge latest --dataset corrected.yaml
  concur rejudge --resume latest-rejudge`,
		Flags: slices.Concat(flagsNamed("judge", "pass", "calibration", "threshold", "repeats", "stages", "quorum", "verifier"), []cli.Flag{
			&cli.StringFlag{Name: flagConfig, Aliases: []string{"c"}, Usage: "take judge, verifier, consensus and pass from `FILE`", DefaultText: "the run's"},
			&cli.StringFlag{Name: flagDataset, Usage: "`FILE` with the run's queries, where their golds are other ones now", DefaultText: "the run's"},
			&cli.StringFlag{Name: flagResume, Usage: "finish `RUN`, which was interrupted while it was judged again"},
			runsDirFlag(), quietFlag()}, sectionFlags(), comparisonFlags(), outputFlags(runFormats())),
		Action: c.withOutput(runFormats(), c.rejudgeAction),
	}
}

func (c *console) rejudgeAction(ctx *cli.Context, o *output) error {
	signals := c.listen()
	defer signals.stop()
	var draft runner.Draft
	var old, run *store.Run // run is nil until its folder is made
	var err error
	if ctx.IsSet(flagResume) {
		run, old, draft, err = c.halfJudged(ctx)
	} else if old, err = findRun(ctx, 1); err == nil {
		var changed []string
		r := runner.Rejudge{Run: old, Source: ctx.String(flagDataset), Now: time.Now()}
		if r.Change, err = judgingOf(ctx); err == nil {
			draft, changed, err = r.Draft()
		}
		if err == nil {
			fmt.Fprintf(c.err, "rejudge: %s, %s\n", reports.Printable(old.Manifest.Run), reports.Printable(strings.Join(append(changed, "answers as they were"), "; ")))
		}
	}
	if err != nil {
		return err
	}
	recorded, err := old.Recording()
	if err != nil {
		return err
	}
	defer recorded.Close() // only read
	recording, err := replay.Open(recorded)
	if err != nil {
		return err
	}
	return c.assembler.WhileJudging(ctx.Context, draft, recording, func(running context.Context, s *assemble.Session) error {
		scope := draft.Scope(false)
		scope.Ends = !s.NeedsEvents()
		if run == nil {
			if run, err = old.CopyTraces(ctx.String(flagRunsDir), s.Manifest()); err != nil {
				return notWritten(err)
			}
		}
		out, prior, err := run.Resume(time.Now(), scope)
		if err != nil {
			return notWritten(err)
		}
		if err := s.CheckWhole(prior); err != nil {
			return errors.Join(err, out.Finish(store.Failed, time.Now()))
		}
		return c.execute(ctx, running, s, out, prior, o, signals)
	})
}

// halfJudged is a run whose judging was interrupted, the run that it judges, and its draft.
func (c *console) halfJudged(ctx *cli.Context) (run, old *store.Run, d runner.Draft, err error) {
	if run, err = store.Find(ctx.String(flagRunsDir), ctx.String(flagResume)); err != nil {
		return nil, nil, d, err
	}
	m := run.Manifest
	switch {
	case m.RejudgeOf == "":
		err = usagef("run %s was not judged again; finish it with `%s`", m.Run, store.ResumeCommand(run.Dir, m))
	case ctx.NArg() > 0:
		err = usagef("--%s takes its run as it was begun: leave %s out", flagResume, strings.Join(ctx.Args().Slice(), " "))
	default:
		old, err = store.Find(ctx.String(flagRunsDir), m.RejudgeOf)
	}
	if err == nil {
		d, err = runner.Retake{Settings: m.Configurations[0].Configuration, Source: ctx.String(flagDataset), Versions: c.assembler.Versions, Now: time.Now()}.Draft(m)
	}
	return run, old, d, err
}

// judgingOf is the change of a configuration that flags and a file ask for.
func judgingOf(ctx *cli.Context) (func(*config.Configuration), error) {
	file, wrong := fromFile(ctx, config.New())
	named := ctx.IsSet(flagConfig)
	if named && len(wrong) > 0 {
		return nil, usagef("%w", errors.Join(wrong...))
	}
	return func(c *config.Configuration) {
		if named {
			c.Judge, c.Verifier, c.Consensus, c.Pass = file.Judge, file.Verifier, file.Consensus, file.Pass
		}
		override(ctx, c)
		for _, spec := range []*string{&c.Judge.Correctness, &c.Judge.Quality} {
			if *spec == "" && !named { // the run's own choice, which no default fills
				*spec = config.NoModel
			}
		}
		*c = c.Completed()
	}, nil
}
