package preparing

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/cmd/concur/reading"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/imports"
)

func importAction(ctx context.Context, c *console.Console, given *importOptions, o *console.Output) (err error) {
	if err := given.TableOptions.Check(&given.Arguments); err != nil {
		return err
	}
	log, err := given.open()
	err = console.OrOther(err, given.Word(0), "import", "results of another harness, or chats as JSONL")
	if log != nil {
		defer func() { err = errors.Join(err, log.Close()) }()
	}
	if err == nil && given.dataset != "" {
		var data *datasets.Dataset
		if data, err = datasets.Open(given.dataset); err == nil {
			err = log.Judge(data)
		}
	}
	if err != nil {
		return err
	}
	log.Pass = judge.Mode(given.pass)
	for _, note := range log.Lines() {
		fmt.Fprintln(c.Err, "import:", note)
	}
	dir, err := saveImport(ctx, c, given, log)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.Err, "import:", log.Tool, "into", dir)
	return reading.ReportOn(c, dir, o, true, reading.Reporting(&given.ReportOptions))
}

// open reads the file of concur import, by a mapping or in a known format.
func (o *importOptions) open() (*imports.Log, error) {
	file := o.Word(0)
	if o.from == imports.FormatOTLP && o.mapping != "" {
		if o.score != "" {
			return nil, console.Usagef("--score has no effect on spans, which have no scores: leave it out")
		}
		fields, err := imports.ReadFields(o.mapping)
		if err != nil {
			return nil, console.Usagef("--mapping: %w", err)
		}
		return imports.OpenSpans(file, fields)
	}
	if o.mapping == "" {
		return imports.Open(file, o.from, o.score)
	}
	if o.from != "" || o.score != "" {
		return nil, console.Usagef("--mapping reads a file of any format: leave out --from and --score")
	}
	mapping, err := imports.ReadMapping(o.mapping)
	if err != nil {
		return nil, console.Usagef("--mapping: %w", err)
	}
	return imports.OpenMapped(file, mapping)
}

// saveImport writes an imported log as a run. With --extract model, a model reads the messages that the rules
// cannot read.
func saveImport(ctx context.Context, c *console.Console, given *importOptions, log *imports.Log) (dir string,
	err error) {
	save := func(within context.Context) (err error) {
		dir, err = log.Save(within, given.runsDir, c.Assembler.Versions(), time.Now())
		return err
	}
	conf := config.Configuration{}
	if given.Gives(flags.NameExtract) || given.Gives(flags.NameExtractor) ||
		given.File != "" { // only the extraction settings of a configuration matter
		if conf, err = flags.ReadConfiguration(c, &given.Settings, ""); err != nil {
			return "", err
		}
	}
	if conf.Extract.IsZero() {
		err = save(ctx)
		return dir, err
	}
	prices, err := c.Assembler.Prices(conf)
	if err != nil {
		return "", err
	}
	log.Price = prices.Price
	err = c.Assembler.WithJudges(ctx, conf, assemble.Questioners{Extractor: conf.ExtractorModel()},
		func(within context.Context, open runner.Arm) error {
			log.Extractor = open.Extractor
			return save(within)
		})
	return dir, err
}

//go:embed help/import.txt
var importHelp string

// importOptions holds the arguments and flags of concur import.
type importOptions struct {
	flags.Arguments
	flags.Settings
	flags.ReportOptions

	from, mapping, score, dataset, pass, runsDir string
}

// ImportCommand returns the command `concur import`.
func ImportCommand(c *console.Console) *cli.Command {
	var given importOptions
	return &cli.Command{
		Name: "import", ArgsUsage: "FILE|FOLDER", Description: flags.Described(importHelp),
		Usage: "turn the results of another evaluation program, recorded chats or spans into a run",
		Flags: slices.Concat(
			[]cli.Flag{
				&cli.StringFlag{
					Name: flags.NameFrom, Destination: &given.from, DefaultText: "found out",
					Usage: "`FORMAT` of the file: " + strings.Join(imports.Formats(), ", "),
				},
				&cli.StringFlag{
					Name: "mapping", TakesFile: true, Destination: &given.mapping,
					Usage: "read other JSON or JSONL: `FIELD=PATH,…` for query, output, messages, id, gold, category, " +
						"verdict, model, configuration and rows (its list), or a YAML file of them; attributes with --from otlp",
				},
				&cli.StringFlag{
					Name: "score", Destination: &given.score, DefaultText: "the first one",
					Usage: "`NAME` of the score of Inspect, or of the metric of lm-eval or OpenAI evals, for verdicts",
				},
				&cli.StringFlag{
					Name: flags.NameDataset, TakesFile: true, Destination: &given.dataset, DefaultText: "the file's verdicts",
					Usage: "judge by the golds of `DATASET`, whose queries must have the same ids or texts",
				},
				flags.Choice(&given.pass, &cli.StringFlag{
					Name: "pass",
					Usage: "the `RULE` by which a query passes (no judge is asked): gold, or gold+tools with " +
						"the expected tool calls of --dataset",
				}, string(judge.PassGold), string(judge.PassGoldTools)),
				flags.Extract(&given.Settings),
				flags.Extractor(&given.Settings),
				flags.Config(&given.Settings),
				flags.RunsDir(&given.runsDir),
			},
			flags.TableGroup(&given.TableOptions),
			flags.ResultGroup(&given.ResultOptions),
		),
		Action: flags.Takes(&given.Arguments, "one file", flags.WithOutput(c, &given.Arguments, &given.ResultOptions,
			func(ctx context.Context, o *console.Output) error {
				return importAction(ctx, c, &given, o)
			}, &given.dataset, &given.File)),
	}
}
