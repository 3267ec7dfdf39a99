package main

import (
	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/calibrating"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/cmd/concur/gating"
	"github.com/seed-5817661a/concur/cmd/concur/hubbing"
	"github.com/seed-5817661a/concur/cmd/concur/learning"
	"github.com/seed-5817661a/concur/cmd/concur/preparing"
	"github.com/seed-5817661a/concur/cmd/concur/reading"
	"github.com/seed-5817661a/concur/cmd/concur/running"
	"github.com/seed-5817661a/concur/cmd/concur/weighing"
)

// allCommands returns all commands, in the order of --help.
func allCommands(c *console.Console) []*cli.Command {
	all := []*cli.Command{
		running.RunCommand(c), running.AblateCommand(c), running.AttackCommand(c), reading.CompareCommand(c),
		reading.PlanCommand(c), gating.ScoreCommand(c), gating.GateCommand(c), gating.BaselineCommand(c),
		running.AskCommand(c), reading.ReportCommand(c), reading.ExportCommand(c), preparing.ImportCommand(c),
		preparing.CollectCommand(c),
		running.RejudgeCommand(c), calibrating.LabelCommand(c), calibrating.JudgeCommand(c), learning.PlaybookCommand(c),
		reading.TraceCommand(c), weighing.UsefulnessCommand(c), weighing.AnnotateCommand(c),
		reading.RunsCommand(c), reading.MergeCommand(c),
		hubbing.WorkCommand(c, version), hubbing.HubCommand(c), reading.ViewCommand(c), toolsCommand(c),
		preparing.DatasetsCommand(c), learning.MemoryCommand(c), serveCommand(c), mcpCommand(c),
		doctorCommand(c, version), initCommand(c),
		completionCommand(c), versionCommand(c),
	}
	flags.FinishCommands(c, all)
	return all
}
