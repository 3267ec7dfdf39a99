package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) baselineCommand() *cli.Command {
	return &cli.Command{
		Name:  "baseline",
		Usage: "keep the accepted runs that the gate compares others with",
		Description: `The baseline is a file to be committed: one line per run and query, sorted, so that
branches merge by keeping both sides.

Examples:
  concur baseline add latest
  concur baseline add latest --override "the source changed its answer"
  concur baseline show
  concur baseline reset --reason "new model" --keep latest
  concur baseline prune --keep-runs 20`,
		Subcommands:  []*cli.Command{c.baselineAddCommand(), c.baselineShowCommand(), c.baselineResetCommand(), c.baselinePruneCommand()},
		Action:       group,
		OnUsageError: usageError,
	}
}

func (c *console) baselineAddCommand() *cli.Command {
	return &cli.Command{
		Name:      "add",
		Usage:     "accept a run of the main line",
		ArgsUsage: "RUN",
		Description: `A run enters after PASS, or by hand where the gate was not asked. After REGRESSION, DRIFT
or INVALID it needs --override with the reason why that was a false alarm; for a change
that is meant, add it so and then 'concur baseline reset --reason "…" --keep RUN'.

Examples:
  concur baseline add latest
  concur baseline add latest --override "the endpoint was down, see ticket 12"`,
		Flags: []cli.Flag{
			baselineFlag(), oneConfigurationFlag(), datasetFlag(),
			&cli.StringFlag{Name: "override", Usage: "accept it although the gate did not, for this `REASON`"},
			runsDirFlag(),
		},
		OnUsageError: usageError,
		Action:       c.baselineAdd,
	}
}

func (c *console) baselineAdd(ctx *cli.Context) error {
	run, err := findRun(ctx, 1)
	if err != nil {
		return err
	}
	if run.Dir, err = resolved(run.Dir); err != nil {
		return usagef("baseline add %s: %w", run.Manifest.Run, err)
	}
	data, _, err := sameDataset(ctx, run.Manifest)
	if err != nil {
		return err
	}
	file := ctx.String(flagBaselineFile)
	candidate, err := candidateOf(run, ctx.String(flagConfiguration), file)
	if err != nil {
		return usagef("%w", err)
	}
	if reason := ctx.String("override"); reason != "" {
		candidate.Override = &baseline.Override{Reason: reason, Author: c.author(ctx.Context)}
	}
	b, err := changeBaseline(ctx.Context, file, baselineToChange, func(b *baseline.Baseline) error {
		if err := b.Add(candidate, data); err != nil {
			return usagef("%w%s", err, overrideHint(candidate))
		}
		return nil
	})
	if err != nil {
		return err
	}
	name := candidate.Configuration.Name
	_, err = fmt.Fprintf(c.out, "accepted %s into %s; configuration %s has %d runs\n", run.Manifest.Run, file, name, len(b.Counting(name)))
	return err
}

// candidateOf gathers a run with what the gate said of it.
func candidateOf(run *store.Run, configuration, file string) (baseline.Candidate, error) {
	pass, err := baseline.ReadPass(run, configuration)
	if err == nil {
		err = pass.Judged()
	}
	if err != nil {
		return baseline.Candidate{}, err
	}
	c := baseline.Candidate{Pass: pass, Deterministic: config.IsOffline(pass.Configuration.Model)}
	said, err := saidOf(run, pass.Configuration.Name)
	if err == nil {
		c.Decision, c.Bootstrap = decisionOn(said, file)
	}
	return c, err
}

// overrideHint is the way out of a decision that keeps a run out.
func overrideHint(c baseline.Candidate) string {
	switch {
	case c.Override != nil:
	case c.Decision.Alarm():
		return `; where that was a false alarm, add --override "reason"; where the change is meant, add it so and then ` + "`concur baseline reset --reason \"…\" --keep RUN`"
	case c.Decision == gate.Invalid:
		return "; run lost traces again with " + baseline.Retry(c.Manifest) + ` and ask the gate again, begin a new run, or take it as it is with --override "reason"`
	}
	return ""
}

// author is who changes a baseline: whom git knows, or the environment.
func (c *console) author(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	ask := func(key string) string {
		raw, err := exec.CommandContext(ctx, "git", "config", key).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(raw))
	}
	if name, address := ask("user.name"), ask("user.email"); name != "" && address != "" {
		return fmt.Sprintf("%s <%s>", name, address)
	}
	return cmp.Or(c.environ("GITHUB_ACTOR"), c.environ("GITLAB_USER_LOGIN"), c.environ("USER"), c.environ("USERNAME"), "unknown")
}

func (c *console) baselineResetCommand() *cli.Command {
	return &cli.Command{
		Name:  "reset",
		Usage: "begin the history anew: a change was accepted as intended",
		Description: `Earlier runs stay in the file and count no more, except those named by --keep.

Examples:
  concur baseline reset --reason "gpt-4o-mini in place of gpt-4o"
  concur baseline reset --reason "new prompt" --keep latest`,
		Flags: []cli.Flag{
			baselineFlag(), oneConfigurationFlag(),
			&cli.StringFlag{Name: "reason", Usage: "why, in a `SENTENCE`"},
			&cli.StringSliceFlag{Name: "keep", Usage: "accepted `RUNS` that show the change, and go on to count"},
			runsDirFlag(),
		},
		OnUsageError: usageError,
		Action:       c.baselineReset,
	}
}

func (c *console) baselineReset(ctx *cli.Context) error {
	if ctx.NArg() > 0 {
		return usagef("baseline reset takes no argument, and was given %s", strings.Join(ctx.Args().Slice(), " "))
	}
	if ctx.String("reason") == "" {
		return usagef("baseline reset needs --reason: whoever looks at the file later will want to know")
	}
	keep := list(ctx, "keep")
	for i, of := range keep {
		if of != store.Latest {
			continue
		}
		run, err := store.Find(ctx.String(flagRunsDir), of)
		if err != nil {
			return usagef("%w", err)
		}
		keep[i] = run.Manifest.Run
	}
	name := ""
	r := baseline.Reset{Author: c.author(ctx.Context), Reason: ctx.String("reason"), Keep: keep}
	b, err := changeBaseline(ctx.Context, ctx.String(flagBaselineFile), baseline.Read, func(b *baseline.Baseline) (err error) {
		if name, err = configurationOf(ctx, b); err != nil {
			return err
		}
		r.Configuration, r.Time = name, time.Now()
		if err := b.Reset(r); err != nil {
			return usagef("%w", err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "configuration %s begins anew in %s, with %d runs\n", name, ctx.String(flagBaselineFile), len(b.Counting(name)))
	return err
}

func (c *console) baselinePruneCommand() *cli.Command {
	return &cli.Command{
		Name:  "prune",
		Usage: "take old runs out of the file, which no pool needs any more",
		Description: `Of each configuration the last runs that count stay, and those that its last reset keeps.
Runs from before that reset go. A frozen baseline is a file of its own, and is not touched.

Examples:
  concur baseline prune --keep-runs 20`,
		Flags:        []cli.Flag{baselineFlag(), &cli.IntFlag{Name: "keep-runs", Value: 20, Usage: "`RUNS` of each configuration that stay"}},
		OnUsageError: usageError,
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() > 0 {
				return usagef("baseline prune takes no argument, and was given %s", strings.Join(ctx.Args().Slice(), " "))
			}
			var gone []string
			file := ctx.String(flagBaselineFile)
			b, err := changeBaseline(ctx.Context, file, baseline.Read, func(b *baseline.Baseline) (err error) {
				if gone, err = b.Prune(ctx.Int("keep-runs")); err != nil {
					return usagef("%w", err)
				}
				return nil
			})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.out, "took %d runs out of %s, which has %d now\n", len(gone), file, len(b.Runs))
			return err
		},
	}
}

// configurationOf is the configuration that was named, or the only one of a baseline.
func configurationOf(ctx *cli.Context, b *baseline.Baseline) (string, error) {
	known := b.Configurations()
	name := ctx.String(flagConfiguration)
	switch {
	case len(known) > 0 && name != "" && !slices.Contains(known, name):
		return "", usagef("the baseline %s has no runs of configuration %q; it has %s", ctx.String(flagBaselineFile), name, strings.Join(known, ", "))
	case len(known) == 0:
		return "", usagef("the baseline %s has no runs; accept some with `concur baseline add RUN`", ctx.String(flagBaselineFile))
	case name == "" && len(known) != 1:
		return "", usagef("the baseline %s has runs of %d configurations: name one with --%s: %s", ctx.String(flagBaselineFile), len(known), flagConfiguration, strings.Join(known, ", "))
	case name == "":
		return known[0], nil
	}
	return name, nil
}

func (c *console) baselineShowCommand() *cli.Command {
	return &cli.Command{
		Name:  "show",
		Usage: "show the accepted runs, and how often each query was right",
		Flags: slices.Concat([]cli.Flag{
			baselineFlag(), oneConfigurationFlag(),
			&cli.IntFlag{Name: flagPoolRuns, Usage: "`RUNS` that a run is compared with", DefaultText: "15 traces of each query, 5 runs at least"},
			&cli.StringFlag{Name: flagDataset, Usage: "grade the stored answers by this `DATASET`", DefaultText: "as they were graded"},
		}, outputFlags(plainFormats())),
		OnUsageError: usageError,
		Action: func(ctx *cli.Context) error {
			return c.withOutput(ctx, plainFormats(), func(o *output) error { return baselineShow(ctx, o) })
		},
	}
}

func baselineShow(ctx *cli.Context, o *output) error {
	b, err := baseline.Read(ctx.String(flagBaselineFile))
	if err != nil {
		return usagef("%w", err)
	}
	name, err := configurationOf(ctx, b)
	if err != nil {
		return err
	}
	k := 0
	if counting := b.Counting(name); len(counting) > 0 {
		k = counting[len(counting)-1].K
	}
	pool := b.Pool(name, ctx.Int(flagPoolRuns), k)
	var warnings []string
	if source := ctx.String(flagDataset); source != "" {
		data, err := datasets.Open(source)
		if err != nil {
			return usagef("%w", err)
		}
		var graded baseline.Regraded
		if pool, graded, err = pool.Regrade(data); err != nil {
			return usagef("%w", err)
		}
		warnings = graded.Warnings()
	}
	e := pool.Evidence(1, confirm.Permutations)
	shown := reports.BaselineOf(ctx.String(flagBaselineFile), b, pool, e)
	shown.Warnings = append(shown.Warnings, warnings...)
	return o.write(func() error {
		if o.format == formatJSON {
			raw, err := json.MarshalIndent(shown, "", "  ")
			o.Write(append(raw, '\n'))
			return err
		}
		return reports.WriteBaseline(o, shown)
	})
}
