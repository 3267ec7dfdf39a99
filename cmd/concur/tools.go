package main

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/cmd/concur/tooling"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/assemble/kinds"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api"
	"github.com/seed-5817661a/concur/tool/mcp"
	"github.com/seed-5817661a/concur/tool/planner"
	"github.com/seed-5817661a/concur/trace"
)

func toolsList(ctx context.Context, c *console.Console, given *toolsListOptions) error {
	conf, err := flags.ReadConfiguration(c, &given.Settings, "")
	if err != nil {
		return err
	}
	names := c.Assembler.ToolNames()
	for _, server := range slices.Sorted(maps.Keys(conf.MCP)) {
		names = append(names, mcp.Qualified(server, mcp.All))
	}
	names = slices.Concat(names, kinds.Names(conf), slices.Sorted(maps.Keys(conf.Agents)))
	rows := tabwriter.NewWriter(c.Out, 15, 0, 1, ' ', 0)
	for _, name := range names {
		needs := tooling.Needed(conf, name)
		conf.Agent.Tools = []string{name}
		err := c.Assembler.WithTools(ctx, conf, nil, func(r *tool.Registry, leftOut []assemble.LeftOut) error {
			for _, spec := range r.Specs() {
				text := document.Clean(spec.Description) + needs
				if given.schema {
					text += fmt.Sprintf("\n%s\n", spec.Parameters)
				}
				fmt.Fprintf(rows, "%s\t%s\n", spec.Name, text)
			}
			for _, t := range leftOut {
				fmt.Fprintf(rows, "%s\tleft out: %s\n", t.Name, t.Reason)
			}
			return nil
		})
		if err != nil {
			fmt.Fprintf(rows, "%s\tnot usable: %v\n", name, err)
		}
	}
	for _, name := range tooling.CatalogWithout(names) {
		fmt.Fprintf(rows, "%s\t%s\n", name, document.Clean(tooling.Described(conf, name)))
	}
	return rows.Flush()
}

// toolsShow prints the file of a tool.
func toolsShow(c *console.Console, given *toolsShowOptions) error {
	conf, err := flags.ReadConfiguration(c, &given.Settings, "")
	if err != nil {
		return err
	}
	text, err := tooling.Text(conf, given.Word(0))
	if err != nil {
		return console.Usagef("%w", err)
	}
	_, err = c.Out.Write(text)
	return err
}

// toolsCheck runs the file of a tool on its fixtures.
func toolsCheck(ctx context.Context, c *console.Console, given *toolsCheckOptions) error {
	if given.fixtures == "" {
		return console.Usagef("name the cases of the tool with --fixtures")
	}
	wrong, err := tooling.Check(ctx, c.Out, given.Word(0), given.fixtures)
	if err != nil {
		return console.Usagef("%w", err)
	}
	if wrong > 0 {
		return console.WithCode(console.ExitRegression, fmt.Errorf("%d wrong: change the file, or the cases", wrong))
	}
	return nil
}

// toolsRecord calls a tool, and adds the call to its fixtures.
func toolsRecord(ctx context.Context, c *console.Console, given *toolsRecordOptions) error {
	if given.into == "" {
		return console.Usagef("name the folder of the fixtures with --into")
	}
	conf, err := flags.ReadConfiguration(c, &given.Settings, "")
	if err != nil {
		return err
	}
	said, err := tooling.Record(ctx, conf, given.into, c.Environ, trying(c, conf, given.Word(0), given.Word(1)))
	if err != nil {
		return console.Usagef("%w", err)
	}
	_, err = fmt.Fprintln(c.Out, said)
	return err
}

// trying returns a call of a tool.
func trying(c *console.Console, conf config.Configuration, name, arguments string) tooling.Call {
	call := tooling.Call{Name: name, Arguments: arguments}
	conf.Agent.Tools = []string{name}
	call.Make = func(ctx context.Context, change func(*api.Options)) (res tool.Result, err error) {
		c.Assembler.ChangeServices(change)
		err = c.Assembler.WithTools(ctx, conf, c.Note, func(r *tool.Registry, _ []assemble.LeftOut) error {
			res = r.Invoke(ctx, model.ToolCall{ID: "call_1", Name: name, Arguments: arguments}, conf.Agent.ToolTimeout)
			return nil
		})
		return res, err
	}
	return call
}

func toolsCall(ctx context.Context, c *console.Console, given *toolsCallOptions) error {
	conf, err := flags.ReadConfiguration(c, &given.Settings, "")
	if err != nil {
		return err
	}
	call := model.ToolCall{ID: "call_1", Name: given.Word(0), Arguments: given.Word(1)}
	if call.Name != planner.Name { // the planner makes plans with the agent's other tools
		conf.Agent.Tools = []string{call.Name}
	}
	if server, _, ofServer := mcp.Split(call.Name); ofServer { // a person makes a single call and sees the result
		if s, known := conf.MCP[server]; known {
			s.Writes = config.WritesAllow
			conf.MCP[server] = s
		}
	}
	if given.show != "" && given.show != "request" {
		return console.Usagef("--show takes request")
	}
	if given.show != "" {
		request, err := tooling.FirstRequest(ctx, trying(c, conf, call.Name, call.Arguments))
		if err != nil {
			return console.Usagef("%w", err)
		}
		_, err = fmt.Fprint(c.Out, request)
		return err
	}
	return c.Assembler.WithTools(ctx, conf, c.Note, func(r *tool.Registry, _ []assemble.LeftOut) error {
		res := r.Invoke(ctx, call, conf.Agent.ToolTimeout)
		if res.Error != "" {
			return console.Usagef("%s", document.Printable(res.Error))
		}
		var ledger trace.Ledger
		docs := res.Output.Documents
		if docs != nil {
			docs = ledger.Enter(docs)
		}
		raw, err := res.Output.Render(docs)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.Out, "%s\n", raw)
		return err
	})
}

func toolsCommand(c *console.Console) *cli.Command {
	return &cli.Command{
		Name:   "tools",
		Usage:  "list tools, call one, and check the files of tools",
		Action: flags.ShowCommands,
		Subcommands: []*cli.Command{
			toolsListCommand(c),
			toolsCallCommand(c),
			toolsShowCommand(c),
			toolsCheckCommand(c),
			toolsRecordCommand(c),
		},
	}
}

// toolsListOptions holds the arguments and flags of concur tools list.
type toolsListOptions struct {
	flags.Arguments
	flags.Settings

	schema bool
}

func toolsListCommand(c *console.Console) *cli.Command {
	var given toolsListOptions
	return &cli.Command{
		Name: "list", Description: flags.Described(toolsListHelp),
		Usage: "list the tools, including those of MCP servers; with --schema, their arguments",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "schema", Destination: &given.schema, Usage: "print each tool's JSON Schema"},
			flags.Texts(&given.Settings),
			flags.Config(&given.Settings),
		},
		Action: flags.Takes(&given.Arguments, "", func(ctx context.Context) error {
			return toolsList(ctx, c, &given)
		}),
	}
}

//go:embed help/tools-call.txt
var toolsCallHelp string

// toolsCallOptions holds the arguments and flags of concur tools call.
type toolsCallOptions struct {
	flags.Arguments
	flags.Settings

	show string
}

func toolsCallCommand(c *console.Console) *cli.Command {
	var given toolsCallOptions
	return &cli.Command{
		Name: "call", ArgsUsage: "TOOL [ARGUMENTS]", Description: flags.Described(toolsCallHelp),
		Usage: "call a tool as an agent would, and print its output",
		Flags: []cli.Flag{
			flags.Texts(&given.Settings),
			flags.Config(&given.Settings),
			flags.ToolTimeout(&given.Settings),
			&cli.StringFlag{Name: "show", Destination: &given.show,
				Usage: "print the first `request` of a tool that is a file, with its keys replaced, and send nothing"},
		},
		Action: flags.Takes(&given.Arguments, "a tool and its arguments, such as: concur tools call calc "+
			"'{\"expression\":\"2**10\"}'", func(ctx context.Context) error {
			return toolsCall(ctx, c, &given)
		}),
	}
}

// toolsShowOptions holds the arguments and flags of concur tools show.
type toolsShowOptions struct {
	flags.Arguments
	flags.Settings
}

func toolsShowCommand(c *console.Console) *cli.Command {
	var given toolsShowOptions
	return &cli.Command{
		Name: "show", ArgsUsage: "TOOL", Description: flags.Described(toolsShowHelp),
		Usage: "print the file of a tool, to copy and change it",
		Flags: []cli.Flag{flags.Config(&given.Settings)},
		Action: flags.Takes(&given.Arguments, "a tool, such as: concur tools show arxiv_search",
			func(context.Context) error { return toolsShow(c, &given) }),
	}
}

//go:embed help/tools-check.txt
var toolsCheckHelp string

// toolsCheckOptions holds the arguments and flags of concur tools check.
type toolsCheckOptions struct {
	flags.Arguments

	fixtures string
}

func toolsCheckCommand(c *console.Console) *cli.Command {
	var given toolsCheckOptions
	return &cli.Command{
		Name: "check", ArgsUsage: "FILE", Description: flags.Described(toolsCheckHelp),
		Usage: "run the file of a tool on recorded replies, without a network",
		Flags: []cli.Flag{&cli.StringFlag{Name: "fixtures", TakesFile: true, Destination: &given.fixtures,
			Usage: "`CASES`: a file, or a folder with a file of the tool's name"}},
		Action: flags.Takes(&given.Arguments, "the file of a tool, such as: concur tools check weather.yaml --fixtures cases",
			func(ctx context.Context) error { return toolsCheck(ctx, c, &given) }),
	}
}

// toolsRecordOptions holds the arguments and flags of concur tools record.
type toolsRecordOptions struct {
	flags.Arguments
	flags.Settings

	into string
}

func toolsRecordCommand(c *console.Console) *cli.Command {
	var given toolsRecordOptions
	return &cli.Command{
		Name: "record", ArgsUsage: "TOOL [ARGUMENTS]", Description: flags.Described(toolsRecordHelp),
		Usage: "call a tool that is a file, and add request and reply to its fixtures, without keys",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "into", TakesFile: true, Destination: &given.into, Usage: "`FOLDER` of the fixtures"},
			flags.Config(&given.Settings),
			flags.ToolTimeout(&given.Settings),
		},
		Action: flags.Takes(&given.Arguments, "a tool and its arguments, such as: concur tools record arxiv_search "+
			"'{\"query\":\"votes\"}' --into cases", func(ctx context.Context) error { return toolsRecord(ctx, c, &given) }),
	}
}
