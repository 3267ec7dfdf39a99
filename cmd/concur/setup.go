package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/doctor"
	"github.com/seed-5817661a/concur/cmd/concur/starter"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
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
	if _, err := fmt.Fprint(c.out, reports.PrintableLines(starter.Introduction(folder, queries))); err != nil {
		return &exitError{exitInvalid, fmt.Errorf("write to standard output: %w; the files are written", err)}
	}
	return nil
}

func (c *console) doctor(ctx *cli.Context, o *output) error {
	d := &doctor.Examination{Assembler: c.assembler, Network: !ctx.Bool("no-network")}
	conf, err := c.configuration(ctx, "")
	d.Tried("configuration", cmp.Or(configurationFile(ctx), "defaults"), true, err, "mend the file or the flag that it names")
	if err != nil {
		conf = config.New().Completed() // the rest is looked at with the defaults
	}
	d.Tried("runs folder", ctx.String(flagRunsDir), true, store.Check(ctx.String(flagRunsDir)), "choose a folder that can be written with --runs-dir")
	d.Try(ctx.Context, conf)
	d.Exposed(c.exposure(d.Checks))
	err = o.write(func() error {
		if o.format == formatJSON {
			return reports.ChecksJSON(o, d.Checks)
		}
		return reports.Checks(o, d.Checks, o.screen(false))
	})
	if err == nil && d.Failed() {
		return usagef("something that the configuration needs does not work; the table says how to mend it")
	}
	return err
}

// exposure is where programs may find the keys that are set.
func (c *console) exposure(checks []reports.Check) doctor.Exposure {
	folder, _ := os.Getwd() // "" where it was removed
	e := doctor.Exposure{Keys: map[string]string{}, Parent: os.Getppid(), Folder: folder, Failed: c.open}
	for _, check := range checks {
		if value := strings.TrimSpace(c.environ(check.Name)); check.What == "key" && value != "" {
			e.Keys[check.Name] = value
		}
	}
	return e
}

// Stamped in by the Makefile.
var (
	version = "devel"
	commit  = "unknown"
)

func (c *console) printVersion(*cli.Context) error {
	_, err := fmt.Fprintf(c.out, "concur %s (commit %s, %s, %s/%s)\n", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
