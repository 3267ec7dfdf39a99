package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/agreement"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/labelling"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
)

// readFile reads the one file of what a command needs.
func readFile[T any](c *console, ctx *cli.Context, command, needs string, read func(name string, r io.Reader) (T, error)) (out T, err error) {
	if !ctx.Args().Present() {
		return out, usagef("judge calibrate takes one file, or - for standard input, or --from RUN")
	}
	in, name, err := lines.Open(ctx.Args().First(), c.in)
	if err == nil {
		defer in.Close()
		out, err = read(name, in)
	}
	return out, orOther(err, ctx.Args().First(), command, needs)
}

// labelled gives the labelled answers of a file, or of a run, and the configuration whose judge is calibrated.
func (c *console) labelled(ctx *cli.Context) (list []agreement.Labelled, conf config.Configuration, err error) {
	if !ctx.IsSet(flagFrom) {
		if list, err = readFile(c, ctx, "judge calibrate", "labelled answers as JSONL", agreement.ReadLabelled); err == nil {
			conf, err = c.configuration(ctx, "")
		}
		return list, conf, err
	}
	if ctx.NArg() > 0 {
		return nil, conf, usagef("--from takes its answers from a run: leave %s out", ctx.Args().First())
	}
	run, err := runNamed(ctx, ctx.String(flagFrom))
	if err != nil {
		return nil, conf, err
	}
	records, unread := run.Sorted()
	change, wrong := judgingOf(ctx)
	data, _, err := runner.Reopen(run.Manifest, ctx.String(flagDataset))
	if err = cmp.Or(unread, wrong, err); err == nil {
		list, err = labels.Labelled(run.Manifest.Run, records, data)
	}
	if err != nil {
		return nil, conf, err
	}
	conf = run.Manifest.Configurations[0].Configuration
	change(&conf)
	return list, conf, nil
}

func (c *console) calibrateAction(ctx *cli.Context, o *output) error {
	list, conf, err := c.labelled(ctx)
	if err != nil {
		return err
	}
	if err := conf.Validate(); err != nil {
		return err
	}
	if len(conf.CorrectnessModels()) == 0 {
		return usagef("no correctness judge is configured: name one with --judge, or as judge.correctness")
	}
	rule := conf.Judge.Panel.Rule
	conf.Judge.Calibration, conf.Judge.Panel.Rule = "", "" // which rest on the calibration that is made here
	set, stop := c.progress(ctx.Bool(flagQuiet)).Bar("ask the judge")
	var found *judge.Calibration
	err = c.assembler.WithJudges(ctx.Context, conf, assemble.Questioners{Correctness: conf.Judge.Correctness}, func(within context.Context, open runner.Arm) error {
		j := open.Correctness
		if j.Panel != nil && rule != "" {
			j.Panel.Rule = rule
		}
		found, err = agreement.Calibrate(within, j, list, conf.Limits.Traces(), set)
		return err
	})
	stop()
	if err != nil {
		return fmt.Errorf("%w; nothing was written: once that is mended, calibrate again", err)
	}
	return writeValue(o, found, reports.Calibration)
}

func (c *console) judgeScoreAction(ctx *cli.Context, o *output) error {
	found, err := readFile(c, ctx, "judge score", "recorded verdicts as JSONL", agreement.ReadRecording)
	if err != nil {
		return err
	}
	return writeValue(o, found, reports.JudgeScore)
}

func (c *console) rejudgeAction(ctx *cli.Context, o *output) error {
	var draft runner.Draft
	var old, run *store.Run // run is nil until its folder is made
	var err error
	if ctx.IsSet(flagResume) {
		run, old, draft, err = c.halfJudged(ctx)
	} else if old, err = findRun(ctx); err == nil {
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
	return c.assembler.WhileJudging(ctx.Context, draft, replay.New(recorded), func(running context.Context, s *assemble.Session) error {
		scope := draft.Scope(false)
		scope.Ends = !s.NeedsEvents()
		if run == nil {
			if run, err = old.CopyTraces(ctx.String(flagRunsDir), s.Manifest()); err != nil {
				return err
			}
		}
		out, prior, err := run.Resume(time.Now(), scope)
		if err != nil {
			return err
		}
		if err := s.CheckWhole(prior); err != nil {
			return errors.Join(err, out.Finish(store.Failed, time.Now()))
		}
		return c.execute(ctx, running, s, out, prior, o)
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
		err = usagef("--resume takes its run as it was begun: leave %s out", strings.Join(ctx.Args().Slice(), " "))
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
	if named && wrong != nil {
		return nil, usagef("%w", wrong)
	}
	return func(c *config.Configuration) {
		if named {
			c.Extract, c.Extractor = file.Extract, file.Extractor
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

func (c *console) labelAction(ctx *cli.Context) error {
	run, err := findRun(ctx)
	if err != nil {
		return err
	}
	if run.Manifest.State != store.Complete {
		return usagef("run %s is not complete (state: %s): finish it first with `%s`", run.Manifest.Run, run.Manifest.State, store.ResumeCommand(run.Dir, run.Manifest))
	}
	records, _, err := chosen(ctx, run)
	if err != nil {
		return err
	}
	s := &labelling.Session{
		Run: run, In: c.in, Out: c.out, Err: c.err, Screen: screenOf(c.err, c.environ, usualWidth),
		Author: cmp.Or(ctx.String("author"), c.author(ctx.Context)),
	}
	switch ctx.NArg() {
	case 1:
		order, wrong := labels.Order(records, run.Manifest.Seed, ctx.Bool("uniform"))
		if wrong != nil {
			return usagef("label run %s: %w", run.Manifest.Run, wrong)
		}
		err = s.Ask(ctx.Context, order, ctx.Int("limit"))
	case 3:
		err = s.One(ctx.Context, records, ctx.Args().Get(1), judge.Ruling(ctx.Args().Get(2)), ctx.String("reason"))
	default:
		return usagef("label takes RUN, or RUN QUERY correct|incorrect")
	}
	if err != nil || s.Given == 0 {
		return err
	}
	r, err := ablations.Summarize(run, "", ablations.Options{Margin: ablations.DefaultMargin})
	if err != nil {
		return err
	}
	return c.derive(run, r)
}
