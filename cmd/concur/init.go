package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/internal/starter"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) initAction(ctx *cli.Context) error {
	folder := filepath.Clean(ctx.Args().First()) // "." without one
	silent := *c
	silent.out, silent.err = io.Discard, io.Discard // init tells its own story
	o := &output{format: formatTable, stdout: io.Discard, environ: c.environ, signals: c.listen()}
	defer o.signals.stop()
	run := func(d runner.Draft, dir string) (run *store.Run, err error) {
		err = c.assembler.While(ctx.Context, d, assemble.Options{}, func(running context.Context, s *assemble.Session) error {
			out, err := store.Create(dir, s.Manifest())
			if err != nil {
				return err
			}
			if err := silent.execute(ctx, running, s, out, nil, o); err != nil {
				return err
			}
			run, err = store.Open(out.Dir())
			return err
		})
		return run, err
	}
	queries, err := starter.Starter{Version: version, Commit: commit, Run: run, Bar: c.progress(ctx.Bool(flagQuiet)).Bar}.Write(folder)
	if exitCode(err) == exitInterrupted {
		return &exitError{exitInterrupted, errors.New("interrupted; nothing was written")}
	}
	if err != nil {
		return err
	}
	text, err := starter.Introduction(folder, queries)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprint(c.out, reports.PrintableLines(text)); err != nil {
		return &exitError{exitInvalid, fmt.Errorf("write to standard output: %w; the files are written", err)}
	}
	return nil
}
