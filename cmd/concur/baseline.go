package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) baselineAdd(ctx *cli.Context, w io.Writer) error {
	run, err := gatedRun(ctx)
	if err != nil {
		return err
	}
	data, _, err := runner.Reopen(run.Manifest, ctx.String(flagDataset))
	if err != nil {
		return err
	}
	file := ctx.String(flagBaseline)
	candidate := baseline.Candidate{}
	if candidate.Pass, err = readPass(run, ctx.String(flagConfiguration)); err != nil {
		return err
	}
	name := candidate.Configuration.Name
	log, err := confirm.ReadLog(run, name)
	if err := cmp.Or(candidate.Judged(), err); err != nil {
		return err
	}
	// A decision counts by this baseline, and an alarm by any.
	if own, ok := confirm.Own(log); ok && (own.Decision.Alarm() || own.Baseline == filepath.Clean(file) || sameFile(own.Baseline, file)) {
		candidate.Decision, candidate.Bootstrap, candidate.Undecided = own.Decision, own.Bootstrap, confirm.Undecided(log)
	}
	b, err := c.accept(ctx, file, candidate, data)
	if err == nil {
		fmt.Fprintf(w, "accepted %s into %s; configuration %s has %s\n", run.Manifest.Run, file, name, text.Counted(len(b.Counting(name)), "run"))
	}
	return err
}

// accept adds a run to a baseline, by hand where --override says why.
func (c *console) accept(ctx *cli.Context, file string, run baseline.Candidate, data *datasets.Dataset) (*baseline.Baseline, error) {
	if reason := ctx.String("override"); reason != "" {
		run.Override = &baseline.Override{Reason: reason, Author: c.author(ctx.Context)}
	}
	return changeBaseline(ctx.Context, file, func(b *baseline.Baseline) error { return b.Add(run, data) })
}

func changeBaseline(ctx context.Context, file string, change func(*baseline.Baseline) error) (*baseline.Baseline, error) {
	b, err := baseline.Change(ctx, file, change)
	if errors.Is(err, store.ErrHeld) || errors.Is(err, baseline.ErrNotWritten) {
		err = &exitError{exitInvalid, err}
	}
	return b, err
}

func (c *console) baselineReset(ctx *cli.Context, w io.Writer) error {
	if ctx.String("reason") == "" {
		return usagef("baseline reset needs --reason: whoever looks at the file later will want to know")
	}
	keep := list(ctx, "keep")
	for i, of := range keep {
		if of != store.Latest {
			continue
		}
		run, err := store.Find(ctx.String(flagRunsDir), of)
		if err != nil {
			return err
		}
		keep[i] = run.Manifest.Run
	}
	r := baseline.Reset{Author: c.author(ctx.Context), Reason: ctx.String("reason"), Keep: keep}
	b, err := changeBaseline(ctx.Context, ctx.String(flagBaseline), func(b *baseline.Baseline) (err error) {
		r.Time = time.Now()
		if r.Configuration, err = configurationOf(ctx, b); err != nil {
			return err
		}
		return b.Reset(r)
	})
	if err == nil {
		fmt.Fprintf(w, "configuration %s begins again in %s, with %s\n", r.Configuration, ctx.String(flagBaseline), text.Counted(len(b.Counting(r.Configuration)), "run"))
	}
	return err
}

func baselinePrune(ctx *cli.Context, w io.Writer) error {
	var gone []string
	file := ctx.String(flagBaseline)
	b, err := changeBaseline(ctx.Context, file, func(b *baseline.Baseline) (err error) {
		gone, err = b.Prune(ctx.Int("keep-runs"))
		return err
	})
	if err == nil {
		fmt.Fprintf(w, "removed %s from %s, which has %d now\n", text.Counted(len(gone), "run"), file, len(b.Runs))
	}
	return err
}

// poolOf reads the baseline, and gives the pool of the configuration that was named.
func poolOf(ctx *cli.Context) (*baseline.Baseline, baseline.Pool, error) {
	b, err := baseline.Read(ctx.String(flagBaseline))
	if err != nil {
		return nil, baseline.Pool{}, err
	}
	name, err := configurationOf(ctx, b)
	return b, b.Pool(name, ctx.Int("pool-runs"), 0), err
}

// configurationOf is the configuration that was named, or the only one of a baseline.
func configurationOf(ctx *cli.Context, b *baseline.Baseline) (string, error) {
	known, name, file := b.Configurations(), ctx.String(flagConfiguration), ctx.String(flagBaseline)
	switch {
	case len(known) == 0:
		return "", usagef("the baseline %s has no runs; accept some with `concur baseline add RUN`", file)
	case name == "" && len(known) == 1:
		return known[0], nil
	case !slices.Contains(known, name):
		return "", usagef("the baseline %s has runs of %s, and not of %q: name one with --configuration", file, strings.Join(known, ", "), name)
	}
	return name, nil
}

func baselineShow(ctx *cli.Context, o *output) error {
	b, pool, err := poolOf(ctx)
	if err != nil {
		return err
	}
	var graded baseline.Regraded
	if source := ctx.String(flagDataset); source != "" {
		data, err := datasets.Open(source)
		if err != nil {
			return err
		}
		if pool, graded, err = pool.Regrade(data); err != nil {
			return err
		}
	}
	shown := reports.BaselineOf(ctx.String(flagBaseline), b, pool, pool.Evidence(1, confirm.Permutations))
	shown.Warnings = append(shown.Warnings, graded.Warnings()...)
	return o.write(func() error { return reports.WriteBaseline(o, reports.Format(o.format), shown, o.screen(false)) })
}

// author is who labels an answer or changes a baseline: whom the CI names, or git.
func (c *console) author(ctx context.Context) string {
	ident, _ := gitOutput(ctx, "var", "GIT_AUTHOR_IDENT") // name <address> time zone
	name, _, found := strings.Cut(ident, "> ")
	if found {
		name += ">"
	}
	return cmp.Or(c.environ("GITHUB_ACTOR"), c.environ("GITLAB_USER_LOGIN"), name, c.environ("USER"), c.environ("USERNAME"), "unknown")
}

// plainName is what --as takes: it becomes part of a file's name.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// simulations bounds the time that the figures of many queries take.
func simulations(ctx *cli.Context, queries int) int {
	n := ctx.Int("simulations")
	if ctx.IsSet("simulations") || queries <= 100 {
		return n
	}
	return n * 100 * 100 / (queries * queries)
}

func gateOptions(ctx *cli.Context) (gate.Options, error) {
	o := gate.Options{Alpha: ctx.Float64("alpha"), Strict: ctx.Bool("strict"), Spaced: ctx.Duration("spaced") > 0, Thresholds: map[string]float64{}}
	switch runs, spaced, as := ctx.Int("pool-runs"), ctx.Duration("spaced"), ctx.String("as"); {
	case !(o.Alpha >= gate.LeastAlpha && o.Alpha < 1):
		return o, usagef("--alpha is %v: it must lie between %v and 1, such as %v", o.Alpha, gate.LeastAlpha, gate.DefaultAlpha)
	case ctx.IsSet("pool-runs") && runs < 1:
		return o, usagef("--pool-runs is %d: it must be at least 1", runs)
	case spaced < 0:
		return o, usagef("--spaced is %s: it must not be negative", spaced)
	case ctx.IsSet("as") && !plainName.MatchString(as):
		return o, usagef("--as is %q: a name has letters, digits, - and _, at most 40; or leave the flag out", as)
	}
	if ctx.Bool("no-confirm") {
		o.NoFresh = "--no-confirm"
	}
	for _, name := range gate.Limits() {
		if ctx.IsSet(name) {
			o.Thresholds[name] = cmp.Or(ctx.Duration(name).Seconds(), ctx.Float64(name)) // 0 for the other kind of flag
		}
	}
	return o, nil
}

func (c *console) simulateAction(ctx *cli.Context, o *output) error {
	options, err := gateOptions(ctx)
	if err != nil {
		return err
	}
	rates, cfg := []float64(nil), gate.SimConfig{K: 3, Options: options}
	if text := ctx.String("rates"); text != "" {
		if rates, err = gate.ParseRates(text); err != nil {
			err = fmt.Errorf("--rates: %w", err)
		}
	} else if _, pool, unread := poolOf(ctx); unread != nil {
		err = unread
	} else if len(pool.Runs) == 0 {
		err = usagef("simulate gate: the baseline %s has no runs that count since its last reset; accept some with `concur baseline add`", ctx.String(flagBaseline))
	} else {
		rates, cfg = gate.Posterior(pool.Evidence(1, confirm.Permutations), options)
	}
	if err != nil {
		return err
	}
	if ctx.IsSet("k") {
		cfg.K, cfg.Histories, cfg.PoolRuns = ctx.Int("k"), nil, 0 // a baseline that was made with it
	}
	if n := cmp.Or(ctx.Int("pool-runs"), cfg.PoolRuns, baseline.PoolRuns(cfg.K)); n != cfg.PoolRuns {
		cfg.PoolRuns, cfg.Histories = n, nil
	}
	cfg.Runs, cfg.Seed = ctx.Int("simulations"), 1
	if ctx.IsSet("seed") {
		cfg.Seed = ctx.Int64("seed")
	}
	out, err := c.simulate(ctx, rates, cfg)
	if err != nil {
		return err
	}
	return o.write(func() error { return reports.WriteOperating(o, reports.Format(o.format), out, o.screen(false)) })
}

func (c *console) simulate(ctx *cli.Context, rates []float64, cfg gate.SimConfig) (gate.Operating, error) {
	share, stop := c.progress(ctx.Bool(flagQuiet)).Bar(fmt.Sprintf("simulate the gate on %s, %d runs for each figure", text.Counted(len(rates), "query"), cfg.Runs))
	defer stop()
	cfg.OnShare = share
	return gate.Simulate(ctx.Context, rates, cfg)
}
