package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/completion"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/assemble"
)

// run runs the command with its arguments in a process, and returns the exit code.
func run(args []string, c console) int {
	out := newCountedWriter(c.out)
	c.out, c.err, c.assembler = out, newCountedWriter(c.err),
		assemble.New(c.environ, assemble.Build{Version: version, Commit: commit})
	keys := secret.OfEnvironment(c.variables)
	c.assembler.GuardKeys(keys)
	app := c.app()
	failure := refuseKeys(args, c.variables, keys)
	if words := completion.Values(app, args); len(words) > 0 {
		fmt.Fprintln(c.out, strings.Join(words, "\n"))
		return exitOK
	}
	if failure == nil {
		args := permute(app, args)
		app.Metadata = map[string]any{namesOnLine: flagNames(args)}
		failure = explainDisk(app.Run(args))
	}
	if failure == nil {
		return exitOK
	}
	message := secret.Redact(secret.New(keys...).Hide(failure.Error()))
	fmt.Fprintf(c.err, "concur: %s\n", document.PrintableLines(message))
	if out.bytes == 0 && wantsJSON(args, c.environ) {
		err := json.NewEncoder(out).Encode(errorDocument{"concur/error/v1", message, exitCode(failure)})
		if err != nil {
			fmt.Fprintf(c.err, "concur: write to standard output: %v\n", err)
		}
	}
	return exitCode(failure)
}

// refuseKeys returns an error if a key is in the arguments or in a CONCUR_ variable, except that of serve:
// other programs can see the arguments, shells store them, and runs record them.
func refuseKeys(args, variables, keys []string) error {
	if place := secret.Place(args, variables, keys, "--key", "CONCUR_SERVE_KEY"); place != "" {
		return usagef("%s looks like a key, which others see and runs record: export it as the variable that its endpoint "+
			"reads", place)
	}
	return nil
}

//go:embed help/concur.txt
var concurHelp string

func (c *console) app() *cli.App {
	var version bool
	return &cli.App{
		Name:                      "concur",
		Usage:                     "self-consistency evaluation of tool-using language-model agents",
		Description:               described(concurHelp),
		Reader:                    c.in,
		Writer:                    c.out,
		ErrWriter:                 c.err,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		EnableBashCompletion:      true,
		ExitErrHandler:            func(*cli.Context, error) {}, // run returns the exit code
		OnUsageError:              usageError,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "version", Destination: &version,
			DisableDefaultText: true, Usage: "print version, commit and platform"}},
		Action: func(ctx *cli.Context) error {
			if version {
				return c.printVersion()
			}
			if ctx.Args().Present() {
				return unknownCommand(ctx, "concur", ctx.App.Commands)
			}
			return cli.ShowAppHelp(ctx)
		},
		Commands: c.commands(),
	}
}
