package flags

import (
	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/completion"
	"github.com/seed-5817661a/concur/cmd/concur/console"
)

// FinishCommands adds to commands and their subcommands the behaviour that all have in common: errors in flags are
// explained, --help shows no default for a flag that is off, and an empty value is an error. Commands with a
// configuration file read the variables beside it first.
func FinishCommands(c *console.Console, commands []*cli.Command) {
	for _, command := range commands {
		command.OnUsageError = UsageError
		for _, flag := range command.Flags {
			switch f := flag.(type) {
			case *cli.BoolFlag:
				f.DisableDefaultText = !f.Value
			case *cli.StringFlag:
				f.Action = filled(f.Name, f.EnvVars, f.Action)
				if f.Name == NameConfig {
					command.Before = func(ctx *cli.Context) error {
						given := Settings{File: ctx.String(NameConfig)}
						return c.ReadVariables(given.ConfigurationFile())
					}
				}
			case *completion.WordFlag:
				f.Action = filled(f.Name, f.EnvVars, f.Action)
			case *cli.StringSliceFlag:
				f.Action = filled(f.Name, f.EnvVars, f.Action)
			}
		}
		FinishCommands(c, command.Subcommands)
	}
}
