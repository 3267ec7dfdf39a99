package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
)

// Names of flags that several commands have, or that messages or the gate mention.
const (
	flagBudgetUSD     = "budget-usd"
	flagK             = "k"
	flagBaseline      = "baseline"
	flagConfig        = "config"
	flagConfiguration = "configuration"
	flagPrompt        = "prompt"
	flagAuthor        = "author"
	flagCorpus        = "corpus"
	flagDataset       = "dataset"
	flagFormat        = "format"
	flagFrom          = "from"
	flagName          = "name"
	flagOut           = "out"
	flagQuiet         = "quiet"
	flagResume        = "resume"
	flagRetryFailed   = "retry-failed"
	flagRunsDir       = "runs-dir"
	flagYes           = "yes"
	flagSeed          = "seed"
	flagQuery         = "query"
	flagCategory      = "category"
	flagTag           = "tag"
	flagLimit         = "limit"
	flagFailedIn      = "failed-in"
	flagSample        = "sample"
	flagWait          = "wait"
	flagNoConfirm     = "no-confirm"
	flagExplain       = "explain"
	flagJunit         = "junit"
	flagTrace         = "trace"
	flagDiff          = "diff"
	flagFull          = "full"
	flagMap           = "map"
	flagSet           = "set"
	flagMarkdown      = "markdown"
	flagSimulations   = "simulations"
	flagSpaced        = "spaced"
	flagExtract       = "extract"
	flagExtractor     = "extractor"
	flagPoolRuns      = "pool-runs"
	flagReplay        = "replay"
	flagCheck         = "check"
	flagRecordMissing = "record-missing"
	flagFlips         = "flips"
	flagMargin        = "margin"
	flagKCurve        = "k-curve"
	flagSteps         = "steps"
	flagConfidence    = "confidence"
	flagToolUse       = "tool-use"
	flagByCategory    = "by-category"
	flagAll           = "all"
	flagWide          = "wide"
	flagRows          = "rows"
	flagAcross        = "across"
	flagJudge         = "judge"
	flagCalibration   = "calibration"
	flagPass          = "pass"
	flagAllowSeen     = "allow-seen"
	flagConcurrency   = "concurrency"
	flagGold          = "gold"
	flagReason        = "reason"
	flagUniform       = "uniform"
	flagRates         = "rates"
	flagOwner         = "owner"
	flagReflector     = "reflector"
	flagMaxCalls      = "max-calls"
	flagDebug         = "debug"
)

func seedFlag(at **int64) cli.Flag {
	return &cli.Int64Flag{
		Name: flagSeed, Action: stored(at), EnvVars: []string{"CONCUR_SEED"}, DefaultText: "1 with an offline model, else " +
			"drawn",
		Usage: "`SEED` of the run",
	}
}

func resumeFlag(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: flagResume, TakesFile: true, Destination: at, DefaultText: "a new run",
		Usage: "run the missing part of `RUN`, a run folder, its name, or latest",
	}
}

func retryFailedFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: flagRetryFailed, Destination: at,
		Usage: "with --resume: run traces again that were lost to infrastructure failures",
	}
}

func yesFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: flagYes, Destination: at, EnvVars: []string{"CONCUR_YES"},
		Usage: "run without asking, at any cost",
	}
}

func allowSeenFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: flagAllowSeen, Destination: at,
		Usage: "allow queries that the playbook was learned from; the row says so, and the gate does not " +
			"accept the run",
	}
}

func dryRunFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{Name: "dry-run", Destination: at, Usage: "show the plan and run nothing; a missing file is an " +
		"error as in a run"}
}

func quietFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: flagQuiet, Destination: at, EnvVars: []string{"CONCUR_QUIET"},
		Usage: "no progress on standard error",
	}
}

func runsDirFlag(at *string) cli.Flag { return namedRunsDir(at, new(bool)) }

// namedRunsDir returns --runs-dir for a command that must know whether the folder was named.
func namedRunsDir(at *string, named *bool) cli.Flag {
	return &cli.StringFlag{
		Name: flagRunsDir, TakesFile: true, Action: noted(named), Destination: at, Value: "runs",
		EnvVars: []string{"CONCUR_RUNS_DIR"},
		Usage:   "`FOLDER` of run folders",
	}
}

func limitFlag(at **int) cli.Flag {
	return &cli.IntFlag{
		Name: flagLimit, Action: stored(at), DefaultText: "all",
		Usage: "use only the first `N` queries",
	}
}

func queryFlag(at *[]string) cli.Flag {
	return &cli.StringSliceFlag{
		Name: flagQuery, Action: listed(flagQuery, at),
		Usage: "use only the queries with these `IDS`",
	}
}

func categoryFlag(at *[]string) cli.Flag {
	return &cli.StringSliceFlag{
		Name: flagCategory, Action: listed(flagCategory, at),
		Usage: "use only the queries of these `CATEGORIES`",
	}
}

func tagFlag(at *[]string) cli.Flag {
	return &cli.StringSliceFlag{
		Name: flagTag, Action: listed(flagTag, at),
		Usage: "use only the queries with one of these `TAGS`",
	}
}

func failedInFlag(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: flagFailedIn, TakesFile: true, Destination: at,
		Usage: "use only the queries that were not right in `RUN`",
	}
}

func sampleFlag(at **int) cli.Flag {
	return &cli.IntFlag{
		Name: flagSample, Action: stored(at), DefaultText: "all",
		Usage: "use only `N` queries, drawn at random; the same --seed draws the same queries",
	}
}

func explainFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: flagExplain, Destination: at,
		Usage: "explain how to read the tables, and which rules and prompts were used",
	}
}

func outFlag(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: flagOut, TakesFile: true, Destination: at, EnvVars: []string{"CONCUR_OUT"},
		Usage: "write the result to `FILE` instead of standard output",
	}
}

func datasetFlag(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: flagDataset, TakesFile: true, Destination: at,
		DefaultText: "where the run found it, else its name in this folder",
		Usage:       "`FILE` with the run's dataset, if the dataset was moved",
	}
}

func flipsFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{Name: flagFlips, Destination: at, Usage: "show queries with another verdict than the baseline"}
}

func marginFlag(o *comparisonOptions) cli.Flag {
	return &cli.Float64Flag{
		Name: flagMargin, Destination: &o.margin, Value: ablations.DefaultMargin, EnvVars: []string{"CONCUR_MARGIN"},
		Usage: "largest difference of `RATES` that counts as equivalent, or as not worse; 1 and more are points",
		Action: func(*cli.Context, float64) error { // before a run
			o.notWorse = true
			if err := ablations.CheckMargin(o.share()); err != nil {
				return fmt.Errorf("--margin: %w", err)
			}
			return nil
		},
	}
}

func configurationFlag(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: flagConfiguration, Destination: at, DefaultText: "the only one",
		Usage: "the configuration `NAME` of an ablation",
	}
}

func baselineFlag(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: flagBaseline, TakesFile: true, Destination: at, Value: "baseline.jsonl",
		EnvVars: []string{"CONCUR_BASELINE"},
		Usage:   "`FILE` with the accepted runs",
	}
}

func poolRunsFlag(at **int) cli.Flag {
	return &cli.IntFlag{
		Name: flagPoolRuns, Action: stored(at), DefaultText: "15 traces of each query, 5 runs at least",
		Usage: "number of accepted `RUNS` that the run is compared with",
	}
}

func alphaFlag(at *float64) cli.Flag {
	return &cli.Float64Flag{
		Name: "alpha", Destination: at, Value: gate.DefaultAlpha,
		Usage: "largest `PROBABILITY` of a false alarm",
	}
}

func noConfirmFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: flagNoConfirm, Destination: at,
		Usage: "run no fresh traces: decide with the existing ones, and print how many would be run",
	}
}

func strictFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: "strict", Destination: at,
		Usage: "use the levels for traces that are not independent",
	}
}

func forceFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{Name: "force", Destination: at, Usage: "replace existing files"}
}

func levelFlag(at *float64) cli.Flag {
	return &cli.Float64Flag{
		Name: "level", Destination: at, Value: learn.DefaultLevel,
		Usage: "significance `LEVEL` for the tests of all sequences together",
	}
}

func fileFlag(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: "file", TakesFile: true, Destination: at, Value: "memory.jsonl", EnvVars: []string{"CONCUR_MEMORY"},
		Usage: "the `FILE` of the items",
	}
}

func ownerFlag(at **string) cli.Flag {
	return &cli.StringFlag{
		Name: flagOwner, Action: stored(at), DefaultText: "nobody's",
		Usage: "`NAME` of the person to whom the items belong",
	}
}
