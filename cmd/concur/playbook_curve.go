package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
)

// curvePoints are the numbers of learned queries at which a playbook is evaluated.
var curvePoints = []int{5, 10, 20, 40}

func (c *console) playbookCurveCommand() *cli.Command {
	return &cli.Command{
		Name:      "curve",
		Usage:     "evaluate what is learned from the first 5, 10, 20 and 40 queries of a run",
		ArgsUsage: "RUN",
		Description: `RUN is a finished run to learn from, --dataset other queries to evaluate on. For each number a
playbook of so many queries, drawn by the run's seed, is written into --dir, and all are compared
with the agent without one, as by concur ablate. A larger draw holds a smaller one.

Examples:
  concur playbook curve latest --dataset routing160-eval.yaml`,
		Flags: slices.Concat(configurationFlags(), []cli.Flag{
			&cli.StringFlag{Name: flagDataset, Usage: "evaluate on `DATASET`: a built-in name or a file", EnvVars: []string{"CONCUR_DATASET"}},
			&cli.StringFlag{Name: "dir", Value: ".", Usage: "write the playbooks into this `FOLDER`"},
			&cli.StringFlag{Name: flagLabels, Value: string(learn.Gold), Usage: "`LABELS` gold or majority, as of concur playbook learn"},
			&cli.Float64Flag{Name: flagLevel, Value: learn.DefaultLevel, Usage: "`LEVEL` of the tests of all sequences together"},
			&cli.StringFlag{Name: "learned-as", Usage: "learn from the configuration `NAME` of an ablation", DefaultText: "the only one"},
			seedFlag(),
		}, filterFlags(), comparisonFlags(), sectionFlags(), runFlags(), outputFlags(runFormats())),
		Action: c.withOutput(runFormats(), c.playbookCurve),
	}
}

func (c *console) playbookCurve(ctx *cli.Context, o *output) error {
	signals := c.listen()
	defer signals.stop()
	run, err := findRun(ctx, 1)
	if err != nil {
		return err
	}
	source := ctx.String(flagDataset)
	if source == "" {
		return usagef("playbook curve needs --%s: the queries to evaluate on, which are others than those of the run", flagDataset)
	}
	base, err := c.configuration(ctx, source)
	if err != nil {
		return err
	}
	base.Name = "off"
	confs := []config.Configuration{base}
	options := learn.Options{Labels: learn.Labels(ctx.String(flagLabels)), Level: ctx.Float64(flagLevel), Configuration: ctx.String("learned-as")}
	for _, n := range curvePoints {
		options.Limit = n
		lesson, err := learn.Sequence(run, options)
		if err != nil {
			return usagef("learn from run %s: %w", run.Manifest.Run, err)
		}
		path := filepath.Join(ctx.String("dir"), fmt.Sprintf("curve-%d.yaml", n))
		if _, err := learn.Into(ctx.Context, path, lesson, 0); err != nil {
			return usagef("%w", err)
		}
		conf := base
		conf.Name, conf.Agent.Playbook.File = fmt.Sprintf("after %d", n), path
		confs = append(confs, conf)
	}
	draft, err := newDraft(ctx, source, confs)
	if err != nil {
		return err
	}
	draft.Manifest.Ablation, draft.Manifest.Baseline = "playbook-curve", base.Name
	return c.begin(ctx, draft, o, signals)
}
