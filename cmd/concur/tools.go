package main

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/mcp"
	"github.com/seed-5817661a/concur/tool/planner"
	"github.com/seed-5817661a/concur/trace"
)

func (c *console) toolsList(ctx context.Context, given *toolsListOptions) error {
	conf, err := c.configuration(&given.settings, "")
	if err != nil {
		return err
	}
	names := c.assembler.ToolNames()
	for _, server := range slices.Sorted(maps.Keys(conf.MCP)) {
		names = append(names, mcp.Qualified(server, mcp.All))
	}
	names = slices.Concat(names, slices.Sorted(maps.Keys(conf.Tools)), slices.Sorted(maps.Keys(conf.Agents)))
	rows := tabwriter.NewWriter(c.out, 15, 0, 1, ' ', 0)
	for _, name := range names {
		conf.Agent.Tools = []string{name}
		err := c.assembler.WithTools(ctx, conf, nil, func(r *tool.Registry, leftOut []assemble.LeftOut) error {
			for _, spec := range r.Specs() {
				text := document.Clean(spec.Description)
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
	return rows.Flush()
}

func (c *console) note(text string) { fmt.Fprintln(c.err, "concur: "+text) }

func (c *console) toolsCall(ctx context.Context, given *toolsCallOptions) error {
	conf, err := c.configuration(&given.settings, "")
	if err != nil {
		return err
	}
	call := model.ToolCall{ID: "call_1", Name: given.word(0), Arguments: given.word(1)}
	if call.Name != planner.Name { // the planner makes plans with the agent's other tools
		conf.Agent.Tools = []string{call.Name}
	}
	if server, _, ofServer := mcp.Split(call.Name); ofServer { // a person makes a single call and sees the result
		if s, known := conf.MCP[server]; known {
			s.Writes = config.WritesAllow
			conf.MCP[server] = s
		}
	}
	return c.assembler.WithTools(ctx, conf, c.note, func(r *tool.Registry, _ []assemble.LeftOut) error {
		res := r.Invoke(ctx, call, conf.Agent.ToolTimeout)
		if res.Error != "" {
			return usagef("%s", document.Printable(res.Error))
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
		_, err = fmt.Fprintf(c.out, "%s\n", raw)
		return err
	})
}

func toolsCommand(c *console) *cli.Command {
	return &cli.Command{
		Name:   "tools",
		Usage:  "list the agent's tools, or call one",
		Action: showCommands,
		Subcommands: []*cli.Command{
			toolsListCommand(c),
			toolsCallCommand(c),
		},
	}
}

// toolsListOptions holds the arguments and flags of concur tools list.
type toolsListOptions struct {
	arguments
	settings

	schema bool
}

func toolsListCommand(c *console) *cli.Command {
	var given toolsListOptions
	return &cli.Command{
		Name:  "list",
		Usage: "list the tools, including those of MCP servers; with --schema, their arguments",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "schema", Destination: &given.schema, Usage: "print each tool's JSON Schema"},
			textsFlag(&given.settings),
			configFlag(&given.settings),
		},
		Action: takes(&given.arguments, "", func(ctx context.Context) error {
			return c.toolsList(ctx, &given)
		}),
	}
}

//go:embed help/tools-call.txt
var toolsCallHelp string

// toolsCallOptions holds the arguments and flags of concur tools call.
type toolsCallOptions struct {
	arguments
	settings
}

func toolsCallCommand(c *console) *cli.Command {
	var given toolsCallOptions
	return &cli.Command{
		Name: "call", ArgsUsage: "TOOL [ARGUMENTS]", Description: described(toolsCallHelp),
		Usage: "call a tool as an agent would, and print its output",
		Flags: []cli.Flag{
			textsFlag(&given.settings),
			configFlag(&given.settings),
			toolTimeoutKey(&given.settings),
		},
		Action: takes(&given.arguments, "a tool and its arguments, such as: concur tools call calc "+
			"'{\"expression\":\"2**10\"}'", func(ctx context.Context) error {
			return c.toolsCall(ctx, &given)
		}),
	}
}
