package flags

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/internal/text"
)

// Named returns the flag with this name, or nil.
func Named(flags []cli.Flag, name string) cli.Flag {
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

// UnknownCommand returns the error for a word that is no command, with the most similar command.
func UnknownCommand(ctx *cli.Context, above string, commands []*cli.Command) error {
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

// UsageError returns an error of the parser in the words of concur, with the --help to read.
func UsageError(ctx *cli.Context, err error, _ bool) error {
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
		said := "there is no flag " + Dashed(m[1])
		there := otherWords()[Dashed(m[1])]
		if flag, isFlag := strings.CutPrefix(there, "--"); isFlag && slices.Contains(known, flag) {
			return said + "; did you mean " + Dashed(flag) + "?"
		} else if there != "" && !isFlag {
			return said + ": " + there
		}
		if meant := strictyaml.Closest(m[1], known); meant != "" {
			said += "; did you mean " + Dashed(meant) + "?"
		}
		return said
	}
	if m := withoutValue.FindStringSubmatch(complaint); m != nil {
		return Dashed(m[1]) + " needs a value"
	}
	if m := wrongFlag.FindStringSubmatch(complaint); m != nil {
		return fmt.Sprintf("%s %q: it must be %s", Dashed(m[2]), m[1], kindOf(m[2], flags))
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

// Dashed returns the name of a flag as people write it.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func kindOf(name string, flags []cli.Flag) string {
	switch Named(flags, name).(type) {
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
