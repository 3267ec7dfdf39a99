package plan

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/seed-5817661a/concur/internal/scratch"
	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/runner/hub/worker"
	"github.com/seed-5817661a/concur/trace"
)

// TryRun opens the agents of a run as the worker would do, and makes a trace with each agent that is a program or a
// server. The traces are dropped. It returns the number of agents.
func (w Worker) TryRun(ctx context.Context, l *link.Link, a *assemble.Assembler, run wire.Run) (agents int, err error) {
	p, err := worker.OpenRun(ctx, l, run, w.Opener(l, a))
	if err != nil {
		return 0, err
	}
	m := p.Maker.(*maker) // of Opener
	return len(m.agents), errors.Join(m.try(ctx), m.Close())
}

// TryDraft does the same for a draft of a run, without a hub. It closes the dataset of the draft.
func (w Worker) TryDraft(ctx context.Context, a *assemble.Assembler, d runner.Draft) (agents int, err error) {
	for _, c := range d.Manifest.Configurations {
		if err := w.allows(ctx, a, c.Configuration); err != nil {
			return 0, errors.Join(err, d.Dataset.Close())
		}
	}
	dir, err := scratch.New(kindOfFolder) // the maker removes it
	if err != nil {
		return 0, errors.Join(err, d.Dataset.Close())
	}
	opened, err := open(ctx, a, d, dir, assemble.Options{}, func(bool) func(string) { return func(string) {} })
	if err != nil {
		return 0, err
	}
	m := opened.(*maker) // of open
	return len(m.agents), errors.Join(m.try(ctx), m.Close())
}

// try makes a trace with each agent that is not concur's own. concur's own agents need nothing more than what is open.
func (m *maker) try(ctx context.Context) error {
	var wrong []error
	seen := map[string]bool{}
	for _, arm := range m.arms {
		if !arm.Configuration.Agent.External.Used() || seen[arm.AgentHash] {
			continue
		}
		seen[arm.AgentHash] = true
		id := trace.ID{Agent: arm.AgentHash, Query: m.query, Trace: arm.First}
		lines := wire.NewEncoder(id, "")
		err := m.Run(slot.With(ctx, runtime.GOMAXPROCS(0)), runner.Job{ID: id}, lines)
		if end := lines.End(); err == nil && end != nil && end.Outcome == trace.Infra {
			cause := string(end.StopReason)
			if end.Cause != nil {
				cause = *end.Cause
			}
			err = errors.New(cause)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("configuration %s: a trace of query %.60s: %w", arm.Configuration.Name, m.query,
				err))
		}
	}
	return errors.Join(wrong...)
}
