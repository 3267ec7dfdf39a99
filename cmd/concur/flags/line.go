package flags

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/internal/lazy"
)

// Arguments holds the positional arguments of a command line, and the names of its flags.
type Arguments struct {
	Words []string
	Flags []LineFlag
}

// LineFlag is a flag on the command line, with its value.
type LineFlag struct {
	Name  string
	Value any
}

// NamesOnLine is the key of NamesIn in the metadata of the app. [cli.Context.LocalFlagNames] also returns
// flags that only an environment variable sets.
const NamesOnLine = "names on the command line"

// NamesIn returns the names of arguments that look like flags.
func NamesIn(args []string) (names []string) {
	for _, arg := range args {
		if arg == "--" {
			break
		}
		if name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "="); strings.HasPrefix(arg, "-") && name != "" {
			names = append(names, name)
		}
	}
	return names
}

// flagsOnLine returns the names of the flags on the command line of a command.
func flagsOnLine(ctx *cli.Context) []string {
	line, _ := ctx.App.Metadata[NamesOnLine].([]string)
	var names []string
	for _, flag := range ctx.Command.Flags {
		if slices.ContainsFunc(flag.Names(), func(name string) bool { return slices.Contains(line, name) }) &&
			ctx.IsSet(flag.Names()[0]) {
			names = append(names, flag.Names()...)
		}
	}
	return names
}

// Has reports whether one of these flags is on the command line. A flag that only an environment variable sets
// does not count.
func (a *Arguments) Has(names ...string) bool {
	return slices.ContainsFunc(a.Flags, func(f LineFlag) bool { return slices.Contains(names, f.Name) })
}

// Idle returns an error for the first of these flags on the command line, because it would have no effect. with
// ends the sentence "--flag has no effect", such as "on a question".
func (a *Arguments) Idle(with string, names ...string) error {
	for _, name := range names {
		if a.Has(name) {
			return console.Usagef("%s has no effect %s: leave it out", Dashed(name), with)
		}
	}
	return nil
}

// Word returns the argument with this index, or "".
func (a *Arguments) Word(i int) string {
	if i < len(a.Words) {
		return a.Words[i]
	}
	return ""
}

// Takes returns an action that first checks the arguments by the command's ArgsUsage: an argument in brackets
// is optional, and an argument with an ellipsis may be repeated. If one of the flags in instead is given, all
// arguments are optional. what describes the arguments in an error; if it is "", the error has the ArgsUsage.
func Takes(given *Arguments, what string, action func(context.Context) error, instead ...*string) cli.ActionFunc {
	return func(ctx *cli.Context) error {
		command := ctx.Command
		if len(command.Subcommands) > 1 && command.ArgsUsage == "" && ctx.Args().Present() { // one of the subcommands is help
			return UnknownCommand(ctx, command.HelpName, command.Subcommands)
		}
		given.Words, given.Flags = ctx.Args().Slice(), nil
		for _, name := range flagsOnLine(ctx) {
			given.Flags = append(given.Flags, LineFlag{name, ctx.Value(name)})
		}
		required := optionalArguments.ReplaceAllString(command.ArgsUsage, "")
		least, most := len(strings.Fields(required)), len(strings.Fields(command.ArgsUsage))
		if slices.ContainsFunc(instead, func(flag *string) bool { return *flag != "" }) {
			least = 0
		}
		if strings.Contains(command.ArgsUsage, "…") {
			most = math.MaxInt
		}
		if n := len(given.Words); n >= least && n <= most {
			return action(ctx.Context)
		}
		wants := cmp.Or(what, command.ArgsUsage, "no argument")
		if what == "" && strings.HasPrefix(command.ArgsUsage, "RUN") {
			wants += fmt.Sprintf("; `%s latest` takes the newest run", command.HelpName)
		}
		if len(given.Words) > 0 {
			wants += fmt.Sprintf(" (given: %s)", strings.Join(given.Words, " "))
		}
		return console.Usagef("%s takes %s", strings.TrimPrefix(command.HelpName, "concur "), wants)
	}
}

var optionalArguments = lazy.Compile(`\[.*?\]`)

// ShowCommands is the action of a command that only has subcommands.
func ShowCommands(ctx *cli.Context) error {
	if ctx.Args().Present() {
		return UnknownCommand(ctx, ctx.Command.HelpName, ctx.Command.Subcommands)
	}
	return cli.ShowSubcommandHelp(ctx)
}

// Described returns the description of a command. In each of pairs, the first text is replaced with the second.
func Described(help string, pairs ...string) string {
	return strings.TrimSpace(strings.NewReplacer(pairs...).Replace(help))
}
