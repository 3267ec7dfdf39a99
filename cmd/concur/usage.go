package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// The complaints of the parser of flags, which name a flag without its dashes and a value by
// what strconv says of it.
var (
	unknownFlag  = regexp.MustCompile(`^flag provided but not defined: -+(.+)$`)
	withoutValue = regexp.MustCompile(`^flag needs an argument: -+(.+)$`)
	wrongFlag    = regexp.MustCompile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-+([^:]+): `)
	wrongEnv     = regexp.MustCompile(`(?s)^could not parse "(.*)" as .* from environment variable "(.+)" for flag ([^:]+): `)
)

// unknownCommand says that there is no such command, and which was meant.
func unknownCommand(ctx *cli.Context, above string, commands []*cli.Command) error {
	var known []string
	for _, c := range commands {
		known = append(known, c.Name)
	}
	given, hint := ctx.Args().First(), ""
	if meant := strictyaml.Closest(given, known); meant != "" {
		hint = fmt.Sprintf("did you mean %q? ", strings.TrimPrefix(above+" "+meant, "concur "))
	}
	return usagef("there is no command %q; %s`%s --help` lists them", strings.TrimPrefix(above+" "+given, "concur "), hint, above)
}

// usageError says what is wrong with a command line, and which flag was meant.
func usageError(ctx *cli.Context, err error, _ bool) error {
	name := ctx.Command.HelpName // with the commands above it
	flags := ctx.Command.Flags
	if name == "" {
		name, flags = "concur", ctx.App.Flags
	}
	return usagef("%s; see `%s --help`", inWords(err.Error(), flags), name)
}

func inWords(complaint string, flags []cli.Flag) string {
	if m := unknownFlag.FindStringSubmatch(complaint); m != nil {
		var known []string
		for _, f := range flags {
			known = append(known, f.Names()...)
		}
		text := "there is no flag " + dashed(m[1])
		if meant := strictyaml.Closest(m[1], known); meant != "" {
			text += "; did you mean " + dashed(meant) + "?"
		}
		return text
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

// dashed is a flag as it is typed.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// kindOf says what values a flag takes.
func kindOf(name string, flags []cli.Flag) string {
	for _, f := range flags {
		for _, n := range f.Names() {
			if n != name {
				continue
			}
			switch f.(type) {
			case *cli.IntFlag, *cli.Int64Flag:
				return "a whole number"
			case *cli.Float64Flag:
				return "a number"
			case *cli.DurationFlag:
				return "a time such as 30s or 2m"
			case *cli.BoolFlag:
				return "true or false"
			}
		}
	}
	return "another value"
}
