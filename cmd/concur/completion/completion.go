package completion

import (
	"embed"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// Words is a flag that takes one of a few words.
type Words struct {
	*cli.StringFlag
	Words []string
}

// Flag is what the scripts of bash and zsh add to a command line that is to be completed; it is its last word.
const Flag = "--generate-bash-completion"

//go:embed concur.bash concur.zsh
var scripts embed.FS

// Script returns the script of a shell, bash, zsh or fish, and whether the shell is one of these. The app is set up.
func Script(shell string, app *cli.App) (string, bool) {
	if shell == "fish" {
		return fishScript(app), true
	}
	raw, err := scripts.ReadFile("concur." + shell)
	return string(raw), err == nil
}

// Values returns the words for the end of a command line that ends with a flag and [Flag]; nil if the flag
// takes other values, or no value.
func Values(app *cli.App, args []string) []string {
	if len(args) < 3 || args[len(args)-1] != Flag {
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
		words, ok := flag.(*Words)
		if ok && strings.HasPrefix(last, "-") && slices.Contains(words.Names(), strings.TrimLeft(last, "-")) {
			return words.Words
		}
	}
	return nil
}
