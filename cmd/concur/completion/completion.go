package completion

import (
	"embed"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// WordFlag is a flag that takes one of a few words.
type WordFlag struct {
	*cli.StringFlag
	Words []string
}

// Request is the flag with which package cli requests completions. The scripts of bash and zsh add it as the
// last word of the command line.
const Request = "--generate-bash-completion"

//go:embed concur.bash concur.zsh
var scripts embed.FS

// Script returns the script of a shell, and whether the shell is known: bash, zsh or fish. app.Setup must have
// run.
func Script(shell string, app *cli.App) (string, bool) {
	if shell == "fish" {
		return fishScript(app), true
	}
	raw, err := scripts.ReadFile("concur." + shell)
	return string(raw), err == nil
}

// Values returns the words of the flag that comes before [Request], the last element of args. It returns nil if
// this is not a flag, or if the flag takes other values.
func Values(app *cli.App, args []string) []string {
	if len(args) < 3 || args[len(args)-1] != Request {
		return nil
	}
	flags, commands := app.Flags, app.Commands
	for _, word := range args[1 : len(args)-2] {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(word) })
		if i < 0 {
			break
		}
		flags, commands = commands[i].Flags, commands[i].Subcommands
	}
	last := args[len(args)-2]
	for _, flag := range flags {
		words, ok := flag.(*WordFlag)
		if ok && strings.HasPrefix(last, "-") && slices.Contains(words.Names(), strings.TrimLeft(last, "-")) {
			return words.Words
		}
	}
	return nil
}
