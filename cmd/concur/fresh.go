package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model/limit"
	"github.com/seed-5817661a/concur/runner/store"
)

// freshAgent runs further traces of a gated run's agent, for confirm.Folders.
type freshAgent struct {
	*gateService
	ctx *cli.Context
}

// Begin runs traces into a new folder beside the run.
func (a *freshAgent) Begin(ctx context.Context, folder string, queries []string, first, traces int) error {
	c := a.Pass.Configuration
	conf := c.Configuration
	limits, err := a.limits()
	if err != nil {
		return err
	}
	conf.Name, conf.Limits, conf.K = c.Name, limits, traces
	data, of, err := runner.Selection{Filter: store.Filter{Queries: queries}}.Open(a.source)
	if err != nil {
		return err
	}
	d, err := runner.NewDraft(data, of, []config.Configuration{conf}, &a.run.Manifest.Seed, time.Now())
	if err != nil {
		return err
	}
	d.Manifest.Run, d.Manifest.FreshOf, d.Manifest.GitCommit = folder, a.run.Manifest.Run, gitCommit(ctx)
	d.Manifest.Configurations[0].First = first
	return a.conductFresh(ctx, d, func(s *assemble.Session) (*store.Writer, *store.Prior, error) {
		out, err := store.Create(filepath.Dir(a.run.Dir), s.Manifest())
		if errors.Is(err, fs.ErrExist) {
			return nil, nil, a.another(folder)
		}
		return out, nil, err
	})
}

// Finish runs what is missing of a folder of fresh traces.
func (a *freshAgent) Finish(ctx context.Context, folder *store.Run, retry bool) error {
	c := a.Pass.Configuration.Configuration
	override(a.ctx, &c)
	asked := folder.Manifest.Configurations[0].Configuration
	asked.Limits = c.Limits
	d, err := runner.Retake{Settings: asked, Source: a.source, Versions: a.assembler.Versions}.Draft(folder.Manifest)
	if err != nil {
		return err
	}
	return a.conductFresh(ctx, d, func(*assemble.Session) (*store.Writer, *store.Prior, error) {
		out, prior, err := folder.Resume(time.Now(), d.Scope(retry))
		if errors.Is(err, store.ErrHeld) {
			return nil, nil, a.another(folder.Dir)
		}
		return out, prior, err
	})
}

// conductFresh runs a draft without a report of its own.
func (a *freshAgent) conductFresh(ctx context.Context, d runner.Draft, open func(*assemble.Session) (*store.Writer, *store.Prior, error)) error {
	return a.assembler.While(ctx, d, assemble.Options{}, func(running context.Context, s *assemble.Session) error {
		if err := a.sameAgent(s); err != nil {
			return err
		}
		out, prior, err := open(s)
		if _, known := errors.AsType[*exitError](err); known {
			return err
		}
		if err != nil {
			return notWritten(err)
		}
		err = a.conduct(running, s, out, prior, a.ctx.Bool(flagQuiet), a.signals, "concur gate "+store.ShellQuoted(a.run.Dir))
		if _, spent := errors.AsType[*limit.SpentError](err); spent {
			return fmt.Errorf("%w: the budget is spent, %w", confirm.ErrStopped, err)
		}
		return err
	})
}

// another is the error of the second of two gates on one run at once.
func (g *gateService) another(folder string) error {
	return &exitError{exitInvalid, fmt.Errorf("gate run %s: another gate is running its fresh traces, into %s: wait for it to end, and ask again; these traces are then found", g.run.Manifest.Run, folder)}
}

// sameAgent refuses fresh traces of another agent than the run's, and names the change, if the
// manifest shows it.
func (a *freshAgent) sameAgent(s *assemble.Session) error {
	c := a.Pass.Configuration
	if s.Arms[0].AgentHash == c.Agent {
		return nil
	}
	changed := runner.ChangedVersions(facts.Versions(a.run.Manifest, c.Name), s.Manifest().Versions)
	if len(changed) == 0 {
		changed = append(changed, fmt.Sprintf("the keys or addresses of its search (%s), or the content of the corpus %s", strings.Join(c.Search.Cascade, ", "), c.Search.Corpus))
	}
	return usagef("gate run %s: its agent has changed since, so that fresh traces would be of another: %s; put that back, or run again and gate on that run", a.run.Manifest.Run, strings.Join(changed, "; "))
}

// limits are those of the run with those of flags over them. The budget is what earlier rounds
// have left of it.
func (a *freshAgent) limits() (config.Limits, error) {
	c := a.Pass.Configuration.Configuration
	override(a.ctx, &c)
	l := c.Limits
	if l.USD > 0 {
		l.USD -= a.folders.Spent()
		if l.USD <= 0 {
			return l, fmt.Errorf("%w: the budget of $%g is spent", confirm.ErrStopped, c.Limits.USD)
		}
	}
	return l, nil
}

// approve prints what a round of fresh traces takes, and asks if it may cost more than
// limits.confirm_usd, or if its cost is not known.
func (g *gateService) approve(ctx *cli.Context, r confirm.Round) error {
	c := g.Pass.Configuration
	of := func(n int) string {
		tokens, usd := g.Estimate(n)
		if usd == nil {
			return fmt.Sprintf("%d (%.0f tokens)", n, tokens)
		}
		return fmt.Sprintf("%d (%.0f tokens, $%.2f)", n, tokens, *usd)
	}
	plan := fmt.Sprintf("fresh traces: %s now, at most %s in all", of(r.Traces), of(r.Before+r.Most))
	if g.expected != nil && r.Before == 0 {
		plan += fmt.Sprintf("; an unchanged agent takes %.0f in the mean, and %d or fewer in 95 %% of runs", g.expected.Unchanged.Fresh, g.expected.Unchanged.FreshP95)
	}
	if r.Wait > 0 {
		plan += fmt.Sprintf("; they begin in %s, in another session of the provider (--%s)", r.Wait.Round(time.Second), flagSpaced)
	}
	if !ctx.Bool(flagQuiet) {
		fmt.Fprintf(g.err, "concur: %s\n", plan)
	}
	most := c.Limits.ConfirmUSD
	if most == 0 || g.approved || ctx.Bool(flagYes) || config.IsOffline(c.Model) || ctx.IsSet("budget-usd") {
		return nil
	}
	why := fmt.Sprintf("a price for %s is not known", c.Model)
	if _, usd := g.Estimate(r.Before + r.Traces); usd != nil {
		if *usd <= most {
			return nil
		}
		why = fmt.Sprintf("they may cost about $%.2f, more than limits.confirm_usd, %.2f", *usd, most)
	}
	otherwise := fmt.Sprintf("add --%s to run them, or set a budget with --budget-usd", flagYes)
	if err := g.ask(plan+": "+why, "Run them?", otherwise); err != nil {
		return fmt.Errorf("%w: %s: %s", confirm.ErrStopped, why, otherwise)
	}
	g.approved = true
	return nil
}
