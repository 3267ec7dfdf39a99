package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) baselineAdd(ctx *cli.Context) error {
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
		candidate.Decision, candidate.Bootstrap = own.Decision, own.Bootstrap
	}
	if reason := ctx.String("override"); reason != "" {
		candidate.Override = &baseline.Override{Reason: reason, Author: c.author(ctx.Context)}
	}
	b, err := changeBaseline(ctx.Context, file, func(b *baseline.Baseline) error { return b.Add(candidate, data) })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "accepted %s into %s; configuration %s has %s\n", run.Manifest.Run, file, name, gate.Counted(len(b.Counting(name)), "run"))
	return err
}

func changeBaseline(ctx context.Context, file string, change func(*baseline.Baseline) error) (*baseline.Baseline, error) {
	b, err := baseline.Change(ctx, file, change)
	switch {
	case errors.Is(err, store.ErrHeld), errors.Is(err, baseline.ErrNotWritten):
		return nil, &exitError{exitInvalid, err}
	case err != nil:
		return nil, notWritten(err)
	}
	return b, nil
}

func (c *console) baselineReset(ctx *cli.Context) error {
	if err := noArguments(ctx); err != nil {
		return err
	}
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
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "configuration %s begins again in %s, with %s\n", r.Configuration, ctx.String(flagBaseline), gate.Counted(len(b.Counting(r.Configuration)), "run"))
	return err
}

func (c *console) baselinePrune(ctx *cli.Context) error {
	if err := noArguments(ctx); err != nil {
		return err
	}
	var gone []string
	file := ctx.String(flagBaseline)
	b, err := changeBaseline(ctx.Context, file, func(b *baseline.Baseline) (err error) {
		gone, err = b.Prune(ctx.Int("keep-runs"))
		return err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "removed %d runs from %s, which has %d now\n", len(gone), file, len(b.Runs))
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
