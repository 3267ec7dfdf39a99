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
	"github.com/seed-5817661a/concur/datasets/promptfoo"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

func datasetsConvert(c *console.Console, given *datasetsConvertOptions, w io.Writer) error {
	to, err := convertedName(given)
	if err != nil {
		return err
	}
	format, err := datasets.FormatOf(to)
	if err != nil {
		return console.Usagef("datasets convert: --out: %w", err)
	}
	if strings.EqualFold(filepath.Ext(to), ".tsv") {
		return console.Usagef("datasets convert: --out: tables are written with commas: name the file .csv")
	}
	mapping, err := mappingFlags(given)
	if err != nil {
		return err
	}
	if err := console.MayReplace(given.force, to); err != nil {
		return err
	}
	from, in := given.Word(0), io.Reader(nil)
	if from == lines.Stdin {
		from, in = "standard input", c.In
	}
	if given.mapping == promptfoo.Category {
		if in, err = readPromptfoo(c, given, mapping, from); err != nil {
			return err
		}
	}
	var done datasets.Converted
	err = disk.DeliverStream(to, func(f *os.File) (err error) {
		done, err = datasets.Conversion{Mapping: mapping, To: format, Partial: given.partial}.File(from, in, f)
		return err
	})
	if err != nil {
		return err
	}
	c.TellReading(done.Notes)
	if len(done.Unused) > 0 {
		fmt.Fprintf(c.Err, "concur: note: fields not used: %s\n", strings.Join(done.Unused, ", "))
	}
	if done.LeftOut > 0 {
		for _, why := range done.Reasons {
			fmt.Fprintln(c.Err, "left out:", why)
		}
		fmt.Fprintf(c.Err, "concur: %s left out, which cannot be read\n", text.Counted(done.LeftOut, "record"))
	}
	describe(w, to, done.Queries, done.Categories, done.ByCategory,
		cmp.Or(done.Hash, "too many queries for a hash of all"))
	return nil
}

// readPromptfoo reads tests of promptfoo as JSONL, and prints what has no counterpart. It takes the sources of --map
// out of the mapping, which then has only the values of --set.
func readPromptfoo(c *console.Console, given *datasetsConvertOptions, mapping datasets.Mapping, file string) (io.Reader,
	error) {
	if given.Word(0) == lines.Stdin {
		return nil, console.Usagef("datasets convert: --mapping promptfoo: name a file, because a configuration names others")
	}
	options := promptfoo.Options{Fields: map[string]string{}}
	for field, from := range mapping.Fields {
		if from.Extract != "" {
			return nil, console.Usagef("datasets convert: --mapping promptfoo: --extract %s is not possible: remove it", field)
		}
		if from.Field != "" {
			options.Fields[field] = from.Field
			delete(mapping.Fields, field)
		}
	}
	read, err := promptfoo.Read(file, options)
	if err != nil {
		return nil, err
	}
	tell := func(label string, all []promptfoo.Finding) {
		for _, f := range all {
			fmt.Fprintf(c.Err, "%s: %s\n", label, document.Clean(f.String()))
		}
	}
	tell("not converted", read.Losses)
	tell("left out", read.LeftOut)
	if len(read.Ignored) > 0 {
		fmt.Fprintf(c.Err, "concur: note: keys of promptfoo not used: %s\n",
			document.Clean(strings.Join(read.Ignored, ", ")))
	}
	if read.Judged > 0 {
		fmt.Fprintf(c.Err, "concur: note: %s a condition: run with judge.pass: correctness\n",
			text.Counted(read.Judged, "query")+text.Verb(read.Judged, " has", " have"))
	}
	switch {
	case read.Count == 0:
		return nil, fmt.Errorf("%s: no test can be converted", file)
	case len(read.LeftOut) > 0 && !given.partial:
		return nil, fmt.Errorf("%s: %s left out: correct the file, or convert the others with --partial", file,
			text.Counted(len(read.LeftOut), "test")+text.Verb(len(read.LeftOut), " is", " are"))
	}
	return bytes.NewReader(read.JSONL), nil
}

// convertedName returns the name of the file that a conversion writes. If no file is named, this is the YAML
// file in the dataset's folder.
func convertedName(given *datasetsConvertOptions) (string, error) {
	if to := given.Out; to != "" {
		return to, nil
	}
	from := given.Word(0)
	to := strings.TrimSuffix(from, ".gz")
	to = strings.TrimSuffix(to, filepath.Ext(to)) + ".yaml"
	if from == lines.Stdin || to == from {
		return "", console.Usagef("datasets convert: name the file to write: concur datasets convert %s --out out.yaml", from)
	}
	return to, nil
}

// mappingFlags returns the mapping from flags. For a field, they replace the source from --mapping.
func mappingFlags(given *datasetsConvertOptions) (datasets.Mapping, error) {
	m := datasets.Mapping{Fields: map[string]datasets.Source{}}
	if file := given.mapping; file != "" && file != promptfoo.Category {
		var err error
		if m, err = datasets.ReadMapping(file); err != nil {
			return m, console.Usagef("--mapping: %w", err)
		}
	}
	twice := map[string]bool{}
	for _, flag := range []struct {
		name  string
		pairs []string
		put   func(to *datasets.Source, value string)
	}{
		{flags.NameMap, given.mapped, func(to *datasets.Source, value string) { *to = datasets.Source{Field: value} }},
		{flags.NameSet, given.set, func(to *datasets.Source, value string) { *to = datasets.Source{Value: value} }},
		{flags.NameExtract, given.extract, func(to *datasets.Source, value string) { to.Extract = value }},
	} {
		for _, pair := range flag.pairs {
			field, value, both := strings.Cut(pair, "=")
			if !both {
				return m, console.Usagef("--%s %q: write FIELD=…, such as --%s category=…", flag.name, pair, flag.name)
			}
			if twice[flag.name+field] {
				return m, console.Usagef("--%s gives %s twice; give it once", flag.name, field)
			}
			twice[flag.name+field] = true
			from := m.Fields[field]
			flag.put(&from, value)
			m.Fields[field] = from
		}
	}
	return m, nil
}

//go:embed help/datasets-convert.txt
var datasetsConvertHelp string

// datasetsConvertOptions holds the arguments and flags of concur datasets convert.
type datasetsConvertOptions struct {
	flags.Arguments
	flags.ResultOptions

	mapped, set, extract []string
	mapping              string
	partial, force       bool
}

func datasetsConvertCommand(c *console.Console) *cli.Command {
	var given datasetsConvertOptions
	return &cli.Command{
		Name: "convert", ArgsUsage: "FILE", Description: flags.Described(datasetsConvertHelp, "{{mappings}}",
			strings.Join(append(datasets.Mappings(), promptfoo.Category), ", ")),
		Usage: "convert a dataset to another form, or another program's file to a dataset",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: flags.NameOut, TakesFile: true, Destination: &given.Out, DefaultText: "the YAML file beside it",
				Usage: "write the dataset to `FILE`",
			},
			&cli.StringSliceFlag{
				Name: flags.NameMap, Action: flags.Listed(flags.NameMap, &given.mapped),
				Usage: "fill a field from a field of the file: `FIELD=SOURCE,…`",
			},
			&cli.StringSliceFlag{
				Name: flags.NameSet, Action: flags.Repeated(&given.set),
				Usage: "give every query `FIELD=VALUE`; may be given several times",
			},
			&cli.StringSliceFlag{
				Name: flags.NameExtract, Action: flags.Repeated(&given.extract),
				Usage: "use only a part of a field: `FIELD=REGEXP`; may be given several times",
			},
			&cli.StringFlag{
				Name: "mapping", TakesFile: true, Destination: &given.mapping,
				Usage: "read --map, --set and --extract from a YAML `FILE`, or a built-in one",
			},
			&cli.BoolFlag{
				Name: "partial", Destination: &given.partial,
				Usage: "leave out records that cannot be read, and report them",
			},
			flags.Force(&given.force),
		},
		Action: flags.Takes(&given.Arguments, "one file: concur datasets convert questions.csv",
			c.Folded(func(_ context.Context, w io.Writer) error {
				return datasetsConvert(c, &given, w)
			})),
	}
}
