package preparing

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store/disk"
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
	if err := os.MkdirAll(given.dir, 0o777); err != nil {
		return console.Usagef("--dir: %w; name another folder", err)
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
		if err := disk.Deliver(path, form.Bytes()); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %s\n", document.Clean(path), text.Counted(len(part.Queries), "query"))
	}
	return nil
}

// DatasetsCommand returns the command `concur datasets`.
func DatasetsCommand(c *console.Console) *cli.Command {
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

//go:embed help/datasets-list.txt
var datasetsListHelp string

func datasetsListCommand(c *console.Console) *cli.Command {
	var given flags.Arguments
	return &cli.Command{
		Name: "list", Description: flags.Described(datasetsListHelp),
		Usage: "list the built-in datasets",
		Action: flags.Takes(&given, "", c.Folded(func(_ context.Context, w io.Writer) error {
			return datasetsList(w)
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
