package main

import (
	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
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
	flags.FinishCommands(c, all)
	return all
}
