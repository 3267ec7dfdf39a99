package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

// comparisonSchema is that of a comparison of two runs as JSON: a Result of both.
const comparisonSchema = "concur/comparison/v1"

const flagAcross = "across"

func (c *console) compareCommand() *cli.Command {
	return &cli.Command{
		Name:      "compare",
		Usage:     "hold one finished run against another",
		ArgsUsage: "RUN RUN",
		Description: `The first RUN is the baseline; each is a run folder, its name, or latest. Configurations
of the same name are compared; two runs of one configuration each are compared whatever
their names.

Queries that both runs have, with the same gold, are paired (McNemar's test, Tango's
interval), the others are left out and named; runs without a common query are compared as two
samples (Fisher's test, Newcombe's interval). What differs between the runs is printed first:
settings, prompts, tools, documents of the corpus, queries, gold, the provider's model name. Where something differs that the
table does not show, such as the version of a prompt, nothing is compared; --across names
the differences that are meant: ` + strings.Join(ablations.Hidden(), ", ") + `.

Examples:
  concur compare runs/20260102T030405-gold29-1a2b3c4d latest
  concur compare before after --flips
  concur compare before after --across prompt --format markdown`,
		Flags: slices.Concat(outputFlags(reports.Formats()), comparisonFlags(), sectionFlags(), []cli.Flag{
			&cli.StringSliceFlag{Name: flagAcross, Usage: "compare although these `RULES` differ"},
			runsDirFlag(),
		}),
		OnUsageError: usageError,
		Action: func(ctx *cli.Context) error {
			return c.withOutput(ctx, reports.Formats(), func(o *output) error { return c.compareAction(ctx, o) })
		},
	}
}

func (c *console) compareAction(ctx *cli.Context, o *output) error {
	if ctx.NArg() != 2 {
		return usagef("compare takes two runs, the baseline first; `concur compare BEFORE latest`")
	}
	how := reporting(ctx)
	how.Across = list(ctx, flagAcross)
	var runs [2]*store.Run
	for i := range runs {
		run, err := store.Find(ctx.String(flagRunsDir), ctx.Args().Get(i))
		if err != nil {
			return usagef("%w", err)
		}
		if m := run.Manifest; m.State != store.Complete {
			return usagef("compare run %s: it is not complete (state: %s), and the queries that are missing may be those that differ: finish it with `%s`", m.Run, m.State, resumeCommand(run.Dir, m))
		}
		runs[i] = run
	}
	if runs[0].Manifest.Run == runs[1].Manifest.Run {
		return usagef("compare run %s: it is named twice; name another one", runs[0].Manifest.Run)
	}
	r, err := compareRuns(runs, how.Options)
	if err != nil {
		return usagef("%w", err)
	}
	return o.write(func() error {
		return reports.Write(o, reports.Format(o.format), r, reports.Options{Notes: modelNotes(), Show: how.sections})
	})
}

// compareRuns puts the configurations of two runs into one result, each under the letter
// of its run.
func compareRuns(runs [2]*store.Run, o ablations.Options) (*result.Result, error) {
	var results [2]*result.Result
	var sides [2][]ablations.Side
	for i, run := range runs {
		var err error
		if results[i], err = result.Summarize(run.Manifest, run.Records()); err != nil {
			return nil, err
		}
		if sides[i], err = ablations.Sides(run.Manifest, run.Records()); err != nil {
			return nil, err
		}
	}
	pairs, alone := samePlaces(sides)
	if len(pairs) == 0 {
		return nil, fmt.Errorf("compare %s with %s: they have no configuration of the same name: %s against %s", runs[1].Manifest.Run, runs[0].Manifest.Run, names(sides[1]), names(sides[0]))
	}
	out := *results[0]
	out.Schema, out.Run, out.Ablation, out.Baseline = comparisonSchema, runs[0].Manifest.Run+" against "+runs[1].Manifest.Run, "", ""
	out.Configurations, out.Warnings = nil, nil
	out.Dataset = bothDatasets(results, sides)
	if len(alone) > 0 {
		out.Warnings = append(out.Warnings, "of one run only, and left out: "+strings.Join(alone, ", "))
	}
	var labelled [][2]ablations.Side
	for _, at := range pairs {
		var pair [2]ablations.Side
		for i, j := range at {
			row, side := results[i].Configurations[j], sides[i][j]
			row.Name = label(i) + ": " + row.Name
			side.Name = row.Name
			out.Configurations = append(out.Configurations, row)
			pair[i] = side
		}
		labelled = append(labelled, pair)
	}
	if len(o.Across) > 0 {
		out.Warnings = append(out.Warnings, "compared across "+strings.Join(o.Across, ", ")+", as asked: a difference may be one of these, not of the agents")
	}
	for i, r := range results {
		out.Runs = append(out.Runs, result.RunRef{Label: label(i), Run: r.Run, Seed: r.Seed, Dataset: r.Dataset})
		for _, w := range slices.Concat(r.Warnings, edited(runs[i].Manifest)) {
			out.Warnings = append(out.Warnings, label(i)+": "+w)
		}
	}
	var err error
	if out.Comparisons, err = ablations.Pairwise(labelled, o); err != nil {
		return nil, err
	}
	out.Family = ablations.FamilyOf(out.Comparisons)
	for i, at := range pairs {
		was, err := facts.Read(runs[0], runs[0].Manifest.Configurations[at[0]])
		if err != nil {
			return nil, err
		}
		now, err := facts.Read(runs[1], runs[1].Manifest.Configurations[at[1]])
		if err != nil {
			return nil, err
		}
		out.Comparisons[i].Differs = append([]string{}, was.Differences(now)...) // null is "not asked for"
	}
	return &out, nil
}

// bothDatasets is what a comparison is over: the categories and queries of either run. Where
// the datasets differ, none has the hash of both.
func bothDatasets(results [2]*result.Result, sides [2][]ablations.Side) result.Dataset {
	out, other := results[0].Dataset, results[1].Dataset
	out.Categories = slices.Clone(out.Categories)
	for _, c := range other.Categories {
		if !slices.Contains(out.Categories, c) {
			out.Categories = append(out.Categories, c)
		}
	}
	if out.Name != other.Name {
		out.Name += " against " + other.Name
	}
	if out.Hash == other.Hash {
		return out
	}
	ids := map[string]bool{}
	for _, of := range sides {
		for _, q := range of[0].Queries { // every configuration of a run has all of them
			ids[q.ID] = true
		}
	}
	out.Hash, out.Queries, out.Of = "", len(ids), max(len(ids), out.Of, other.Of)
	return out
}

func label(i int) string { return string(rune('A' + i)) }

// samePlaces pairs the configurations of the same name, by their places; alone are those
// that have no counterpart.
func samePlaces(sides [2][]ablations.Side) (pairs [][2]int, alone []string) {
	if len(sides[0]) == 1 && len(sides[1]) == 1 {
		return [][2]int{{0, 0}}, nil
	}
	paired := map[string]bool{}
	for i, a := range sides[0] {
		if j := slices.IndexFunc(sides[1], func(b ablations.Side) bool { return ablations.SameName(b.Name, a.Name) }); j >= 0 {
			pairs, paired[a.Name], paired[sides[1][j].Name] = append(pairs, [2]int{i, j}), true, true
		}
	}
	for i := range sides {
		for _, s := range sides[i] {
			if !paired[s.Name] {
				alone = append(alone, label(i)+": "+s.Name)
			}
		}
	}
	return pairs, alone
}

func names(sides []ablations.Side) string {
	out := make([]string, len(sides))
	for i, s := range sides {
		out[i] = s.Name
	}
	return strings.Join(out, ", ")
}
