package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/tool/planner"
	"github.com/seed-5817661a/concur/runner/trace"
)

func (c *console) toolsCommand() *cli.Command {
	corpus := &cli.StringFlag{Name: flagCorpus, DefaultText: "the configuration's", Usage: "let web_search search `TEXTS`: offline, a folder or a file as for run", EnvVars: []string{"CONCUR_CORPUS"}}
	return &cli.Command{
		Name:   "tools",
		Usage:  "list the agent's tools, or call one",
		Action: group,
		Subcommands: []*cli.Command{
			{
				Name:   "list",
				Usage:  "list the tools; with --schema, their arguments too",
				Flags:  []cli.Flag{&cli.BoolFlag{Name: "schema", Usage: "print each tool's JSON Schema"}, corpus, configFlag()},
				Action: c.toolsList,
			},
			{
				Name:      "call",
				Usage:     "call a tool as an agent would, and print its output",
				ArgsUsage: "TOOL [ARGUMENTS]",
				Description: `ARGUMENTS is a JSON object.

Examples:
  concur tools call calc '{"expression":"2**10"}'
  concur tools call web_search '{"query":"longest river of Europe","limit":2}'
  concur tools call wiki_search '{"query":"Danube","language":"de"}'
  concur tools call planner '{"goal":"How old was Mozart when he died?"}'`,
				Flags:  []cli.Flag{corpus, configFlag(), &cli.DurationFlag{Name: "tool-timeout", DefaultText: config.New().Agent.ToolTimeout.String(), Usage: "`DEADLINE` of the call, if it leaves the process"}},
				Action: c.toolsCall,
			},
		},
	}
}

func (c *console) toolsList(ctx *cli.Context) error {
	conf, err := c.configuration(ctx, "")
	if err != nil {
		return err
	}
	for _, name := range c.assembler.ToolNames() {
		conf.Agent.Tools = []string{name}
		text := ""
		err := c.assembler.WithTools(ctx.Context, conf, nil, func(r *tool.Registry) error {
			spec := r.Specs()[0]
			text = fmt.Sprintf("%-14s %s\n", spec.Name, spec.Description)
			if ctx.Bool("schema") {
				text += fmt.Sprintf("%s\n\n", spec.Parameters)
			}
			return nil
		})
		if err != nil {
			text = fmt.Sprintf("%-14s not usable: %v\n", name, err)
		}
		if _, err := io.WriteString(c.out, text); err != nil {
			return err
		}
	}
	return nil
}

func (c *console) toolsCall(ctx *cli.Context) error {
	if ctx.NArg() < 1 || ctx.NArg() > 2 {
		return usagef("tools call takes a tool and its arguments, such as: concur tools call calc '{\"expression\":\"2**10\"}'")
	}
	conf, err := c.configuration(ctx, "")
	if err != nil {
		return err
	}
	call := model.ToolCall{ID: "call_1", Name: ctx.Args().First(), Arguments: ctx.Args().Get(1)}
	if call.Name != planner.Name { // which plans for the others that the agent has
		conf.Agent.Tools = []string{call.Name}
	}
	note := func(text string) { fmt.Fprintln(c.err, "concur: "+text) }
	return c.assembler.WithTools(ctx.Context, conf, note, func(r *tool.Registry) error {
		res := r.Invoke(ctx.Context, call, conf.Agent.ToolTimeout)
		if res.Error != "" {
			return usagef("%s", res.Error)
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
