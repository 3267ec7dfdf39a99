package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/suspects"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/judging"
	"github.com/seed-5817661a/concur/runner/store"
)

func datasetsList(w io.Writer) error {
	for _, name := range datasets.Builtin() {
		d, err := datasets.Open(name)
		if err == nil {
			err = describeDataset(w, queries.Of(d))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func datasetsCheck(c *console.Console, given *datasetsCheckOptions, o *console.Output) error {
	const shown = 50 // warnings; one frequent rule must not hide the others
	set, found, err := queries.Lint(given.Word(0), shown)
	if err != nil {
		return err
	}
	defer set.Close() // a temporary file that cannot be removed is no reason to fail
	if o.Format == console.FormatJSON && len(given.from) == 0 {
		return console.Usagef("datasets check --format json: only the golds that --from finds have that form: add --from " +
			"RUN, or " +
			"leave it out")
	}
	c.TellReading(set.Notes)
	if o.Format != console.FormatJSON {
		var b bytes.Buffer
		err := describeDataset(&b, set)
		describeFindings(&b, found)
		_, wrong := io.WriteString(c.Out, console.ScreenOf(c.Out, c.Environ, 0).Fold(b.String()))
		if err := cmp.Or(err, wrong); err != nil {
			return err
		}
	}
	wrong := 0
	if len(given.from) > 0 {
		wrong, err = datasetsSuspects(c, given, o, set)
	}
	switch {
	case err != nil || !given.strict || wrong+found.Len() == 0:
		return err
	case wrong > 0:
		return console.Usagef("datasets check --strict: %s", text.Counted(wrong, "probably wrong gold"))
	}
	return console.Usagef("datasets check --strict: %s", text.Counted(found.Len(), "warning"))
}

// datasetsSuspects prints the golds that are probably wrong, according to the answers of runs.
func datasetsSuspects(c *console.Console, given *datasetsCheckOptions, o *console.Output, set *queries.Set) (found int,
	err error) {
	d, err := set.Load()
	if err != nil {
		return 0, err
	}
	var runs []*store.Run
	for _, name := range given.from {
		run, err := c.FindRun(given.runsDir, name)
		if err != nil {
			return 0, console.Usagef("--from: %w", err)
		}
		runs = append(runs, run)
	}
	r, err := suspects.Find(d, runs)
	if err != nil {
		return 0, console.Usagef("datasets check --from: %w", err)
	}
	return len(r.Suspects), console.WriteValue(o, r, judging.WriteSuspects)
}

// describeFindings prints the first findings and the number of findings of each rule, so that a frequent rule
// does not hide the others.
func describeFindings(w io.Writer, found *datasets.Findings) {
	for _, f := range found.First {
		fmt.Fprintln(w, f)
	}
	if n := found.Len(); n > 0 {
		more := ""
		if n > len(found.First) {
			more = fmt.Sprintf("; the first %d are shown", len(found.First))
		}
		fmt.Fprintf(w, "%s: %s%s\n", text.Counted(n, "warning"), found.Rules(), more)
	}
}

func describeDataset(w io.Writer, d *queries.Set) error {
	categories, counts := d.Categories()
	hash, err := d.Hash()
	describe(w, d.Name, d.Len(), categories, counts, hash)
	found, wrong := d.Checks()
	fmt.Fprint(w, document.Visible(found.String()))
	return cmp.Or(err, wrong)
}

func describe(w io.Writer, name string, queries int, categories []string, counts map[string]int, hash string) {
	parts := make([]string, len(categories))
	for i, category := range categories {
		parts[i] = fmt.Sprintf("%d %s", counts[category], category)
	}
	of := document.Clean(strings.Join(parts, ", "))
	fmt.Fprintf(w, "%s: %s (%s)\n  %s\n", document.Clean(name), text.Counted(queries, "query"), of, hash)
}

func datasetsSplit(c *console.Console, given *datasetsSplitOptions, w io.Writer) error {
	d, err := datasets.Open(given.Word(0))
	if err != nil {
		return err
	}
	learn, eval, err := d.Split(given.learn, given.seed)
	if err != nil {
		return err
	}
	parts := []*datasets.Dataset{learn, eval}
	for _, part := range parts {
		if err := console.MayReplace(given.force, filepath.Join(given.dir, part.Name+".yaml")); err != nil {
			return err
		}
	}
	for _, part := range parts {
		path := filepath.Join(given.dir, part.Name+".yaml")
		var form bytes.Buffer
		if err := part.Write(&form, datasets.YAML); err != nil {
			return err
		}
		if err := store.Deliver(path, form.Bytes()); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %s\n", document.Clean(path), text.Counted(len(part.Queries), "query"))
	}
	return nil
}

func datasetsCommand(c *console.Console) *cli.Command {
	return &cli.Command{
		Name:   "datasets",
		Usage:  "list the built-in datasets, check, convert or split one, or show a corpus",
		Action: flags.ShowCommands,
		Subcommands: []*cli.Command{
			datasetsListCommand(c),
			datasetsCheckCommand(c),
			datasetsConvertCommand(c),
			datasetsSplitCommand(c),
			datasetsCorpusCommand(c),
		},
	}
}

func datasetsListCommand(c *console.Console) *cli.Command {
	var given flags.Arguments
	return &cli.Command{
		Name:  "list",
		Usage: "list the built-in datasets",
		Action: flags.Takes(&given, "", c.Folded(func(_ context.Context, w io.Writer) error {
			return datasetsList(w)
		})),
	}
}

//go:embed help/datasets-check.txt
var datasetsCheckHelp string

// datasetsCheckOptions holds the arguments and flags of concur datasets check.
type datasetsCheckOptions struct {
	flags.Arguments
	flags.ResultOptions

	strict  bool
	from    []string
	runsDir string
}

func datasetsCheckCommand(c *console.Console) *cli.Command {
	var given datasetsCheckOptions
	return &cli.Command{
		Name: "check", ArgsUsage: "DATASET", Description: flags.Described(datasetsCheckHelp),
		Usage: "check a dataset and report all errors and doubtful golds",
		Flags: []cli.Flag{
			&cli.BoolFlag{
				Name: "strict", Destination: &given.strict,
				Usage: "exit with 2 if there are warnings or golds that are probably wrong",
			},
			&cli.StringSliceFlag{
				Name: flags.NameFrom, TakesFile: true, Action: flags.Listed(flags.NameFrom, &given.from),
				Usage: "look for wrong golds by the answers of `RUNS`",
			},
			flags.Choice(&given.Format, &cli.StringFlag{
				Name:  flags.NameFormat,
				Usage: "with --from: `FORMAT` of the list: table, json",
			}, "table", "json"),
			flags.RunsDir(&given.runsDir),
		},
		Action: flags.Takes(&given.Arguments, "one dataset: a file, or one of "+strings.Join(datasets.Builtin(), ", "),
			flags.WithOutput(c, &given.Arguments, &given.ResultOptions, func(ctx context.Context, o *console.Output) error {
				return datasetsCheck(c, &given, o)
			})),
	}
}

//go:embed help/datasets-split.txt
var datasetsSplitHelp string

// datasetsSplitOptions holds the arguments and flags of concur datasets split.
type datasetsSplitOptions struct {
	flags.Arguments

	learn float64
	seed  int64
	dir   string
	force bool
}

func datasetsSplitCommand(c *console.Console) *cli.Command {
	var given datasetsSplitOptions
	return &cli.Command{
		Name: "split", ArgsUsage: "NAME", Description: flags.Described(datasetsSplitHelp),
		Usage: "divide a dataset into a part for learning and a part for evaluation",
		Flags: []cli.Flag{
			&cli.Float64Flag{
				Name: "learn", Destination: &given.learn, Value: 0.5,
				Usage: "`SHARE` of the queries to learn from, between 0 and 1",
			},
			&cli.Int64Flag{Name: flags.NameSeed, Destination: &given.seed, Value: 1, Usage: "draw by this `SEED`"},
			&cli.StringFlag{
				Name: "dir", TakesFile: true, Destination: &given.dir, Value: ".",
				Usage: "write into this `FOLDER`",
			},
			flags.Force(&given.force),
		},
		Action: flags.Takes(&given.Arguments, "one dataset: a file or a built-in name",
			c.Folded(func(_ context.Context, w io.Writer) error {
				return datasetsSplit(c, &given, w)
			})),
	}
}
