package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// permute moves flags before positional arguments, so that they may stand anywhere: the
// parser stops at the first argument that is no flag. Everything behind "--" stays as it
// is.
func permute(app *cli.App, args []string) []string {
	if len(args) < 2 || args[len(args)-1] == completionFlag {
		return args
	}
	out := args[:1:1]
	rest := args[1:]
	commands, flags := app.Commands, app.Flags
	for len(rest) > 0 { // walk down to the last command that is named
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(rest[0]) })
		if i < 0 {
			break
		}
		flags = commands[i].Flags
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
			if takesValue(flags, arg) && len(rest) > 0 {
				options = append(options, rest[0])
				rest = rest[1:]
			}
		}
	}
	if len(positional) == 0 {
		return append(out, options...)
	}
	if len(commands) > 0 && len(options) == 0 {
		return append(out, positional...) // an unknown subcommand, for the parser to refuse
	}
	return slices.Concat(out, options, []string{"--"}, positional)
}

// takesValue reports whether the argument behind a flag belongs to it.
func takesValue(flags []cli.Flag, arg string) bool {
	name := strings.TrimLeft(arg, "-")
	if strings.Contains(name, "=") {
		return false
	}
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			_, boolean := f.(*cli.BoolFlag)
			return !boolean
		}
	}
	return false
}
