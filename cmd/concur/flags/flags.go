package flags

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
)

// Seed returns the flag --seed.
func Seed(at **int64) cli.Flag {
	return &cli.Int64Flag{
		Name: NameSeed, Action: Stored(at), EnvVars: []string{"CONCUR_SEED"}, DefaultText: "1 with an offline model, else " +
			"drawn",
		Usage: "`SEED` of the run",
	}
}

func resumeFlag(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: NameResume, TakesFile: true, Destination: at, DefaultText: "a new run",
		Usage: "run the missing part of `RUN`, a run folder, its name, or latest",
	}
}

func retryFailedFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: NameRetryFailed, Destination: at,
		Usage: "with --resume: run traces again that were lost to infrastructure failures",
	}
}

// Yes returns the flag --yes.
func Yes(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: NameYes, Destination: at, EnvVars: []string{"CONCUR_YES"},
		Usage: "run without asking, at any cost",
	}
}

func allowSeenFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: NameAllowSeen, Destination: at,
		Usage: "allow queries that the playbook was learned from; the row says so, and the gate does not " +
			"accept the run",
	}
}

// DryRun returns the flag --dry-run.
func DryRun(at *bool) cli.Flag {
	return &cli.BoolFlag{Name: "dry-run", Destination: at, Usage: "show the plan and run nothing; a missing file is an " +
		"error as in a run"}
}

// Quiet returns the flag --quiet.
func Quiet(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: NameQuiet, Destination: at, EnvVars: []string{"CONCUR_QUIET"},
		Usage: "no progress on standard error",
	}
}

// RunsDir returns the flag --runs-dir.
func RunsDir(at *string) cli.Flag { return NamedRunsDir(at, new(bool)) }

// NamedRunsDir returns --runs-dir for a command that must know whether the folder was named.
func NamedRunsDir(at *string, named *bool) cli.Flag {
	return &cli.StringFlag{
		Name: NameRunsDir, TakesFile: true, Action: Noted(named), Destination: at, Value: "runs",
		EnvVars: []string{"CONCUR_RUNS_DIR"},
		Usage:   "`FOLDER` of run folders",
	}
}

func limitFlag(at **int) cli.Flag {
	return &cli.IntFlag{
		Name: NameLimit, Action: Stored(at), DefaultText: "all",
		Usage: "use only the first `N` queries",
	}
}

func queryFlag(at *[]string) cli.Flag {
	return &cli.StringSliceFlag{
		Name: NameQuery, Action: Listed(NameQuery, at),
		Usage: "use only the queries with these `IDS`",
	}
}

func categoryFlag(at *[]string) cli.Flag {
	return &cli.StringSliceFlag{
		Name: NameCategory, Action: Listed(NameCategory, at),
		Usage: "use only the queries of these `CATEGORIES`",
	}
}

func tagFlag(at *[]string) cli.Flag {
	return &cli.StringSliceFlag{
		Name: NameTag, Action: Listed(NameTag, at),
		Usage: "use only the queries with one of these `TAGS`",
	}
}

func failedInFlag(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: NameFailedIn, TakesFile: true, Destination: at,
		Usage: "use only the queries that were not right in `RUN`",
	}
}

func sampleFlag(at **int) cli.Flag {
	return &cli.IntFlag{
		Name: NameSample, Action: Stored(at), DefaultText: "all",
		Usage: "use only `N` queries, drawn at random; the same --seed draws the same queries",
	}
}

func explainFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: NameExplain, Destination: at,
		Usage: "explain how to read the tables, and which rules and prompts were used",
	}
}

// Dataset returns the flag --dataset.
func Dataset(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: NameDataset, TakesFile: true, Destination: at,
		DefaultText: "where the run found it, else its name in this folder",
		Usage:       "`FILE` with the run's dataset, if the dataset was moved",
	}
}

func flipsFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{Name: NameFlips, Destination: at, Usage: "show queries with another verdict than the baseline"}
}

func marginFlag(o *ComparisonOptions) cli.Flag {
	return &cli.Float64Flag{
		Name: NameMargin, Destination: &o.margin, Value: ablations.DefaultMargin, EnvVars: []string{"CONCUR_MARGIN"},
		Usage: "largest difference of `RATES` that counts as equivalent, or as not worse; 1 and more are points",
		Action: func(*cli.Context, float64) error { // before a run
			o.NotWorse = true
			if err := ablations.CheckMargin(o.Share()); err != nil {
				return fmt.Errorf("--margin: %w", err)
			}
			return nil
		},
	}
}

// Configuration returns the flag --configuration.
func Configuration(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: NameConfiguration, Destination: at, DefaultText: "the only one",
		Usage: "the configuration `NAME` of an ablation",
	}
}

// Baseline returns the flag --baseline.
func Baseline(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: NameBaseline, TakesFile: true, Destination: at, Value: "baseline.jsonl",
		EnvVars: []string{"CONCUR_BASELINE"},
		Usage:   "`FILE` with the accepted runs",
	}
}

// PoolRuns returns the flag --pool-runs.
func PoolRuns(at **int) cli.Flag {
	return &cli.IntFlag{
		Name: NamePoolRuns, Action: Stored(at), DefaultText: "15 traces of each query, 5 runs at least",
		Usage: "number of accepted `RUNS` that the run is compared with",
	}
}

// Alpha returns the flag --alpha.
func Alpha(at *float64) cli.Flag {
	return &cli.Float64Flag{
		Name: "alpha", Destination: at, Value: gate.DefaultAlpha,
		Usage: "largest `PROBABILITY` of a false alarm",
	}
}

// NoConfirm returns the flag --no-confirm.
func NoConfirm(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: NameNoConfirm, Destination: at,
		Usage: "run no fresh traces: decide with the existing ones, and print how many would be run",
	}
}

// Strict returns the flag --strict.
func Strict(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: "strict", Destination: at,
		Usage: "use the levels for traces that are not independent",
	}
}

// Force returns the flag --force.
func Force(at *bool) cli.Flag {
	return &cli.BoolFlag{Name: "force", Destination: at, Usage: "replace existing files"}
}

// Level returns the flag --level.
func Level(at *float64) cli.Flag {
	return &cli.Float64Flag{
		Name: "level", Destination: at, Value: learn.DefaultLevel,
		Usage: "significance `LEVEL` for the tests of all sequences together",
	}
}

// File returns the flag --file.
func File(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: "file", TakesFile: true, Destination: at, Value: "memory.jsonl", EnvVars: []string{"CONCUR_MEMORY"},
		Usage: "the `FILE` of the items",
	}
}

// Owner returns the flag --owner.
func Owner(at **string) cli.Flag {
	return &cli.StringFlag{
		Name: NameOwner, Action: Stored(at), DefaultText: "nobody's",
		Usage: "`NAME` of the person to whom the items belong",
	}
}

// NameShard is the name of the flag for a part of a run.
const NameShard = "shard"

// Shard returns the flag --shard.
func Shard(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: NameShard, Destination: at, DefaultText: "the whole run",
		Usage: "run part `I/N` of the queries, such as 2/4, or auto in a job of Slurm, GitLab or Kubernetes; " +
			"`concur merge` joins the parts",
	}
}

// Author returns the flag --author.
func Author(at *string) cli.Flag {
	return &cli.StringFlag{
		Name: NameAuthor, Destination: at, EnvVars: []string{"CONCUR_AUTHOR"}, DefaultText: "whom git names",
		Usage: "`NAME` of the person who labels",
	}
}

// Uniform returns the flag --uniform.
func Uniform(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: NameUniform, Destination: at,
		Usage: "draw every answer with the same probability",
	}
}

// Watch returns the flag --watch.
func Watch(at *bool, what string) cli.Flag {
	return &cli.BoolFlag{Name: "watch", Destination: at, Usage: what}
}
