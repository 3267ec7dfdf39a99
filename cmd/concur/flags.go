package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// Flag names that several commands share.
const (
	flagFormat  = "format"
	flagOut     = "out"
	flagRunsDir = "runs-dir"
	flagConfig  = "config"
	flagCorpus  = "corpus"
	flagQuiet   = "quiet"

	flagFailedIn = "failed-in"
	flagSample   = "sample"
)

func runsDirFlag() cli.Flag {
	return &cli.StringFlag{Name: flagRunsDir, Value: "runs", Usage: "`FOLDER` of run folders", EnvVars: []string{"CONCUR_RUNS_DIR"}}
}

// outputFlags say in which of the formats the result is written, and where.
func outputFlags(formats []string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: flagFormat, Value: "table", Usage: "`FORMAT` of the result: " + strings.Join(formats, ", "), EnvVars: []string{"CONCUR_FORMAT"}},
		&cli.StringFlag{Name: flagOut, Usage: "write the result to `FILE` instead of standard output", EnvVars: []string{"CONCUR_OUT"}},
	}
}

func seedFlag() cli.Flag {
	return &cli.Int64Flag{Name: "seed", Usage: "`SEED` of the run", DefaultText: "1 with an offline model, else drawn", EnvVars: []string{"CONCUR_SEED"}}
}

func configFlag() cli.Flag {
	return &cli.StringFlag{Name: flagConfig, Usage: "configuration `FILE`", DefaultText: "concur.yaml, where there is one", EnvVars: []string{"CONCUR_CONFIG"}}
}

// filterFlags take a part of a dataset.
func filterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "limit", Usage: "take the first `N` queries only", DefaultText: "all"},
		&cli.StringSliceFlag{Name: "query", Usage: "take the queries with these `IDS` only"},
		&cli.StringSliceFlag{Name: "category", Usage: "take the queries of these `CATEGORIES` only"},
		&cli.StringSliceFlag{Name: "tag", Usage: "take the queries with one of these `TAGS` only"},
		&cli.StringFlag{Name: flagFailedIn, Usage: "take the queries only that were not right in `RUN`"},
		&cli.IntFlag{Name: flagSample, Usage: "take `N` queries only, drawn at random; the same ones for the same --seed", DefaultText: "all"},
	}
}

// list is the value of a flag that may be given several times or as a list with commas.
func list(ctx *cli.Context, name string) []string {
	out := []string{}
	for _, v := range ctx.StringSlice(name) {
		for _, item := range strings.Split(v, ",") {
			if item = strings.TrimSpace(item); item != "" {
				out = append(out, item)
			}
		}
	}
	return out
}
