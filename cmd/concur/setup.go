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

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/doctor"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/cmd/concur/hubbing"
	"github.com/seed-5817661a/concur/cmd/concur/reading"
	"github.com/seed-5817661a/concur/cmd/concur/running"
	"github.com/seed-5817661a/concur/cmd/concur/starter"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

func initAction(ctx context.Context, c *console.Console, given *initOptions) error {
	folder := filepath.Clean(given.Word(0)) // "." if no folder is given
	silent, shown := *c, flags.ReportOptions{}
	silent.Out, silent.Err = io.Discard, io.Discard // init prints its own messages
	o := &console.Output{Format: console.FormatTable, Stdout: io.Discard, Environ: c.Environ, Signals: c.Listen()}
	defer o.Signals.Stop()
	run := func(d runner.Draft, dir string) (run *store.Run, err error) {
		err = c.Assembler.While(ctx, d, assemble.Options{}, func(ctx context.Context, s *assemble.Session) error {
			out, err := store.Create(dir, s.Manifest())
			if err != nil {
				return err
			}
			if err := running.Execute(ctx, &silent, s, out, nil, o,
				running.Execution{How: reading.Reporting(&shown)}); err != nil {
				return err
			}
			run, err = store.Open(out.Dir())
			return err
		})
		return run, err
	}
	queries, err := starter.Starter{Version: version, Commit: commit, Run: run,
		Bar: c.Progress(given.quiet).Bar}.Write(ctx, folder)
	if console.ExitCode(err) == console.ExitInterrupted {
		return console.WithCode(console.ExitInterrupted, errors.New("interrupted; nothing was written"))
	}
	if err != nil {
		return err
	}
	if _, err := fmt.Fprint(c.Out, document.PrintableLines(starter.Introduction(folder, queries))); err != nil {
		return console.WithCode(console.ExitInvalid, fmt.Errorf("write to standard output: %w; the files are written", err))
	}
	return nil
}

func doctorAction(ctx context.Context, c *console.Console, version string, given *doctorOptions,
	o *console.Output) error {
	d := &doctor.Examination{Assembler: c.Assembler, Network: !given.noNetwork}
	conf, err := flags.ReadConfiguration(c, &given.Settings, "")
	d.Tried("configuration", cmp.Or(given.ConfigurationFile(), "defaults"), true, err,
		"correct the file or the flag that it names")
	if err != nil {
		conf = config.New().Completed() // continue the checks with the defaults
	}
	d.Tried("runs folder", given.runsDir, true, store.Check(given.runsDir),
		"choose a folder that can be written with --runs-dir")
	d.Variables(c.VariableFile, c.FromFile, c.InEnvironment)
	d.Try(ctx, conf)
	if err := given.hub.Complete(&given.Settings); err != nil {
		d.Tried("hub", "URL", true, err, "")
	} else if given.hub.URL != "" {
		d.Hub(ctx, hubbing.LinkOptions(c, &given.hub, nil), version)
	}
	d.Exposed(exposure(c, d.Checks))
	if given.sandboxes {
		d.Sandboxes(ctx, c.Environ, given.runsDir)
	}
	err = o.Deliver(func() error {
		if o.Format == console.FormatJSON {
			return listing.WriteChecksJSON(o, d.Checks)
		}
		return listing.WriteChecks(o, d.Checks, o.Screen(false))
	})
	if err == nil && d.Failed() {
		return console.Usagef("something that the configuration needs does not work; read in the table how to fix it")
	}
	return err
}

// exposure returns the places where other programs may find the keys.
func exposure(c *console.Console, checks []listing.Check) doctor.Exposure {
	folder, _ := os.Getwd() // "" if it was removed
	e := doctor.Exposure{Keys: map[string]string{}, Parent: os.Getppid(), Folder: folder, Failed: c.Exposed}
	for _, check := range checks {
		if value := strings.TrimSpace(c.Environ(check.Name)); check.What == "key" && value != "" {
			e.Keys[check.Name] = value
		}
	}
	for _, v := range c.FromFile {
		if !c.InEnvironment(v.Name) && len(secret.OfVariable(v.Name, v.Value)) > 0 {
			e.Keys[v.Name] = v.Value
		}
	}
	return e
}

//go:embed help/doctor.txt
var doctorHelp string

// doctorOptions holds the arguments and flags of concur doctor.
type doctorOptions struct {
	flags.Arguments
	flags.Settings
	flags.ResultOptions

	runsDir   string
	noNetwork bool
	sandboxes bool
	hub       flags.HubOptions
}

func doctorCommand(c *console.Console, version string) *cli.Command {
	var given doctorOptions
	return &cli.Command{
		Name: "doctor", Description: flags.Described(doctorHelp),
		Usage: "test models, keys and search backends, and say how to correct those that do not work",
		Flags: slices.Concat(
			flags.ConfigurationGroup(&given.Settings),
			[]cli.Flag{
				flags.RunsDir(&given.runsDir),
				flags.Config(&given.Settings),
				&cli.BoolFlag{
					Name: "no-network", Destination: &given.noNetwork,
					Usage: "do not use the network",
				},
				&cli.BoolFlag{
					Name: "sandbox", Destination: &given.sandboxes,
					Usage: "attack the sandboxes of this machine, and report which bounds hold",
				},
			},
			append([]cli.Flag{flags.Hub(&given.hub, "test the hub at `URL`: its limits, workers and runs", "none is tested")},
				flags.ConnectionGroup(&given.hub)...),
			flags.FigureGroup(&given.ResultOptions),
		),
		Action: flags.Takes(&given.Arguments, "", flags.WithOutput(c, &given.Arguments, &given.ResultOptions,
			func(ctx context.Context, o *console.Output) error {
				return doctorAction(ctx, c, version, &given, o)
			}, &given.Corpus, &given.File)),
	}
}

//go:embed help/init.txt
var initHelp string

// initOptions holds the arguments and flags of concur init.
type initOptions struct {
	flags.Arguments

	quiet bool
}

func initCommand(c *console.Console) *cli.Command {
	var given initOptions
	return &cli.Command{
		Name: "init", ArgsUsage: "[FOLDER]", Description: flags.Described(initHelp),
		Usage:           "write queries, a baseline and a CI workflow to start with",
		HideHelpCommand: true, // a folder may be called help
		Flags: []cli.Flag{
			flags.Quiet(&given.quiet),
		},
		Action: flags.Takes(&given.Arguments, "one folder", func(ctx context.Context) error {
			return initAction(ctx, c, &given)
		}),
	}
}
