package main

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/completion"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
)

// permute moves flags before positional arguments, because the parser stops at the first argument that is not a
// flag. Arguments after "--" are positional.
func permute(app *cli.App, args []string) []string {
	if len(args) < 2 || args[len(args)-1] == completion.Request {
		return args
	}
	out := args[:1:1]
	rest := args[1:]
	commands, known := app.Commands, app.Flags
	for len(rest) > 0 { // go down to the last named command
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(rest[0]) })
		if i < 0 {
			break
		}
		known = commands[i].Flags
		commands = commands[i].Subcommands
		out = append(out, rest[0])
		rest = rest[1:]
	}
	var options, positional []string
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		switch {
		case arg == "--":
			positional = append(positional, rest...)
			rest = nil
		case len(arg) < 2 || arg[0] != '-':
			positional = append(positional, arg)
		default:
			options = append(options, arg)
			flag := flags.Named(known, strings.TrimLeft(arg, "-")) // nil for name=value
			if _, boolean := flag.(*cli.BoolFlag); flag != nil && !boolean && len(rest) > 0 {
				options = append(options, rest[0])
				rest = rest[1:]
			}
		}
	}
	if len(positional) == 0 {
		return append(out, options...)
	}
	if len(commands) > 0 && len(options) == 0 {
		return append(out, positional...) // the parser refuses an unknown subcommand
	}
	return slices.Concat(out, options, []string{"--"}, positional)
}

func printCompletion(c *console.Console, shell string, app *cli.App) error {
	script, known := completion.Script(shell, app)
	if !known {
		return console.Usagef("completion takes a shell: bash, zsh or fish")
	}
	_, err := fmt.Fprintln(c.Out, script)
	return err
}

//go:embed help/completion.txt
var completionHelp string

func completionCommand(c *console.Console) *cli.Command {
	var given flags.Arguments
	return &cli.Command{
		Name: "completion", ArgsUsage: "bash|zsh|fish", Description: flags.Described(completionHelp),
		Usage: "print a script that completes commands and flags in a shell",
		Action: func(ctx *cli.Context) error {
			script := func(context.Context) error { return printCompletion(c, given.Word(0), ctx.App) }
			return flags.Takes(&given, "a shell: bash, zsh or fish", script)(ctx)
		},
	}
}
