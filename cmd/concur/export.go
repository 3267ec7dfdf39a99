package main

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/reports/export"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) export(given *exportOptions, o *output) error {
	run, err := c.findRun(given.runsDir, given.word(0))
	if err != nil {
		return err
	}
	if err := mayReplace(given.force, o.file); err != nil {
		return err
	}
	if o.format == "chat" {
		if err := given.idle("with --format chat, which has the whole run", flagConfiguration); err != nil {
			return err
		}
	}
	name := naming.NameOf(run.Manifest, given.configuration)
	if _, err := agentsOf(given.configuration, run.Manifest); err != nil {
		return err
	}
	return o.write(func() error {
		switch o.format {
		case "chat":
			return export.Chat(o, run)
		case "votes":
			return export.Votes(o, run, name)
		case "inspect":
			return export.Inspect(o, run, name, c.targets(run.Manifest))
		}
		counts, err := export.Chats(o, run, name)
		if err == nil {
			fmt.Fprintln(c.err, counts)
		}
		return err
	})
}

// targets returns the right answers of a run's queries, by id. It returns nil if the dataset of the run cannot
// be read.
func (c *console) targets(m store.Manifest) map[string][]string {
	out := map[string][]string{}
	data, _, err := runner.ReopenSet(m, "")
	if err == nil {
		defer data.Close() // a temporary file that cannot be removed is no reason to fail
		for q, wrong := range data.Queries() {
			if err = wrong; err == nil && q.Gold.Answer != "" {
				out[q.ID] = append([]string{q.Gold.Answer}, q.Gold.Aliases...)
			}
		}
	}
	if err != nil {
		fmt.Fprintln(c.err, "export: note: targets are as the run's records show the gold:", err)
		return nil
	}
	return out
}

//go:embed help/export.txt
var exportHelp string

// exportOptions holds the arguments and flags of concur export.
type exportOptions struct {
	arguments
	resultOptions

	configuration, runsDir string
	force                  bool
}

func exportCommand(c *console) *cli.Command {
	var given exportOptions
	return &cli.Command{
		Name: "export", ArgsUsage: "RUN", Description: described(exportHelp),
		Usage: "write a run for other programs: right traces for fine-tuning, every vote as CSV, a log " +
			"of Inspect, or its chats as Markdown",
		Flags: []cli.Flag{
			choice(&given.format, &cli.StringFlag{
				Name:  flagFormat,
				Usage: "`FORMAT` of the file: sft, votes, inspect, chat",
			}, "sft", "votes", "inspect", "chat"),
			&cli.StringFlag{
				Name: flagOut, TakesFile: true, Destination: &given.out,
				Usage: "write to `FILE` instead of standard output",
			},
			&cli.StringFlag{
				Name: flagConfiguration, Destination: &given.configuration, DefaultText: "all",
				Usage: "export only the configuration `NAME` of an ablation",
			},
			forceFlag(&given.force),
			runsDirFlag(&given.runsDir),
		},
		Action: takes(&given.arguments, "", c.withOutput(&given.arguments, &given.resultOptions,
			func(_ context.Context, o *output) error {
				return c.export(&given, o)
			})),
	}
}
