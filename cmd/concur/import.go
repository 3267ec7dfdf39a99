package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/imports"
)

func (c *console) importCommand() *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "turn the results of another harness, or recorded chats, into a run",
		ArgsUsage: "FILE",
		Description: `FILE is what promptfoo eval -o results.json writes, a log of Inspect AI (.eval, .json), the
samples of lm-evaluation-harness (--log_samples), the results of tau2-bench, or JSONL of
{"messages": […]} or {"query": "…", "trace": […]} with id and gold where they are known. Epochs, repeats and trials are the
traces of one query. The verdicts are those of the file, or with --dataset those of its gold.

Examples:
  concur import results.json
  concur import logs/2026-11-22_task.eval --score match
  concur import chats.jsonl --dataset golds.yaml
  concur import chats.jsonl --dataset golds.yaml --pass gold+tools`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: flagFrom, Usage: "`FORMAT` of the file: " + strings.Join(imports.Formats(), ", "), DefaultText: "found out"},
			&cli.StringFlag{Name: "score", Usage: "`NAME` of Inspect's score, or of lm-eval's metric, that says what is right", DefaultText: "the first one"},
			&cli.StringFlag{Name: flagDataset, Usage: "judge by the gold of `DATASET`, whose queries have the same ids or texts", DefaultText: "the file's verdicts"},
			&cli.StringFlag{Name: "pass", Value: config.PassGold, Usage: "what `DECIDES` that a query passes: gold, or gold+tools with the expected tool calls of --dataset"},
			runsDirFlag(),
		}, sectionFlags(), outputFlags(runFormats())),
		Action: c.withOutput(runFormats(), c.importAction),
	}
}

func (c *console) importAction(ctx *cli.Context, o *output) error {
	if ctx.NArg() != 1 {
		return usagef("import takes one file, and was given %d", ctx.NArg())
	}
	pass := ctx.String("pass")
	if pass != config.PassGold && pass != config.PassGoldTools {
		return usagef("--pass is %q: an import asks no judge; use %s or %s", pass, config.PassGold, config.PassGoldTools)
	}
	log, err := imports.Open(ctx.Args().First(), ctx.String(flagFrom), ctx.String("score"))
	if err == nil && ctx.IsSet(flagDataset) {
		var data *datasets.Dataset
		if data, err = datasets.Open(ctx.String(flagDataset)); err == nil {
			err = log.Judge(data)
		}
	}
	if err != nil {
		return usagef("%w", err)
	}
	log.Pass = pass
	for _, note := range append(log.Counts(), log.Notes...) {
		fmt.Fprintln(c.err, "import:", note)
	}
	dir, err := log.Save(ctx.Context, ctx.String(flagRunsDir), c.assembler.Versions(), time.Now())
	if err != nil {
		return err
	}
	fmt.Fprintln(c.err, "import:", log.Tool, "into", dir)
	return c.reportOn(dir, o, fresh, reporting(ctx))
}
