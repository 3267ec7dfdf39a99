package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

func (c *console) toolsCommand() *cli.Command {
	corpus := &cli.StringFlag{Name: flagCorpus, Value: config.New().Search.Corpus, Usage: "what web_search searches: offline, a `FOLDER` or a .jsonl file", EnvVars: []string{"CONCUR_CORPUS"}}
	return &cli.Command{
		Name:         "tools",
		Usage:        "list the agent's tools, or call one",
		OnUsageError: usageError,
		Action:       group,
		Subcommands: []*cli.Command{
			{
				Name:         "list",
				Usage:        "list the tools; with --schema, their arguments too",
				Flags:        []cli.Flag{&cli.BoolFlag{Name: "schema", Usage: "print each tool's JSON Schema"}, corpus},
				OnUsageError: usageError,
				Action:       c.toolsList,
			},
			{
				Name:      "call",
				Usage:     "call a tool as an agent would, and print its output",
				ArgsUsage: "TOOL [ARGUMENTS]",
				Description: `ARGUMENTS is a JSON object.

Examples:
  concur tools call calc '{"expression":"2**10"}'
  concur tools call web_search '{"query":"longest river of Europe","limit":2}'
  concur tools call planner '{"goal":"How old was Mozart when he died?"}'`,
				Flags:        []cli.Flag{corpus, &cli.DurationFlag{Name: "tool-timeout", Value: config.New().Agent.ToolTimeout, Usage: "deadline of the call"}},
				OnUsageError: usageError,
				Action:       c.toolsCall,
			},
		},
	}
}

func openAllTools(ctx *cli.Context) (*toolset, error) {
	set, err := openTools(ctx.Context, toolNames(), config.Search{Corpus: ctx.String(flagCorpus)})
	if err != nil {
		return nil, usagef("%w", err)
	}
	return set, nil
}

func (c *console) toolsList(ctx *cli.Context) (err error) {
	set, err := openAllTools(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, set.close()) }()
	for _, s := range set.registry.Specs() {
		if _, err := fmt.Fprintf(c.out, "%-12s %s\n", s.Name, s.Description); err != nil {
			return err
		}
		if ctx.Bool("schema") {
			if _, err := fmt.Fprintf(c.out, "%s\n\n", s.Parameters); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *console) toolsCall(ctx *cli.Context) (err error) {
	if ctx.NArg() < 1 || ctx.NArg() > 2 {
		return usagef("tools call takes a tool and its arguments, such as: concur tools call calc '{\"expression\":\"2**10\"}'")
	}
	if ctx.Duration("tool-timeout") <= 0 {
		return usagef("--tool-timeout is %s: it must be above 0", ctx.Duration("tool-timeout"))
	}
	set, err := openAllTools(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, set.close()) }()
	call := model.ToolCall{ID: "call_1", Name: ctx.Args().First(), Arguments: ctx.Args().Get(1)}
	if _, known := set.registry.Lookup(call.Name); !known {
		return usagef("there is no tool %q; known: %s", call.Name, strings.Join(set.registry.Names(), ", "))
	}
	res := set.registry.Invoke(ctx.Context, call, ctx.Duration("tool-timeout"))
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
}
