package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/doctor"
	"github.com/seed-5817661a/concur/cmd/concur/starter"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) initAction(ctx context.Context, given *initOptions) error {
	folder := filepath.Clean(given.word(0)) // "." if no folder is given
	silent, shown := *c, reportOptions{}
	silent.out, silent.err = io.Discard, io.Discard // init prints its own messages
	o := &output{format: formatTable, stdout: io.Discard, environ: c.environ, signals: c.listen()}
	defer o.signals.stop()
	run := func(d runner.Draft, dir string) (run *store.Run, err error) {
		err = c.assembler.While(ctx, d, assemble.Options{}, func(running context.Context, s *assemble.Session) error {
			out, err := store.Create(dir, s.Manifest())
			if err != nil {
				return err
			}
			if err := silent.execute(running, s, out, nil, o, execution{how: shown.reporting()}); err != nil {
				return err
			}
			run, err = store.Open(out.Dir())
			return err
		})
		return run, err
	}
	queries, err := starter.Starter{Version: version, Commit: commit, Run: run,
		Bar: c.progress(given.quiet).Bar}.Write(folder)
	if exitCode(err) == exitInterrupted {
		return &exitError{exitInterrupted, errors.New("interrupted; nothing was written")}
	}
	if err != nil {
		return err
	}
	if _, err := fmt.Fprint(c.out, document.PrintableLines(starter.Introduction(folder, queries))); err != nil {
		return &exitError{exitInvalid, fmt.Errorf("write to standard output: %w; the files are written", err)}
	}
	return nil
}

func (c *console) doctorAction(ctx context.Context, given *doctorOptions, o *output) error {
	d := &doctor.Examination{Assembler: c.assembler, Network: !given.noNetwork}
	conf, err := c.configuration(&given.settings, "")
	d.Tried("configuration", cmp.Or(given.configurationFile(), "defaults"), true, err,
		"correct the file or the flag that it names")
	if err != nil {
		conf = config.New().Completed() // continue the checks with the defaults
	}
	d.Tried("runs folder", given.runsDir, true, store.Check(given.runsDir),
		"choose a folder that can be written with --runs-dir")
	d.Variables(c.variableFile, c.fromFile, c.inEnvironment)
	d.Try(ctx, conf)
	d.Exposed(c.exposure(d.Checks))
	err = o.write(func() error {
		if o.format == formatJSON {
			return listing.WriteChecksJSON(o, d.Checks)
		}
		return listing.WriteChecks(o, d.Checks, o.screen(false))
	})
	if err == nil && d.Failed() {
		return usagef("something that the configuration needs does not work; read in the table how to fix it")
	}
	return err
}

// exposure returns the places where other programs may find the keys.
func (c *console) exposure(checks []listing.Check) doctor.Exposure {
	folder, _ := os.Getwd() // "" if it was removed
	e := doctor.Exposure{Keys: map[string]string{}, Parent: os.Getppid(), Folder: folder, Failed: c.open}
	for _, check := range checks {
		if value := strings.TrimSpace(c.environ(check.Name)); check.What == "key" && value != "" {
			e.Keys[check.Name] = value
		}
	}
	for _, v := range c.fromFile {
		if !c.inEnvironment(v.Name) && len(secret.OfVariable(v.Name, v.Value)) > 0 {
			e.Keys[v.Name] = v.Value
		}
	}
	return e
}

//go:embed help/doctor.txt
var doctorHelp string

// doctorOptions holds the arguments and flags of concur doctor.
type doctorOptions struct {
	arguments
	settings
	resultOptions

	runsDir   string
	noNetwork bool
}

func doctorCommand(c *console) *cli.Command {
	var given doctorOptions
	return &cli.Command{
		Name: "doctor", Description: described(doctorHelp),
		Usage: "test models, keys and search backends, and say how to correct those that do not work",
		Flags: slices.Concat(
			configurationFlags(&given.settings),
			[]cli.Flag{
				runsDirFlag(&given.runsDir),
				configFlag(&given.settings),
				&cli.BoolFlag{
					Name: "no-network", Destination: &given.noNetwork,
					Usage: "do not use the network",
				},
			},
			figureFlags(&given.resultOptions),
		),
		Action: takes(&given.arguments, "", c.withOutput(&given.arguments, &given.resultOptions,
			func(ctx context.Context, o *output) error {
				return c.doctorAction(ctx, &given, o)
			}, &given.corpus, &given.file)),
	}
}

//go:embed help/init.txt
var initHelp string

// initOptions holds the arguments and flags of concur init.
type initOptions struct {
	arguments

	quiet bool
}

func initCommand(c *console) *cli.Command {
	var given initOptions
	return &cli.Command{
		Name: "init", ArgsUsage: "[FOLDER]", Description: described(initHelp),
		Usage:           "write queries, a baseline and a CI workflow to start with",
		HideHelpCommand: true, // a folder may be called help
		Flags: []cli.Flag{
			quietFlag(&given.quiet),
		},
		Action: takes(&given.arguments, "one folder", func(ctx context.Context) error {
			return c.initAction(ctx, &given)
		}),
	}
}
