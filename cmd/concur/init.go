package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

const (
	// baselineRuns are at seeds 1, 2, …: as many as a pool has by default, so that the gate
	// decides from the first day.
	baselineRuns  = 5
	recordingSeed = 1
)

func (c *console) initCommand() *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write queries, a baseline and a CI workflow to start from",
		ArgsUsage: "[FOLDER]",
		Description: `FOLDER is the current folder without an argument. init writes a configuration, a
dataset, the recording of a run, a baseline of five runs of the offline model, and a
workflow for GitHub Actions that passes unchanged; docs/ci.md explains them. It
needs no network, and overwrites nothing: where a file is there already, it writes
none and names all that are.

Examples:
  concur init
  concur init my-agent`,
		Flags:           []cli.Flag{quietFlag()},
		HideHelpCommand: true, // a folder may be called help
		Action:          c.initAction,
	}
}

func (c *console) initAction(ctx *cli.Context) error {
	if ctx.NArg() > 1 {
		return usagef("init takes one folder, and was given %d", ctx.NArg())
	}
	folder := "."
	if ctx.NArg() == 1 {
		folder = filepath.Clean(ctx.Args().First())
	}
	if err := vacant(folder); err != nil {
		return err
	}
	if err := writable(folder); err != nil {
		return notWritten(fmt.Errorf("init: %w; name a folder that can be made and written into, and try again", err))
	}
	// Everything is made elsewhere first, so that what fails or is stopped leaves nothing.
	work, err := os.MkdirTemp("", "concur-init-")
	if err != nil {
		return notWritten(fmt.Errorf("init: make a temporary folder: %w; TMPDIR names another place", err))
	}
	defer os.RemoveAll(work)
	s := &starter{console: c, made: filepath.Join(work, "made"), runs: filepath.Join(work, "runs")}
	if err := s.fill(ctx); err != nil {
		if exitCode(err) == exitInterrupted {
			return &exitError{exitInterrupted, errors.New("interrupted; nothing was written")}
		}
		return fmt.Errorf("init: %w", err)
	}
	err = os.CopyFS(folder, os.DirFS(s.made)) // overwrites nothing either
	if err != nil {
		return notWritten(fmt.Errorf("init: %w; remove what was written into %s until then, and try again", err, folder))
	}
	if err := errors.Join(addLine(folder, starterIgnore, ignoreRuns), addLine(folder, starterMerge, mergeByUnion)); err != nil {
		return notWritten(err)
	}
	return c.introduce(folder, s.queries)
}

// starter is a starter in the making.
type starter struct {
	*console
	made    string // its files, as they will be in the folder
	runs    string
	queries int
}

// fill writes the templates and runs the dataset for what needs runs.
func (s *starter) fill(ctx *cli.Context) error {
	if err := writeTemplates(s.made); err != nil {
		return notWritten(err)
	}
	file, err := config.Load(filepath.Join(s.made, starterConfig), config.New())
	if err != nil {
		return err
	}
	conf := file.Configuration.Completed()
	signals := s.listen()
	defer signals.stop()
	accepted := &baseline.Baseline{}
	share, stop := s.progress(ctx.Bool(flagQuiet)).Bar(fmt.Sprintf("make the baseline of %d runs of the offline model", baselineRuns))
	defer stop()
	for seed := int64(1); seed <= baselineRuns; seed++ {
		share(float64(seed-1) / baselineRuns)
		if err := s.accept(ctx, conf, seed, accepted, signals); err != nil {
			return err
		}
	}
	raw, err := accepted.Encode()
	if err == nil {
		err = os.WriteFile(filepath.Join(s.made, starterBaseline), raw, 0o666)
	}
	if err != nil {
		return notWritten(err)
	}
	return nil
}

// accept runs the dataset once, and lets the run into the baseline.
func (s *starter) accept(ctx *cli.Context, conf config.Configuration, seed int64, accepted *baseline.Baseline, signals *listener) error {
	draft, err := newDraft(ctx, filepath.Join(s.made, starterQueries), []config.Configuration{conf})
	if err != nil {
		return err
	}
	// The recording is committed: it must name its dataset from where it will lie, and no
	// commit of wherever init was run.
	draft.Manifest.Seed, draft.Manifest.Dataset.Source, draft.Manifest.GitCommit = seed, starterQueries, nil
	s.queries = len(draft.Dataset.Queries)
	run, err := s.run(ctx, draft, signals)
	if err != nil {
		return err
	}
	pass, err := readPass(run, "")
	if err != nil {
		return err
	}
	if err := accepted.Add(baseline.Candidate{Pass: pass}, draft.Dataset); err != nil {
		return err
	}
	if seed != recordingSeed {
		return nil
	}
	// chat.md shows to people what chat.jsonl holds, and would double what is committed.
	if err := os.Remove(filepath.Join(run.Dir, "chat.md")); err != nil {
		return err
	}
	return os.Rename(run.Dir, filepath.Join(s.made, starterRecording))
}

// run runs a draft without a word; init tells its own story.
func (s *starter) run(ctx *cli.Context, draft runner.Draft, signals *listener) (*store.Run, error) {
	silent := *s.console
	silent.out, silent.err = io.Discard, io.Discard
	o := &output{format: string(reports.FormatTable), stdout: io.Discard, environ: s.environ}
	dir := ""
	err := s.assembler.While(ctx.Context, draft, assemble.Options{}, func(running context.Context, open *assemble.Session) error {
		out, err := store.Create(s.runs, open.Manifest())
		if err != nil {
			return notWritten(err)
		}
		dir = out.Dir()
		return silent.execute(ctx, running, open, out, nil, o, signals)
	})
	if err != nil {
		return nil, err
	}
	return store.Open(dir)
}
