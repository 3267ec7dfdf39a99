package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/reports/export"
)

// Forms of export.
const (
	exportSFT   = "sft"
	exportVotes = "votes"
)

func (c *console) exportCommand() *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write a run for other programs: right traces for fine-tuning, or every vote as CSV",
		ArgsUsage: "RUN",
		Description: `--format sft writes chats with tools, one JSON object a line: of traces that are right by the
gold, whose citations pass the audit, and with which more than half of the traces agree.
--format votes writes a row of CSV for every trace.

Examples:
  concur export latest --format sft --out train.jsonl
  concur export latest --format votes --out votes.csv`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: flagFormat, Value: exportSFT, Usage: "`FORMAT` of the file: sft, votes"},
			&cli.StringFlag{Name: flagOut, Usage: "write to `FILE` instead of standard output"},
			&cli.StringFlag{Name: flagConfiguration, Usage: "export the configuration `NAME` of an ablation only", DefaultText: "all"},
			runsDirFlag(),
		},
		Action: c.withOutput([]string{exportSFT, exportVotes}, c.export),
	}
}

func (c *console) export(ctx *cli.Context, o *output) error {
	run, err := findRun(ctx, 1)
	if err != nil {
		return err
	}
	name := ctx.String(flagConfiguration)
	if name != "" {
		if _, err := agentsOf(ctx, run.Manifest); err != nil {
			return err
		}
	}
	return o.write(func() error {
		if o.format == exportVotes {
			return export.Votes(o, run, name)
		}
		counts, err := export.Chats(o, run, name)
		if err == nil {
			fmt.Fprintln(c.err, counts)
		}
		return err
	})
}
