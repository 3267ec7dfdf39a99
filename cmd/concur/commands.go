package main

import (
	_ "embed"
	"strings"

	"github.com/urfave/cli/v2"
)

// actions are what the commands do, by their names with the command above them.
func (c *console) actions() map[string]cli.ActionFunc {
	return map[string]cli.ActionFunc{
		"run":     c.withRun(c.runAction),
		"ablate":  c.withRun(c.ablateAction),
		"compare": c.withOutput(c.compareAction),
		"plan":    c.withOutput(c.planAction),
		"score":   c.withOutput(c.scoreAction),

		"gate":           c.withRun(c.gateAction),
		"gate simulate":  c.withOutput(c.simulateAction),
		"baseline add":   c.folded(c.baselineAdd),
		"baseline show":  c.withOutput(baselineShow),
		"baseline reset": c.folded(c.baselineReset),
		"baseline prune": c.folded(baselinePrune),

		"ask":             c.withOutput(c.askAction),
		"report":          c.withOutput(c.reportAction),
		"export":          c.withOutput(c.export),
		"import":          c.withOutput(c.importAction),
		"rejudge":         c.withRun(c.rejudgeAction),
		"label":           c.labelAction,
		"judge calibrate": c.withOutput(c.calibrateAction),
		"judge score":     c.withOutput(c.judgeScoreAction),

		"playbook learn": c.folded(c.playbookLearn),
		"playbook undo":  c.folded(playbookUndo),
		"playbook show":  c.folded(playbookShow),
		"playbook diff":  c.folded(playbookDiff),
		"playbook check": c.folded(c.playbookCheck),
		"playbook stats": c.folded(playbookStats),
		"playbook curve": c.withRun(c.playbookCurve),

		"trace":       c.foldedUnlessJSON(c.traceAction),
		"runs":        c.runsAction,
		"runs rm":     c.runsRemove,
		"runs verify": c.folded(c.runsVerify),
		"runs repair": c.folded(runsRepair),
		"view":        c.viewAction,
		"tools list":  c.toolsList,
		"tools call":  c.toolsCall,

		"datasets list":    c.folded(datasetsList),
		"datasets check":   c.withOutput(c.datasetsCheck),
		"datasets convert": c.folded(c.datasetsConvert),
		"datasets split":   c.folded(c.datasetsSplit),
		"datasets corpus":  c.datasetsCorpus,
		"memory add":       c.folded(memoryAdd),
		"memory list":      c.folded(memoryList),
		"memory from":      c.folded(memoryFrom),

		"serve":      c.serveAction,
		"mcp serve":  c.mcpServe,
		"doctor":     c.withOutput(c.doctor),
		"init":       c.initAction,
		"completion": c.completion,
		"version":    c.printVersion,
	}
}

// aliases are other names of commands: the word of other tools for the same.
var aliases = map[string][]string{"run": {"eval"}}

// commands are all that there are, as commands.txt has them. A section of a subcommand follows that of its command.
func (c *console) commands() (out []*cli.Command) {
	m, actions := readManual(), c.actions()
	for _, name := range m.names {
		if strings.HasPrefix(name, "@") || name == "concur" {
			continue
		}
		s := m.sections[name]
		command := &cli.Command{
			Name: name, Aliases: aliases[name], ArgsUsage: s.arguments, Usage: s.usage, Description: s.description, OnUsageError: usageError,
			Action:          s.checked(actions[name]),
			HideHelpCommand: name == "init", // a folder may be called help
		}
		for _, line := range m.flags(name) {
			command.Flags = append(command.Flags, line.flag())
		}
		if _, own, below := strings.Cut(name, " "); below {
			command.Name = own
			above := out[len(out)-1]
			above.Subcommands = append(above.Subcommands, command)
		} else {
			out = append(out, command)
		}
	}
	return out
}

// checked is an action, nil for a command that only has others below it, after its arguments are checked.
func (s section) checked(action cli.ActionFunc) cli.ActionFunc {
	return func(ctx *cli.Context) error {
		below := ctx.Command.Subcommands // help, at least
		if len(below) > 1 && s.arguments == "" && ctx.Args().Present() {
			return unknownCommand(ctx, ctx.Command.HelpName, below)
		}
		if err := s.checkArguments(ctx); err != nil {
			return err
		}
		if action == nil {
			return cli.ShowSubcommandHelp(ctx)
		}
		return action(ctx)
	}
}
