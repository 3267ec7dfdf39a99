package main

import (
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/reports/export"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
)

// Forms of export.
const (
	exportSFT     = "sft"
	exportVotes   = "votes"
	exportInspect = "inspect"
)

func (c *console) exportCommand() *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write a run for other programs: right traces for fine-tuning, every vote as CSV, or a log of Inspect",
		ArgsUsage: "RUN",
		Description: `--format sft writes chats with tools, one JSON object a line: of traces that are right by the
gold, whose citations pass the audit, and with which more than half of the traces agree.
--format votes writes a row of CSV for every trace. --format inspect writes a configuration as
a log of Inspect AI in JSON: queries are samples, traces are epochs.

Examples:
  concur export latest --format sft --out train.jsonl
  concur export latest --format votes --out votes.csv
  concur export latest --format inspect --out logs/latest.json`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: flagFormat, Value: exportSFT, Usage: "`FORMAT` of the file: sft, votes, inspect"},
			&cli.StringFlag{Name: flagOut, Usage: "write to `FILE` instead of standard output"},
			&cli.StringFlag{Name: flagConfiguration, Usage: "export the configuration `NAME` of an ablation only", DefaultText: "all"},
			&cli.BoolFlag{Name: "force", Usage: "replace the file of --out where there is one"},
			runsDirFlag(),
		},
		Action: c.withOutput([]string{exportSFT, exportVotes, exportInspect}, c.export),
	}
}

func (c *console) export(ctx *cli.Context, o *output) error {
	run, err := findRun(ctx, 1)
	if err != nil {
		return err
	}
	if info, err := os.Stat(o.file); o.file != "" && err == nil && info.Mode().IsRegular() && !ctx.Bool("force") {
		return usagef("export to %s: there is such a file already; choose another name, or replace it with --force", o.file)
	}
	name := ctx.String(flagConfiguration)
	if name != "" {
		if _, err := agentsOf(ctx, run.Manifest); err != nil {
			return err
		}
	}
	return o.write(func() error {
		switch o.format {
		case exportVotes:
			return export.Votes(o, run, name)
		case exportInspect:
			if err := export.Inspect(o, run, name, c.targets(run.Manifest)); err != nil {
				return usagef("%w", err)
			}
			return nil
		}
		counts, err := export.Chats(o, run, name)
		if err == nil {
			fmt.Fprintln(c.err, counts)
		}
		return err
	})
}

// targets are the right answers of a run's queries by id, as far as its dataset can be read.
func (c *console) targets(m store.Manifest) map[string][]string {
	data, _, err := runner.Reopen(m, "")
	if err != nil {
		fmt.Fprintln(c.err, "export: note: targets are as the run's records show the gold:", err)
		return nil
	}
	out := map[string][]string{}
	for _, q := range data.Queries {
		if q.Gold.Answer != "" {
			out[q.ID] = append([]string{q.Gold.Answer}, q.Gold.Aliases...)
		}
	}
	return out
}
