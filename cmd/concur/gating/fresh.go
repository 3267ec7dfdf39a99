package gating

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/cmd/concur/running"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model/limit"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// Begin runs traces of the gated run's agent into a new folder beside the run, for confirm.Folders. Its budget
// is the part that earlier rounds have not spent.
func (g *gateService) Begin(ctx context.Context, folder string, queries []string, first, traces int) error {
	conf := g.Pass.Configuration.Configuration
	conf.Name, conf.K, conf.Limits = g.Pass.Configuration.Name, traces, g.limits()
	if budget := conf.Limits.USD; budget > 0 {
		if conf.Limits.USD -= g.folders.Spent(); conf.Limits.USD <= 0 {
			return fmt.Errorf("%w: the budget of $%g is spent", confirm.ErrStopped, budget)
		}
	}
	data, of, err := runner.Selection{Part: datasets.Part{Queries: queries}}.Open(g.source)
	if err != nil {
		return err
	}
	defer data.Close()
	d, err := runner.NewDraft(data, of, []config.Configuration{conf}, &g.run.Manifest.Seed, time.Now())
	if err != nil {
		return err
	}
	d.Manifest.Run, d.Manifest.FreshOf, d.Manifest.GitCommit = folder, g.run.Manifest.Run, console.GitCommit(ctx)
	d.Manifest.Configurations[0].First = first
	return g.conductFresh(ctx, d, func(s *assemble.Session) (*store.Writer, *store.Prior, error) {
		out, err := store.Create(filepath.Dir(g.run.Dir), s.Manifest())
		return out, nil, err
	})
}

// Finish runs the missing traces of a folder of fresh traces.
func (g *gateService) Finish(ctx context.Context, folder *store.Run, retry bool) error {
	asked := folder.Manifest.Configurations[0].Configuration
	asked.Limits = g.limits()
	d, err := runner.Retake{Settings: asked, Source: g.source, Versions: g.Assembler.Versions}.Draft(folder.Manifest)
	if err != nil {
		return err
	}
	defer d.Dataset.Close()
	return g.conductFresh(ctx, d, func(*assemble.Session) (*store.Writer, *store.Prior, error) {
		return folder.Resume(time.Now(), d.Scope(retry))
	})
}

// limits returns the limits of the run, replaced with those that flags set.
func (g *gateService) limits() config.Limits {
	c := g.Pass.Configuration.Configuration
	g.given.Override(&c)
	return c.Limits
}

// conductFresh runs a draft without printing a report.
func (g *gateService) conductFresh(ctx context.Context, d runner.Draft,
	open func(*assemble.Session) (*store.Writer, *store.Prior, error)) error {
	return g.Assembler.While(ctx, d, assemble.Options{}, func(ctx context.Context, s *assemble.Session) error {
		if err := g.sameAgent(s); err != nil {
			return err
		}
		out, prior, err := open(s)
		if errors.Is(err, fs.ErrExist) || errors.Is(err, disk.ErrHeld) {
			return console.WithCode(console.ExitInvalid,
				fmt.Errorf("gate run %s: another gate is running its fresh traces, into %s: wait "+
					"until it ends, and repeat the command, which then reads these traces", g.run.Manifest.Run, d.Manifest.Run))
		}
		if err != nil {
			return err
		}
		err = running.Conduct(ctx, g.Console, s, out, prior, running.Execution{Quiet: g.given.quiet}, g.signals,
			"concur gate "+store.ShellQuoted(g.run.Dir))
		if _, spent := errors.AsType[*limit.SpentError](err); spent {
			return fmt.Errorf("%w: %w", confirm.ErrStopped, err)
		}
		return err
	})
}

// sameAgent returns an error if the agent is not that of the run. The error names the change, if the manifest
// shows it.
func (g *gateService) sameAgent(s *assemble.Session) error {
	c := g.Pass.Configuration
	if s.Arms[0].AgentHash == c.Agent {
		return nil
	}
	changed := runner.ChangedVersions(facts.Versions(g.run.Manifest, c.Name), s.Manifest().Versions)
	if len(changed) == 0 {
		changed = append(changed, fmt.Sprintf("the keys or addresses of its search (%s), or the content of the corpus %s",
			strings.Join(c.Search.Cascade, ", "), c.Search.Corpus))
	}
	return console.Usagef("gate run %s: its agent has changed since the run, so fresh traces would be of another agent: "+
		"%s; undo the change, or run again and gate the new run", g.run.Manifest.Run, strings.Join(changed, "; "))
}

// approve prints what a round of fresh traces may cost. It asks a person if the cost may exceed
// limits.confirm_usd, or is unknown. Models on this machine cost nothing.
func (g *gateService) approve(r confirm.Round) error {
	c := g.Pass.Configuration
	of := func(n int, tokens float64, usd *float64) string {
		if usd == nil {
			return fmt.Sprintf("%d (%.0f tokens)", n, tokens)
		}
		return fmt.Sprintf("%d (%.0f tokens, $%.2f)", n, tokens, *usd)
	}
	tokens, usd := g.Estimate(r)
	all, allUSD := g.EstimateMean(r.Before + r.Most)
	plan := fmt.Sprintf("fresh traces: %s now, at most %s in all", of(r.Traces, tokens, usd),
		of(r.Before+r.Most, all, allUSD))
	if g.expected != nil && r.Before == 0 {
		plan += fmt.Sprintf("; an unchanged agent needs %.0f on average, and at most %d in 95 %% of runs",
			g.expected.Unchanged.Fresh, g.expected.Unchanged.FreshP95)
	}
	if !r.Begins.IsZero() {
		plan += fmt.Sprintf("; they begin in %s, in another session of the provider", time.Until(r.Begins).Round(time.Second))
	}
	if !g.given.quiet {
		fmt.Fprintf(g.Err, "concur: %s\n", plan)
	}
	most := c.Limits.ConfirmUSD
	paid := g.Assembler.Paid(c.Configuration)
	if most == 0 || g.approved || g.given.yes || config.IsOffline(c.Model) || usd == nil && len(paid) == 0 ||
		g.given.Gives(flags.NameBudgetUSD) {
		return nil
	}
	why := fmt.Sprintf("a price for %s is not known", cmp.Or(slices.Concat(paid, []string{c.Model})...))
	if _, before := g.EstimateMean(r.Before); usd != nil && before != nil {
		if *usd+*before <= most {
			return nil
		}
		why = fmt.Sprintf("they may cost about $%.2f, more than limits.confirm_usd, %.2f", *usd+*before, most)
	}
	otherwise := "add --yes to run them, or set a budget with --budget-usd"
	if err := g.Ask(plan+": "+why, "Run them?", otherwise); err != nil {
		return fmt.Errorf("%w: %s: %s", confirm.ErrStopped, why, otherwise)
	}
	g.approved = true
	return nil
}
