package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/suspects"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

func datasetsList(_ *cli.Context, w io.Writer) error {
	for _, name := range datasets.Builtin() {
		d, err := datasets.Open(name)
		if err != nil {
			return err
		}
		describeDataset(w, d)
	}
	return nil
}

func (c *console) datasetsCheck(ctx *cli.Context, o *output) error {
	d, findings, err := datasets.Lint(ctx.Args().First())
	if err != nil {
		return err
	}
	from := list(ctx, flagFrom)
	if o.format == formatJSON && len(from) == 0 {
		return usagef("datasets check --format json: only the golds that --from finds have that form: add --from RUN, or leave it out")
	}
	c.tellReading(d.Notes)
	if o.format != formatJSON {
		var b bytes.Buffer
		describeDataset(&b, d)
		describeFindings(&b, findings)
		if _, err := io.WriteString(c.out, screenOf(c.out, c.environ, 0).Fold(b.String())); err != nil {
			return err
		}
	}
	wrong := 0
	if len(from) > 0 {
		wrong, err = c.datasetsSuspects(ctx, o, d, from)
	}
	switch strict := ctx.Bool("strict"); {
	case err == nil && strict && wrong > 0:
		return usagef("datasets check --strict: %s", text.Counted(wrong, "probably wrong gold"))
	case err == nil && strict && len(findings) > 0:
		return usagef("datasets check --strict: %s", text.Counted(len(findings), "warning"))
	}
	return err
}

// datasetsSuspects prints the golds that are probably wrong by what runs answered.
func (c *console) datasetsSuspects(ctx *cli.Context, o *output, d *datasets.Dataset, from []string) (found int, err error) {
	var runs []*store.Run
	for _, name := range from {
		run, err := runNamed(ctx, name)
		if err != nil {
			return 0, usagef("--from: %w", err)
		}
		runs = append(runs, run)
	}
	r, err := suspects.Find(d, runs)
	if err != nil {
		return 0, usagef("datasets check --from: %w", err)
	}
	return len(r.Suspects), writeValue(o, r, reports.Suspects)
}

// describeFindings prints the first findings and the number of each rule, so that one frequent
// rule does not hide the others.
func describeFindings(w io.Writer, findings []datasets.Finding) {
	const shown = 50
	for _, f := range findings[:min(len(findings), shown)] {
		fmt.Fprintln(w, f)
	}
	if len(findings) > 0 {
		more := ""
		if len(findings) > shown {
			more = fmt.Sprintf("; the first %d are shown", shown)
		}
		fmt.Fprintf(w, "%s: %s%s\n", text.Counted(len(findings), "warning"), datasets.CountRules(findings), more)
	}
}

func (c *console) datasetsCorpus(ctx *cli.Context) error {
	texts, err := datasets.OpenCorpus(ctx.Args().First())
	if err != nil {
		return err
	}
	var b bytes.Buffer
	rows := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	whole := 0
	for _, d := range texts.Documents {
		n := utf8.RuneCountInString(d.Text)
		whole += n
		fmt.Fprintf(rows, "  %d\t%s\t%s\n", n, reports.Clean(d.ID), reports.Clean(d.Title))
	}
	for _, s := range texts.Skipped {
		fmt.Fprintf(rows, "  not read\t%s\t%s\n", reports.Clean(s.Path), s.Reason)
	}
	if err := rows.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "%s: %s of %s, %s, %d not read\n  %s\n%s", reports.Clean(texts.Name), text.Counted(len(texts.Documents), "document"), text.Counted(texts.Files, "file"), text.Counted(whole, "character"), len(texts.Skipped), texts.Hash, &b)
	return err
}

func describeDataset(w io.Writer, d *datasets.Dataset) {
	counts := map[string]int{}
	for _, q := range d.Queries {
		counts[q.Category]++
	}
	describe(w, d.Name, len(d.Queries), d.Categories(), counts, d.Hash)
}

func describe(w io.Writer, name string, queries int, categories []string, counts map[string]int, hash string) {
	var parts []string
	for _, category := range categories {
		parts = append(parts, fmt.Sprintf("%d %s", counts[category], category))
	}
	fmt.Fprintf(w, "%s: %s (%s)\n  %s\n", reports.Clean(name), text.Counted(queries, "query"), reports.Clean(strings.Join(parts, ", ")), hash)
}

func (c *console) datasetsConvert(ctx *cli.Context, w io.Writer) error {
	to, err := convertedName(ctx)
	if err != nil {
		return err
	}
	format, err := datasets.FormatOf(to)
	if err != nil {
		return usagef("datasets convert: --out: %w", err)
	}
	if strings.EqualFold(filepath.Ext(to), ".tsv") {
		return usagef("datasets convert: --out: tables are written with commas: name the file .csv")
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
	c.tellReading(done.Notes)
	if len(done.Unused) > 0 {
		fmt.Fprintf(c.err, "concur: note: fields not used: %s\n", strings.Join(done.Unused, ", "))
	}
	if done.LeftOut > 0 {
		for _, why := range done.Reasons {
			fmt.Fprintln(c.err, "left out:", why)
		}
		fmt.Fprintf(c.err, "concur: %s left out, which cannot be read\n", text.Counted(done.LeftOut, "record"))
	}
	describe(w, to, done.Queries, done.Categories, done.ByCategory, cmp.Or(done.Hash, "too many queries for a hash of all"))
	return nil
}

// convertedName is the file that a conversion writes: the one that is named, else the YAML file beside the dataset.
func convertedName(ctx *cli.Context) (string, error) {
	if to := ctx.String(flagOut); to != "" {
		return to, nil
	}
	from := ctx.Args().First()
	to := strings.TrimSuffix(from, ".gz")
	to = strings.TrimSuffix(to, filepath.Ext(to)) + ".yaml"
	if from == lines.Stdin || to == from {
		return "", usagef("datasets convert: name the file to write: concur datasets convert %s --out out.yaml", from)
	}
	return to, nil
}

// tellReading prints how a file was read, where it does not say all itself.
func (c *console) tellReading(notes []string) {
	var b strings.Builder
	for _, note := range notes {
		fmt.Fprintf(&b, "concur: %s\n", reports.Clean(note))
	}
	io.WriteString(c.err, screenOf(c.err, c.environ, 0).Fold(b.String()))
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
	for _, flag := range []string{"map", "set", "extract"} {
		pairs := ctx.StringSlice(flag)
		if flag == "map" { // whose values have no commas
			pairs = list(ctx, flag)
		}
		for _, pair := range pairs {
			field, value, both := strings.Cut(pair, "=")
			if !both {
				return m, usagef("--%s %q: write FIELD=…, such as --%s category=…", flag, pair, flag)
			}
			if given[flag+field] {
				return m, usagef("--%s gives %s twice; give it once", flag, field)
			}
			given[flag+field] = true
			from := m.Fields[field]
			switch flag {
			case "map":
				from = datasets.Source{Field: value}
			case "set":
				from = datasets.Source{Value: value}
			case "extract":
				from.Extract = value
			}
			m.Fields[field] = from
		}
	}
	return m, nil
}

func (c *console) datasetsSplit(ctx *cli.Context, w io.Writer) error {
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
		var form bytes.Buffer
		if err := part.Write(&form, datasets.YAML); err != nil {
			return err
		}
		if err := store.Deliver(path, form.Bytes()); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %s\n", reports.Clean(path), text.Counted(len(part.Queries), "query"))
	}
	return nil
}
