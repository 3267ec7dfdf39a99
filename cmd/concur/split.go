package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) datasetsSplitCommand() *cli.Command {
	return &cli.Command{
		Name:      "split",
		Usage:     "divide a dataset into one to learn from and one to evaluate on",
		ArgsUsage: "NAME",
		Description: `NAME is a built-in name or a file. NAME-learn.yaml and NAME-eval.yaml are written: queries of one
cluster stay together, and each category is divided by the share. The same seed gives the same
parts.

Examples:
  concur datasets split routing160
  concur datasets split my-queries.yaml --learn 0.3 --seed 7 --dir data`,
		Flags: []cli.Flag{
			&cli.Float64Flag{Name: "learn", Value: 0.5, Usage: "`SHARE` of the queries to learn from, between 0 and 1"},
			&cli.Int64Flag{Name: "seed", Value: 1, Usage: "draw by this `SEED`"},
			&cli.StringFlag{Name: "dir", Value: ".", Usage: "write into this `FOLDER`"},
			&cli.BoolFlag{Name: "force", Usage: "replace files that are there"},
		},
		Action: c.folded(c.datasetsSplit),
	}
}

func (c *console) datasetsSplit(ctx *cli.Context, w io.Writer) error {
	if ctx.NArg() != 1 {
		return usagef("datasets split takes one dataset: a file or a built-in name")
	}
	d, err := datasets.Open(ctx.Args().First())
	if err != nil {
		return usagef("%w", err)
	}
	learn, eval, err := d.Split(ctx.Float64("learn"), ctx.Int64("seed"))
	if err != nil {
		return usagef("%w", err)
	}
	parts := []*datasets.Dataset{learn, eval}
	for _, part := range parts {
		path := filepath.Join(ctx.String("dir"), part.Name+".yaml")
		if _, err := os.Lstat(path); err == nil && !ctx.Bool("force") {
			return usagef("%s is there already: remove it, name another folder with --dir, or add --force", path)
		}
	}
	for _, part := range parts {
		path := filepath.Join(ctx.String("dir"), part.Name+".yaml")
		var text bytes.Buffer
		if err := part.Write(&text, datasets.YAML); err != nil {
			return err
		}
		if err := store.Deliver(path, text.Bytes()); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %s\n", reports.Clean(path), counted(len(part.Queries), "query", "queries"))
	}
	return nil
}
