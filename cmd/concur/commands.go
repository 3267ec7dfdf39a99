package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/completion"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/internal/lazy"
)

// allCommands returns all commands, in the order of --help.
func allCommands(c *console.Console) []*cli.Command {
	all := []*cli.Command{
		runCommand(c), ablateCommand(c), attackCommand(c), compareCommand(c), planCommand(c), scoreCommand(c),
		gateCommand(c), baselineCommand(c),
		askCommand(c), reportCommand(c), exportCommand(c), importCommand(c), rejudgeCommand(c), labelCommand(c),
		judgeCommand(c), playbookCommand(c), traceCommand(c), runsCommand(c), mergeCommand(c), viewCommand(c),
		toolsCommand(c), datasetsCommand(c), memoryCommand(c), serveCommand(c), mcpCommand(c), doctorCommand(c),
		initCommand(c), completionCommand(c), versionCommand(c),
	}
	finishCommands(c, all)
	return all
}

// finishCommands adds to commands and their subcommands the behaviour that all have in common: errors in flags are
// explained, --help shows no default for a flag that is off, and an empty value is an error. Commands with a
// configuration file read the variables beside it first.
func finishCommands(c *console.Console, commands []*cli.Command) {
	for _, command := range commands {
		command.OnUsageError = usageError
		for _, flag := range command.Flags {
			switch f := flag.(type) {
			case *cli.BoolFlag:
				f.DisableDefaultText = !f.Value
			case *cli.StringFlag:
				f.Action = filled(f.Name, f.EnvVars, f.Action)
				if f.Name == flagConfig {
					command.Before = func(ctx *cli.Context) error {
						given := settings{file: ctx.String(flagConfig)}
						return c.ReadVariables(given.configurationFile())
					}
				}
			case *completion.WordFlag:
				f.Action = filled(f.Name, f.EnvVars, f.Action)
			case *cli.StringSliceFlag:
				f.Action = filled(f.Name, f.EnvVars, f.Action)
			}
		}
		finishCommands(c, command.Subcommands)
	}
}

// withDefault returns the flags with another default in --help.
func withDefault(text string, flags ...cli.Flag) []cli.Flag {
	for _, flag := range flags {
		switch f := flag.(type) {
		case *cli.StringFlag:
			f.DefaultText = text
		case *completion.WordFlag:
			f.DefaultText = text
		case *cli.StringSliceFlag:
			f.DefaultText = text
		case *cli.IntFlag:
			f.DefaultText = text
		case *cli.Float64Flag:
			f.DefaultText = text
		case *cli.DurationFlag:
			f.DefaultText = text
		}
	}
	return flags
}

// described returns the description of a command. In each of pairs, the first text is replaced with the second.
func described(help string, pairs ...string) string {
	return strings.TrimSpace(strings.NewReplacer(pairs...).Replace(help))
}

// arguments holds the positional arguments of a command line, and the names of its flags.
type arguments struct {
	words []string
	flags []lineFlag
}

// lineFlag is a flag on the command line, with its value.
type lineFlag struct {
	name  string
	value any
}

// namesOnLine is the key of flagNames in the metadata of the app. [cli.Context.LocalFlagNames] also returns
// flags that only an environment variable sets.
const namesOnLine = "names on the command line"

// flagNames returns the names of arguments that look like flags.
func flagNames(args []string) (names []string) {
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
	line, _ := ctx.App.Metadata[namesOnLine].([]string)
	var names []string
	for _, flag := range ctx.Command.Flags {
		if slices.ContainsFunc(flag.Names(), func(name string) bool { return slices.Contains(line, name) }) &&
			ctx.IsSet(flag.Names()[0]) {
			names = append(names, flag.Names()...)
		}
	}
	return names
}

// has reports whether one of these flags is on the command line. A flag that only an environment variable sets
// does not count.
func (a *arguments) has(names ...string) bool {
	return slices.ContainsFunc(a.flags, func(f lineFlag) bool { return slices.Contains(names, f.name) })
}

// idle returns an error for the first of these flags on the command line, because it would have no effect. with
// ends the sentence "--flag has no effect", such as "on a question".
func (a *arguments) idle(with string, names ...string) error {
	for _, name := range names {
		if a.has(name) {
			return console.Usagef("%s has no effect %s: leave it out", dashed(name), with)
		}
	}
	return nil
}

// word returns the argument with this index, or "".
func (a *arguments) word(i int) string {
	if i < len(a.words) {
		return a.words[i]
	}
	return ""
}

// takes returns an action that first checks the arguments by the command's ArgsUsage: an argument in brackets
// is optional, and an argument with an ellipsis may be repeated. If one of the flags in instead is given, all
// arguments are optional. what describes the arguments in an error; if it is "", the error has the ArgsUsage.
func takes(given *arguments, what string, action func(context.Context) error, instead ...*string) cli.ActionFunc {
	return func(ctx *cli.Context) error {
		command := ctx.Command
		if len(command.Subcommands) > 1 && command.ArgsUsage == "" && ctx.Args().Present() { // one of the subcommands is help
			return unknownCommand(ctx, command.HelpName, command.Subcommands)
		}
		given.words, given.flags = ctx.Args().Slice(), nil
		for _, name := range flagsOnLine(ctx) {
			given.flags = append(given.flags, lineFlag{name, ctx.Value(name)})
		}
		required := optionalArguments.ReplaceAllString(command.ArgsUsage, "")
		least, most := len(strings.Fields(required)), len(strings.Fields(command.ArgsUsage))
		if slices.ContainsFunc(instead, func(flag *string) bool { return *flag != "" }) {
			least = 0
		}
		if strings.Contains(command.ArgsUsage, "…") {
			most = math.MaxInt
		}
		if n := len(given.words); n >= least && n <= most {
			return action(ctx.Context)
		}
		wants := cmp.Or(what, command.ArgsUsage, "no argument")
		if what == "" && strings.HasPrefix(command.ArgsUsage, "RUN") {
			wants += fmt.Sprintf("; `%s latest` takes the newest run", command.HelpName)
		}
		if len(given.words) > 0 {
			wants += fmt.Sprintf(" (given: %s)", strings.Join(given.words, " "))
		}
		return console.Usagef("%s takes %s", strings.TrimPrefix(command.HelpName, "concur "), wants)
	}
}

var optionalArguments = lazy.Compile(`\[.*?\]`)

// showCommands is the action of a command that only has subcommands.
func showCommands(ctx *cli.Context) error {
	if ctx.Args().Present() {
		return unknownCommand(ctx, ctx.Command.HelpName, ctx.Command.Subcommands)
	}
	return cli.ShowSubcommandHelp(ctx)
}

// stored returns an action that stores the value of a flag; if the flag is not given, the pointer stays nil.
func stored[T any](at **T) func(*cli.Context, T) error {
	return func(_ *cli.Context, value T) error {
		*at = &value
		return nil
	}
}

// filled returns an action that first checks that no value of a flag is empty. The variable of a script may be
// empty, and the command would then do something that its author did not mean.
func filled[T string | []string](name string, variables []string,
	then func(*cli.Context, T) error) func(*cli.Context, T) error {
	return func(ctx *cli.Context, given T) error {
		values, several := any(given).([]string)
		if !several {
			values = []string{any(given).(string)}
		}
		for _, value := range values {
			if strings.TrimSpace(value) != "" {
				continue
			}
			if slices.Contains(flagsOnLine(ctx), name) {
				return console.Usagef("%s is empty: give a value, or leave the flag out", dashed(name))
			}
			return console.Usagef("%s is blank: give it a value, or unset it", strings.Join(variables, ", "))
		}
		if then == nil {
			return nil
		}
		return then(ctx, given)
	}
}

// noted returns an action that records that a flag with a default is given.
func noted(given *bool) func(*cli.Context, string) error {
	return func(*cli.Context, string) error {
		*given = true
		return nil
	}
}

// listed returns an action that stores the values of a flag that may be given several times, or as a list with
// commas.
func listed(name string, at *[]string) func(*cli.Context, []string) error {
	return func(_ *cli.Context, values []string) (err error) {
		*at, err = items(name, values)
		return err
	}
}

// repeated returns an action that stores the values of a flag that may be given several times.
func repeated(at *[]string) func(*cli.Context, []string) error {
	return func(_ *cli.Context, values []string) error {
		*at = values
		return nil
	}
}

// items returns the values of a flag one by one. A value may be a list with commas. An empty item is an error,
// because it is probably a variable that has no value.
func items(name string, values []string) ([]string, error) {
	out := []string{}
	for _, list := range values {
		for item := range strings.SplitSeq(list, ",") {
			if item = strings.TrimSpace(item); item == "" {
				return nil, console.Usagef("%s %q has an empty item: fill it in, or remove its comma", dashed(name), list)
			}
			out = append(out, item)
		}
	}
	return out, nil
}

// choice returns a flag with a fixed set of values; the first one is the default.
func choice(at *string, f *cli.StringFlag, values ...string) cli.Flag {
	f.Value, f.Destination = values[0], at
	f.Action = func(_ *cli.Context, given string) error {
		if !slices.Contains(values, given) {
			return console.Usagef("--%s %q is not known here: %s", f.Name, given, strings.Join(values, ", "))
		}
		return nil
	}
	return &completion.WordFlag{StringFlag: f, Words: values}
}

// valueOr returns the value of a flag; otherwise if the flag is not given.
func valueOr[T any](given *T, otherwise T) T {
	if given != nil {
		return *given
	}
	return otherwise
}
