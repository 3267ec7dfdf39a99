package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent/react"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// drainGrace is how long traces in flight may go on after the first signal.
const drainGrace = 10 * time.Second

// defaultDataset is what run takes without an argument.
const defaultDataset = "gold29"

func (c *console) runCommand() *cli.Command {
	flags := append(configurationFlags(),
		&cli.Int64Flag{Name: "seed", Usage: "`SEED` of the run", DefaultText: "1 with an offline model, else drawn", EnvVars: []string{"CONCUR_SEED"}},
		&cli.IntFlag{Name: "limit", Usage: "take the first `N` queries only", DefaultText: "all"},
		&cli.StringSliceFlag{Name: "query", Usage: "take the queries with these `IDS` only"},
		&cli.StringSliceFlag{Name: "category", Usage: "take the queries of these `CATEGORIES` only"},
		&cli.BoolFlag{Name: "dry-run", Usage: "show the plan and run nothing"},
		&cli.BoolFlag{Name: flagQuiet, Usage: "no progress on standard error", EnvVars: []string{"CONCUR_QUIET"}},
		runsDirFlag(), configFlag(),
	)
	return &cli.Command{
		Name:      "run",
		Usage:     "run K traces for every query of a dataset, and judge what they agree on",
		ArgsUsage: "[DATASET]",
		Description: `DATASET is a built-in name (` + strings.Join(datasets.Builtin(), ", ") + `) or a file (YAML, JSONL, CSV); without it, gold29.

Examples:
  concur run
  concur run -k 5 --temperature 0.3
  concur run --without calc --category calculation
  concur run my-queries.yaml --corpus ./docs --format json --out result.json`,
		Flags:        append(flags, outputFlags()...),
		OnUsageError: usageError,
		Action: func(ctx *cli.Context) error {
			return c.withOutput(ctx, func(o *output) error { return c.runAction(ctx, o) })
		},
	}
}

func (c *console) runAction(ctx *cli.Context, o *output) error {
	plan, err := planFrom(ctx)
	if err != nil {
		return err
	}
	if ctx.Bool("dry-run") {
		return o.write(func() error { return plan.describe(o) })
	}
	set, err := plan.open(ctx.Context)
	if err != nil {
		return usagef("%w", err)
	}
	runErr := c.execute(ctx, plan, o)
	if err := set.close(); err != nil {
		return errors.Join(runErr, fmt.Errorf("close tools: %w", err))
	}
	return runErr
}

// execute runs a plan in a folder of its own and reports on it.
func (c *console) execute(ctx *cli.Context, plan *runPlan, o *output) error {
	out, err := store.Create(ctx.String(flagRunsDir), plan.manifest())
	if err != nil {
		return usagef("%w", err)
	}
	progress := c.newProgress(out, plan, ctx.Bool(flagQuiet))
	drain, stopListening := listen(progress.say, out.Dir())
	runErr := plan.Run(ctx.Context, out, runner.Control{
		Drain: drain, Grace: drainGrace, Clock: time.Now,
		OnTrace: progress.trace, OnRecord: progress.record,
	})
	stopListening()
	progress.end(runErr)

	state := store.Complete
	switch {
	case errors.Is(runErr, runner.ErrDrained):
		state = store.Interrupted
	case runErr != nil:
		state = store.Failed
	}
	if err := out.Finish(state, time.Now()); err != nil {
		return &exitError{exitInvalid, fmt.Errorf("%w\nthe run is not complete; make room or choose another --runs-dir, and run again", err)}
	}
	switch state {
	case store.Interrupted:
		return &exitError{exitInterrupted, fmt.Errorf("interrupted; what is finished is kept in %s", out.Dir())}
	case store.Failed:
		return runErr
	}
	return c.reportOn(out.Dir(), o, true)
}

// runPlan is a run as asked for, before anything is opened.
type runPlan struct {
	runner.Plan
	given     *int64 // the seed, unless it was drawn
	of        int    // queries of the dataset before filters
	gitCommit *string
	start     time.Time
	suffix    string
}

func planFrom(ctx *cli.Context) (*runPlan, error) {
	if ctx.NArg() > 1 {
		return nil, usagef("run takes one dataset, and was given %s", strings.Join(ctx.Args().Slice(), " "))
	}
	conf, err := configuration(ctx)
	if err != nil {
		return nil, err
	}
	name := defaultDataset
	if ctx.NArg() == 1 {
		name = ctx.Args().First()
	}
	data, err := datasets.Open(name)
	if err != nil {
		return nil, usagef("%w", err)
	}
	if ctx.IsSet("limit") && ctx.Int("limit") < 1 {
		return nil, usagef("--limit is %d: it must be at least 1", ctx.Int("limit"))
	}
	of := len(data.Queries)
	data, err = data.Filter(list(ctx, "query"), list(ctx, "category"), ctx.Int("limit"))
	if err != nil {
		return nil, usagef("%w", err)
	}
	seed, suffix, err := draw(ctx, conf)
	if err != nil {
		return nil, err
	}
	p := &runPlan{
		Plan: runner.Plan{Configuration: conf, Dataset: data, Seed: seed},
		of:   of, gitCommit: gitCommit(ctx.Context), start: time.Now(), suffix: suffix,
	}
	if ctx.IsSet("seed") || isOffline(conf.Model) {
		p.given = &seed
	}
	if err := p.Check(); err != nil {
		return nil, usagef("%w", err)
	}
	return p, nil
}

// draw gives the run's seed (as asked for; 1 for an offline model; else random) and the
// random end of its name.
func draw(ctx *cli.Context, conf config.Configuration) (seed int64, suffix string, err error) {
	var random [12]byte
	if _, err := rand.Read(random[:]); err != nil {
		return 0, "", fmt.Errorf("draw a seed: %w; give one with --seed", err)
	}
	suffix = fmt.Sprintf("%x", random[8:])
	switch {
	case ctx.IsSet("seed"):
		return ctx.Int64("seed"), suffix, nil
	case isOffline(conf.Model):
		return 1, suffix, nil
	default:
		return int64(binary.BigEndian.Uint64(random[:8]) >> 33), suffix, nil
	}
}

// open turns the names in the configuration into a model, tools and an agent.
func (p *runPlan) open(ctx context.Context) (*toolset, error) {
	m, err := openModel(p.Configuration.Model)
	if err != nil {
		return nil, err
	}
	set, err := openTools(ctx, p.Configuration.Agent.Tools, p.Configuration.Search)
	if err != nil {
		return nil, err
	}
	if err := p.openAsked(m); err != nil {
		return nil, errors.Join(err, set.close())
	}
	p.Model = m
	p.Agent = &react.Agent{Config: p.Configuration.Agent, Tools: set.registry}
	p.AgentHash, err = agentHash(p.Configuration, set)
	return set, err
}

func (p *runPlan) manifest() store.Manifest {
	return store.Manifest{
		Run:   fmt.Sprintf("%s-%s-%s", p.start.UTC().Format("20060102T150405"), p.Dataset.Name, p.suffix),
		Start: p.start,
		Dataset: store.Dataset{
			Name: p.Dataset.Name, Hash: p.Dataset.Hash, Queries: len(p.Dataset.Queries), Of: p.of, Categories: p.Dataset.Categories(),
		},
		Seed:           p.Seed,
		Configurations: []store.Configuration{{Name: p.Configuration.Name, Agent: p.AgentHash, Configuration: p.Configuration}},
		Versions:       p.versions(),
		GitCommit:      p.gitCommit,
	}
}

// verifierName is the model that verifies or picks; "" where no stage asks one.
func (p *runPlan) verifierName() string {
	for _, s := range p.Configuration.Consensus.Stages {
		if s == config.StageVerifier || s == config.StagePick {
			return p.Configuration.Verifier.Model
		}
	}
	return ""
}

// versions are those of rules and prompts, and what stands behind the model's name.
func (p *runPlan) versions() map[string]string {
	v := versions()
	v["model"] = modelIdentity(p.Configuration.Model)
	return v
}

// describe prints what a run would do. Calls and tokens depend on what the model does,
// so that only bounds can be told before.
func (p *runPlan) describe(o *output) error {
	traces := len(p.Dataset.Queries) * p.Configuration.K
	steps := 0
	for _, q := range p.Dataset.Queries {
		turns := p.Configuration.Agent.MaxSteps
		if q.MaxSteps > 0 && !p.Configuration.Agent.FixedSteps {
			turns = q.MaxSteps
		}
		steps += (turns + 1) * p.Configuration.K // and the forced answer
	}
	return o.plan(planned{
		Schema: "concur/plan/v1", Dataset: p.Dataset.Name, Queries: len(p.Dataset.Queries), K: p.Configuration.K,
		Model: p.Configuration.Model, Tools: p.Configuration.Agent.Tools, Traces: traces,
		MaxModelCalls: steps, MaxToolCalls: traces * p.Configuration.Agent.MaxToolCalls, Seed: p.given,
		Verifier: p.verifierName(), Correctness: p.Configuration.Judge.Correctness, Quality: p.Configuration.Judge.Quality,
	})
}

// gitCommit is the commit of the working directory, nil where there is none.
func gitCommit(ctx context.Context) *string {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	raw, err := exec.CommandContext(ctx, "git", "rev-parse", "HEAD").Output()
	if err != nil {
		return nil
	}
	sha := strings.TrimSpace(string(raw))
	return &sha
}

func summaryPath(dir string) string { return filepath.Join(dir, "summary.json") }
