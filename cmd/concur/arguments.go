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
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/internal/text"
)

// permute moves flags before positional arguments, because the parser stops at the first argument that is not a
// flag. Arguments after "--" are positional.
func permute(app *cli.App, args []string) []string {
	if len(args) < 2 || args[len(args)-1] == completion.Request {
		return args
	}
	out := args[:1:1]
	rest := args[1:]
	commands, flags := app.Commands, app.Flags
	for len(rest) > 0 { // go down to the last named command
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
			flag := flagNamed(flags, strings.TrimLeft(arg, "-")) // nil for name=value
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

// flagNamed returns the flag with this name, or nil.
func flagNamed(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// These expressions match the parser's errors, which name a flag without its dashes, and a value in strconv's
// words.
var (
	unknownFlag  = lazy.Compile(`^flag provided but not defined: -+(.+)$`)
	withoutValue = lazy.Compile(`^flag needs an argument: -+(.+)$`)
	wrongFlag    = lazy.Compile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-+([^:]+): `)
	wrongEnv     = lazy.Compile(`(?s)^could not parse "(.*)" as .* from environment variable "(.+)" for flag ([^:]+): `)
)

func unknownCommand(ctx *cli.Context, above string, commands []*cli.Command) error {
	var known []string
	for _, c := range commands {
		known = append(known, c.Name)
	}
	word, hint := ctx.Args().First(), ""
	if there := otherWords()[word]; there != "" {
		hint = there + "; "
	} else if meant := strictyaml.Closest(word, known); meant != "" {
		hint = fmt.Sprintf("did you mean %q? ", strings.TrimPrefix(above+" "+meant, "concur "))
	}
	return console.Usagef("there is no command %q; %s`%s --help` lists them", strings.TrimPrefix(above+" "+word,
		"concur "),
		hint, above)
}

func usageError(ctx *cli.Context, err error, _ bool) error {
	name := ctx.Command.HelpName // includes the names of the commands above it
	flags := ctx.Command.Flags
	if name == "" {
		name, flags = "concur", ctx.App.Flags
	}
	return console.Usagef("%s; see `%s --help`", inWords(err.Error(), flags), name)
}

func inWords(complaint string, flags []cli.Flag) string {
	if m := unknownFlag.FindStringSubmatch(complaint); m != nil {
		var known []string
		for _, f := range flags {
			known = append(known, f.Names()...)
		}
		said := "there is no flag " + dashed(m[1])
		there := otherWords()[dashed(m[1])]
		if flag, isFlag := strings.CutPrefix(there, "--"); isFlag && slices.Contains(known, flag) {
			return said + "; did you mean " + dashed(flag) + "?"
		} else if there != "" && !isFlag {
			return said + ": " + there
		}
		if meant := strictyaml.Closest(m[1], known); meant != "" {
			said += "; did you mean " + dashed(meant) + "?"
		}
		return said
	}
	if m := withoutValue.FindStringSubmatch(complaint); m != nil {
		return dashed(m[1]) + " needs a value"
	}
	if m := wrongFlag.FindStringSubmatch(complaint); m != nil {
		return fmt.Sprintf("%s %q: it must be %s", dashed(m[2]), m[1], kindOf(m[2], flags))
	}
	if m := wrongEnv.FindStringSubmatch(complaint); m != nil {
		return fmt.Sprintf("%s is %q: it must be %s", m[2], m[1], kindOf(m[3], flags))
	}
	return complaint
}

//go:embed otherwords.tsv
var otherWordsTable string

// otherWords returns concur's names for flags and commands of other tools.
func otherWords() map[string]string {
	out := map[string]string{}
	for _, row := range text.Rows(otherWordsTable, 2) {
		out[row[0]] = row[1]
	}
	return out
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func kindOf(name string, flags []cli.Flag) string {
	switch flagNamed(flags, name).(type) {
	case *cli.IntFlag, *cli.Int64Flag:
		return "a whole number"
	case *cli.Float64Flag:
		return "a number"
	case *cli.DurationFlag:
		return "a time such as 30s or 2m"
	case *cli.BoolFlag:
		return "true or false"
	}
	return "another value"
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
	var given arguments
	return &cli.Command{
		Name: "completion", ArgsUsage: "bash|zsh|fish", Description: described(completionHelp),
		Usage: "print a script that completes commands and flags in a shell",
		Action: func(ctx *cli.Context) error {
			script := func(context.Context) error { return printCompletion(c, given.word(0), ctx.App) }
			return takes(&given, "a shell: bash, zsh or fish", script)(ctx)
		},
	}
}
