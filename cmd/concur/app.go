package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/completion"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/assemble/provider"
)

// run runs the command with its arguments in a process, and returns the exit code.
func run(args []string, c console.Console) int {
	out := console.NewCountedWriter(c.Out)
	c.Out, c.Err, c.Assembler = out, console.NewCountedWriter(c.Err),
		assemble.New(c.Environ, assemble.Build{Version: version, Commit: commit})
	c.Args, c.Keys = args, secret.OfEnvironment(c.Variables)
	c.Assembler.GuardKeys(c.Keys)
	app := newApp(&c)
	failure := console.RefuseKeys(args, c.Variables, c.Keys)
	if words := completion.Values(app, args); len(words) > 0 {
		fmt.Fprintln(c.Out, strings.Join(words, "\n"))
		return console.ExitOK
	}
	if failure == nil {
		args := permute(app, args)
		app.Metadata = map[string]any{flags.NamesOnLine: flags.NamesIn(args)}
		failure = console.ExplainDisk(app.Run(args))
	}
	if failure == nil {
		return console.ExitOK
	}
	message := secret.Redact(secret.New(c.Keys...).Hide(failure.Error()))
	fmt.Fprintf(c.Err, "concur: %s\n", document.PrintableLines(message))
	if out.Bytes == 0 && wantsJSON(args, c.Environ) {
		err := json.NewEncoder(out).Encode(errorDocument{"concur/error/v1", message, console.ExitCode(failure)})
		if err != nil {
			fmt.Fprintf(c.Err, "concur: write to standard output: %v\n", err)
		}
	}
	return console.ExitCode(failure)
}

//go:embed help/concur.txt
var concurHelp string

func newApp(c *console.Console) *cli.App {
	var version bool
	return &cli.App{
		Name:                      "concur",
		Usage:                     "self-consistency evaluation of tool-using language-model agents",
		Description:               flags.Described(concurHelp),
		Reader:                    c.In,
		Writer:                    c.Out,
		ErrWriter:                 c.Err,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		EnableBashCompletion:      true,
		ExitErrHandler:            func(*cli.Context, error) {}, // run returns the exit code
		OnUsageError:              flags.UsageError,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "version", Destination: &version,
			DisableDefaultText: true, Usage: "print version, commit and platform"}},
		Action: func(ctx *cli.Context) error {
			if version {
				return printVersion(c)
			}
			if ctx.Args().Present() {
				return flags.UnknownCommand(ctx, "concur", ctx.App.Commands)
			}
			return cli.ShowAppHelp(ctx)
		},
		Commands: allCommands(c),
	}
}

var formatOption = lazy.Compile(`(?:^| )--?format[= ](\S*)`)

// wantsJSON reports whether the arguments or the environment request JSON. It is for failures that happen
// before flags are parsed.
func wantsJSON(args []string, environ provider.Environ) bool {
	if m := formatOption.FindStringSubmatch(strings.Join(args, " ")); m != nil {
		return m[1] == console.FormatJSON
	}
	return environ("CONCUR_FORMAT") == console.FormatJSON
}

// errorDocument replaces the result after a failure: with --format json, standard output is always one valid
// document.
type errorDocument struct {
	Schema string `json:"schema"`
	Error  string `json:"error"`
	Code   int    `json:"exit_code"`
}
