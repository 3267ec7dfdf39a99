package usefulness

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// DefaultTau is the gain from which a call counts as useful, in nats: Toolformer's threshold for most tools.
const DefaultTau = 1.0

// Options are the settings of a measurement.
type Options struct {
	Scorer        Scorer
	Tau           float64 // 0 or more
	Configuration string  // only this configuration; "" for all
	Parallel      int     // records that are scored at the same time; at least 1
	// Progress is called with the share of the records that are done; nil for no calls.
	Progress func(share float64)
}

// record is one query of one configuration with its calls.
type record struct {
	store.Record
	calls   []tracedCall
	entries []Entry
	done    chan struct{}
}

// tracedCall is a call with its trace, its gold and its trace's verdict.
type tracedCall struct {
	Call
	id      trace.ID
	gold    Gold
	verdict judge.Ruling
}

// Measure scores the calls of a run and returns the figures. Scores are read from the file in the run folder and
// appended to it, so that an interrupted measurement goes on where it stopped. Only a few records are in memory at a
// time. Measure never changes another file of the run.
//
// It returns an error if the run has no traces, if another process writes the file, and if the scorer fails in a way
// that affects all further calls. A call that alone cannot be scored is left out and counted.
func Measure(ctx context.Context, run *store.Run, golds Golds, o Options) (_ *Report, err error) {
	kept, err := openCache(run, o.Scorer.Name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, kept.close()) }()
	traces, err := run.Traces(ctx)
	if err != nil {
		return nil, err
	}
	defer traces.Close() // only read
	m := &meter{scorer: o.Scorer, cache: kept, pending: map[string]chan struct{}{}}
	sum := newSums(run.Manifest, o)
	queue := make(chan *record, max(1, o.Parallel))
	group, within := errgroup.WithContext(ctx)
	workers, working := errgroup.WithContext(within)
	workers.SetLimit(max(1, o.Parallel))
	group.Go(func() error { // reads
		defer close(queue)
		for r, err := range run.Records() {
			if err != nil {
				return err
			}
			if o.Configuration != "" && r.Configuration != o.Configuration {
				continue
			}
			rec := &record{Record: r, done: make(chan struct{})}
			if err := rec.read(traces, golds); err != nil {
				return err
			}
			select {
			case queue <- rec: // in order
			case <-working.Done():
				return workers.Wait()
			}
			workers.Go(func() error {
				defer close(rec.done)
				return rec.score(working, m)
			})
		}
		return workers.Wait()
	})
	all := float64(run.Manifest.Dataset.Queries)
	if o.Configuration == "" {
		all *= float64(len(run.Manifest.Configurations))
	}
	group.Go(func() error { // sums up, in the order of the records
		done := 0.0
		for rec := range queue {
			select {
			case <-rec.done:
			case <-within.Done():
				return nil
			}
			sum.add(rec)
			done++
			if o.Progress != nil && all > 0 {
				o.Progress(min(1, done/all))
			}
		}
		return nil
	})
	if err := group.Wait(); err != nil {
		if m.requests > 0 && kept.file != nil {
			err = fmt.Errorf("%w; scores so far are kept: run the same command again to go on", err)
		}
		return nil, fmt.Errorf("score the calls of run %s: %w", run.Manifest.Run, err)
	}
	return sum.report(m, kept), nil
}

// read reads the calls of a record's traces.
func (r *record) read(traces *store.Traces, golds Golds) error {
	turns := r.ByTurn()
	turnOf := map[string]int{"": 0}
	for n := range r.Turns {
		turnOf[model.TurnPath(n)] = n
	}
	for _, a := range r.Answers {
		id := trace.ID{Agent: r.Agent, Query: r.Query, Trace: a.Trace}
		events, err := traces.Events(id)
		if err != nil {
			return err
		}
		exchanges, err := traces.Exchanges(model.Identity{Agent: id.Agent, Query: id.Query, Trace: id.Trace,
			Purpose: model.Agent})
		if err != nil {
			return err
		}
		question := func(path string) string { return turns[turnOf[path]].Question }
		for _, c := range CallsOf(events, exchanges, question) {
			turn := turnOf[c.Path]
			of := tracedCall{Call: c, id: id, gold: golds.of(r.Query, turn)}
			for _, in := range turns[turn].Answers {
				if in.Trace == a.Trace {
					of.verdict = in.Verdict
				}
			}
			r.calls = append(r.calls, of)
		}
	}
	return nil
}

func (r *record) score(ctx context.Context, m *meter) error {
	for _, c := range r.calls {
		e, err := m.measure(ctx, c.id, c.Call, c.gold)
		if err != nil {
			return fmt.Errorf("query %s: %w", c.id.Query, err)
		}
		r.entries = append(r.entries, e)
	}
	return nil
}
