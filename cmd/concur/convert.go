package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) datasetsConvert(ctx *cli.Context, w io.Writer) error {
	to := ctx.String(flagOut)
	if ctx.NArg() != 1 || to == "" {
		return usagef("datasets convert takes one file and --out: concur datasets convert in.csv --out out.yaml")
	}
	format, err := datasets.FormatOf(to)
	if err != nil {
		return usagef("datasets convert: --out: %w", err)
	}
	mapping, err := mappingFlags(ctx)
	if err != nil {
		return err
	}
	if err := mayReplace(ctx, to); err != nil {
		return err
	}
	from, in := ctx.Args().First(), io.Reader(nil)
	if from == lines.Stdin {
		from, in = "standard input", c.in
	}
	var done datasets.Converted
	err = store.DeliverStream(to, func(f *os.File) (err error) {
		done, err = datasets.Conversion{Mapping: mapping, To: format, Partial: ctx.Bool(flagPartial)}.File(from, in, f)
		return err
	})
	if err != nil {
		return err
	}
	if len(done.Unused) > 0 {
		fmt.Fprintf(c.err, "concur: note: fields not used: %s\n", strings.Join(done.Unused, ", "))
	}
	if done.LeftOut > 0 {
		for _, why := range done.Reasons {
			fmt.Fprintln(c.err, "left out:", why)
		}
		fmt.Fprintf(c.err, "concur: %s left out, which cannot be read\n", gate.Counted(done.LeftOut, "record"))
	}
	describe(w, to, done.Queries, done.Categories, done.ByCategory, cmp.Or(done.Hash, "too many queries for a hash of all"))
	return nil
}

// mappingFlags are those of a mapping, and replace what --mapping gives a field.
func mappingFlags(ctx *cli.Context) (datasets.Mapping, error) {
	m := datasets.Mapping{Fields: map[string]datasets.Source{}}
	if file := ctx.String("mapping"); file != "" {
		var err error
		if m, err = datasets.ReadMapping(file); err != nil {
			return m, usagef("--mapping: %w", err)
		}
	}
	given := map[string]bool{}
	read := func(flag string, values []string, give func(from *datasets.Source, value string)) error {
		for _, pair := range values {
			field, value, both := strings.Cut(pair, "=")
			if !both {
				return usagef("--%s %q: write FIELD=…, such as --%s category=…", flag, pair, flag)
			}
			if given[flag+field] {
				return usagef("--%s gives %s twice; give it once", flag, field)
			}
			given[flag+field] = true
			from := m.Fields[field]
			give(&from, value)
			m.Fields[field] = from
		}
		return nil
	}
	return m, cmp.Or(
		read("map", list(ctx, "map"), func(from *datasets.Source, path string) { *from = datasets.Source{Field: path} }),
		read("set", ctx.StringSlice("set"), func(from *datasets.Source, value string) { *from = datasets.Source{Value: value} }),
		read("extract", ctx.StringSlice("extract"), func(from *datasets.Source, pattern string) { from.Extract = pattern }))
}

func (c *console) datasetsSplit(ctx *cli.Context, w io.Writer) error {
	if ctx.NArg() != 1 {
		return usagef("datasets split takes one dataset: a file or a built-in name")
	}
	d, err := datasets.Open(ctx.Args().First())
	if err != nil {
		return err
	}
	learn, eval, err := d.Split(ctx.Float64("learn"), ctx.Int64("seed"))
	if err != nil {
		return err
	}
	parts := []*datasets.Dataset{learn, eval}
	for _, part := range parts {
		if err := mayReplace(ctx, filepath.Join(ctx.String("dir"), part.Name+".yaml")); err != nil {
			return err
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
		fmt.Fprintf(w, "%s: %s\n", reports.Clean(path), gate.Counted(len(part.Queries), "query"))
	}
	return nil
}
