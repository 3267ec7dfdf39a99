package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// commands are all that there are, in the order of --help.
func (c *console) commands() []*cli.Command {
	all := []*cli.Command{
		runCommand(c), ablateCommand(c), compareCommand(c), planCommand(c), scoreCommand(c), gateCommand(c), baselineCommand(c),
		askCommand(c), reportCommand(c), exportCommand(c), importCommand(c), rejudgeCommand(c), labelCommand(c),
		judgeCommand(c), playbookCommand(c), traceCommand(c), runsCommand(c), mergeCommand(c), viewCommand(c),
		toolsCommand(c), datasetsCommand(c), memoryCommand(c), serveCommand(c), mcpCommand(c), doctorCommand(c), initCommand(c), completionCommand(c), versionCommand(c),
	}
	explainMistakes(all)
	return all
}

// explainMistakes has the mistakes in flags of commands, and of those below them, explained in words.
func explainMistakes(commands []*cli.Command) {
	for _, command := range commands {
		command.OnUsageError = usageError
		explainMistakes(command.Subcommands)
	}
}

// described is the description of a command; of the pairs the first is replaced by the second.
func described(help string, pairs ...string) string {
	return strings.TrimSpace(strings.NewReplacer(pairs...).Replace(help))
}

// arguments are the words of a command line that are no flags, and the names of the flags that stand on it.
type arguments struct {
	words []string
	flags []lineFlag
}

// lineFlag is a flag that stands on the command line, with its value.
type lineFlag struct {
	name  string
	value any
}

// has reports whether one of some flags stands on the command line: their variables do not count.
func (a *arguments) has(names ...string) bool {
	return slices.ContainsFunc(a.flags, func(f lineFlag) bool { return slices.Contains(names, f.name) })
}

// word is the argument at a place, counted from 0, or "".
func (a *arguments) word(i int) string {
	if i < len(a.words) {
		return a.words[i]
	}
	return ""
}

// takes is an action after its arguments are checked by the command's ArgsUsage: those in brackets may be left
// out, and one with an ellipsis repeated. With one of the flags in instead, all may be left out.
// what says in an error what the command takes; "" is the ArgsUsage.
func takes(given *arguments, what string, action func(context.Context) error, instead ...*string) cli.ActionFunc {
	return func(ctx *cli.Context) error {
		command := ctx.Command
		if len(command.Subcommands) > 1 && command.ArgsUsage == "" && ctx.Args().Present() { // help is one of them
			return unknownCommand(ctx, command.HelpName, command.Subcommands)
		}
		given.words, given.flags = ctx.Args().Slice(), nil
		for _, name := range ctx.LocalFlagNames() {
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
		return usagef("%s takes %s", strings.TrimPrefix(command.HelpName, "concur "), wants)
	}
}

var optionalArguments = regexp.MustCompile(`\[.*?\]`)

// showCommands is the action of a command that only has others below it.
func showCommands(ctx *cli.Context) error {
	if ctx.Args().Present() {
		return unknownCommand(ctx, ctx.Command.HelpName, ctx.Command.Subcommands)
	}
	return cli.ShowSubcommandHelp(ctx)
}

// stored keeps the value of a flag that is given; without it the pointer stays nil.
func stored[T any](at **T) func(*cli.Context, T) error {
	return func(_ *cli.Context, value T) error {
		*at = &value
		return nil
	}
}

// filled is a flag whose value may not be empty: a script's variable may be, and the command would do something else.
func filled(f *cli.StringFlag) cli.Flag {
	f.Action = func(_ *cli.Context, given string) error {
		if strings.TrimSpace(given) == "" {
			return usagef("--%s is empty: give a value, or leave it out", f.Name)
		}
		return nil
	}
	return f
}

// noted keeps that a flag, which has a default, is given.
func noted(given *bool) func(*cli.Context, string) error {
	return func(*cli.Context, string) error {
		*given = true
		return nil
	}
}

// listed keeps the values of a flag that may be given several times or as a list with commas.
func listed(at *[]string) func(*cli.Context, []string) error {
	return func(_ *cli.Context, values []string) error {
		*at = items(values)
		return nil
	}
}

// repeated keeps the values of a flag that may be given several times.
func repeated(at *[]string) func(*cli.Context, []string) error {
	return func(_ *cli.Context, values []string) error {
		*at = values
		return nil
	}
}

// items are values, or lists of them with commas, one by one.
func items(values []string) []string {
	out := []string{}
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}

// choice is a flag that takes one of some values, the first without it.
func choice(at *string, f *cli.StringFlag, values ...string) cli.Flag {
	f.Value, f.Destination = values[0], at
	f.Action = func(_ *cli.Context, given string) error {
		if !slices.Contains(values, given) {
			return usagef("--%s %q is not known here: %s", f.Name, given, strings.Join(values, ", "))
		}
		return nil
	}
	return f
}

// or is the value of a flag that may not be given.
func or[T any](given *T, otherwise T) T {
	if given != nil {
		return *given
	}
	return otherwise
}
