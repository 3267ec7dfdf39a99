package main

import (
	"embed"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"
)

//go:embed completion
var completions embed.FS

// completionFlag is what the shells' scripts add to a command line that is to be completed;
// it must stay its last word.
const completionFlag = "--generate-bash-completion"

func (c *console) completionCommand() *cli.Command {
	shells := []string{"bash", "zsh", "fish"}
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a script that completes commands and flags in a shell",
		ArgsUsage: "bash|zsh|fish",
		Description: `Examples:
  source <(concur completion bash)
  concur completion zsh > "${fpath[1]}/_concur"
  concur completion fish > ~/.config/fish/completions/concur.fish`,
		Action: func(ctx *cli.Context) error {
			shell := ctx.Args().First()
			if ctx.NArg() != 1 || !slices.Contains(shells, shell) {
				return usagef("completion takes a shell: bash, zsh or fish")
			}
			var script string
			var err error
			if shell == "fish" {
				script, err = ctx.App.ToFishCompletion()
			} else {
				var raw []byte
				raw, err = completions.ReadFile("completion/concur." + shell)
				script = string(raw)
			}
			if err == nil {
				_, err = fmt.Fprintln(c.out, script)
			}
			return err
		},
	}
}
