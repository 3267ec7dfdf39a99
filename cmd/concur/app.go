package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/completion"
	"github.com/seed-5817661a/concur/internal/dotenv"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/internal/stdlog"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/assemble"
)

// run runs the command with its arguments in a process, and returns the exit code.
func run(args []string, c console) int {
	out := newCountedWriter(c.out)
	c.out, c.err, c.assembler = out, newCountedWriter(c.err),
		assemble.New(c.environ, assemble.Build{Version: version, Commit: commit})
	c.args, c.keys = args, secret.OfEnvironment(c.variables)
	c.assembler.GuardKeys(c.keys)
	app := c.app()
	failure := refuseKeys(args, c.variables, c.keys)
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
	message := secret.Redact(secret.New(c.keys...).Hide(failure.Error()))
	fmt.Fprintf(c.err, "concur: %s\n", document.PrintableLines(message))
	if out.bytes == 0 && wantsJSON(args, c.environ) {
		err := json.NewEncoder(out).Encode(errorDocument{"concur/error/v1", message, exitCode(failure)})
		if err != nil {
			fmt.Fprintf(c.err, "concur: write to standard output: %v\n", err)
		}
	}
	return exitCode(failure)
}

// refuseKeys returns an error if a key is in the arguments or in a CONCUR_ variable. Reason: other programs can
// see the arguments, shells store them, and runs record them. The key of serve is allowed.
func refuseKeys(args, variables, keys []string) error {
	if place := secret.Place(args, variables, keys, "--key", "CONCUR_SERVE_KEY"); place != "" {
		return usagef("%s looks like a key, and other programs see it and runs record it: export it as the variable "+
			"that its endpoint reads", place)
	}
	return nil
}

// variableFile is the name of the file of variables in the folder of the configuration file.
const variableFile = ".env"

// readVariables reads the file of variables in the folder of a configuration file, "" for none. They are for the
// Assembler only: flags and all other parts of concur read the environment itself, so that no value is recorded.
func (c *console) readVariables(file string) error {
	if file == "" {
		return nil
	}
	c.variableFile = filepath.Join(filepath.Dir(file), variableFile)
	var err error
	if c.fromFile, err = dotenv.Read(c.variableFile, c.environ); err != nil {
		return usagef("%w", err)
	}
	add, assignments := map[string]string{}, []string(nil)
	for _, v := range c.fromFile {
		if strings.HasPrefix(v.Name, "CONCUR_") {
			return usagef("%s:%d: %s sets a flag, and flags are not read from this file: export it, or set its key in %s",
				c.variableFile, v.Line, v.Name, filepath.Base(file))
		}
		if !c.inEnvironment(v.Name) {
			add[v.Name] = v.Value
			assignments = append(assignments, v.Name+"="+v.Value)
		}
	}
	keys := secret.OfEnvironment(assignments)
	for name, value := range add {
		if !secret.Named(name) && len(secret.Likely(value))+len(secret.Random(value)) > 0 {
			keys = append(keys, value)
		}
	}
	c.keys = append(c.keys, keys...)
	c.assembler.GuardKeys(c.keys)
	c.assembler.AddVariables(add)
	stdlog.Hide(secret.New(c.keys...))
	return refuseKeys(c.args, nil, keys)
}

// inEnvironment reports whether a variable is set in the environment, also if its value is empty.
func (c *console) inEnvironment(name string) bool {
	return c.environ(name) != "" || slices.ContainsFunc(c.variables, func(variable string) bool {
		return strings.HasPrefix(variable, name+"=")
	})
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
