package baseline

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Candidate is a run to be accepted into the baseline.
type Candidate struct {
	Pass
	// Decision is the gate's decision on the run. It is "" if a person accepted the run without a gate.
	// Bootstrap reports that the decision was INCONCLUSIVE only because history was missing.
	Decision  gate.Decision
	Bootstrap bool
	Undecided bool      // the gate was interrupted before it decided
	Override  *Override // nil without an override
}

// Add accepts a run of the dataset with its present content. It returns an error, and does not change the
// baseline, for
//
//   - a run that Evidential refuses,
//   - an incomplete run, or one that was stopped early,
//   - a run of another content of the dataset,
//   - a run whose traces are already in the baseline,
//   - a run that began before the last reset.
//
// Without an override it also returns an error for an INVALID run, and for a run that its gate did not pass. A
// run is accepted, however, if it did not pass only because history was missing.
func (b *Baseline) Add(c Candidate, d *datasets.Dataset) error {
	run, made := c.run(), facts.FromManifest(c.Manifest, c.Configuration)
	run.Facts = made.Key()
	if err := cmp.Or(Evidential(c.Manifest), c.whole(d), c.admitted(), b.independent(c), run.sum(c.Pass)); err != nil {
		return fmt.Errorf("add run %s to the baseline: %w", c.Manifest.Run, err)
	}
	run.Queries = c.queries(d)
	b.Runs = append(b.Runs, run)
	if b.Facts == nil {
		b.Facts = map[string]facts.Facts{}
	}
	b.Facts[run.Facts] = made
	b.sort()
	return nil
}

// Over returns the run in the form that a baseline has, for the dataset's present content. The sums for plain
// thresholds are missing. It returns an error for a run that is incomplete, that was stopped early, that used
// another content of the dataset, or that Evidential refuses.
func (p Pass) Over(d *datasets.Dataset) (AcceptedRun, error) {
	c := Candidate{Pass: p}
	if err := cmp.Or(Evidential(p.Manifest), c.whole(d)); err != nil {
		return AcceptedRun{}, fmt.Errorf("read run %s: %w", p.Manifest.Run, err)
	}
	run := c.run()
	run.Queries = c.queries(d)
	return run, nil
}

// queries returns the traces of the run for every query of the dataset.
func (p Pass) queries(d *datasets.Dataset) (out []AcceptedQuery) {
	records := map[string]store.Record{}
	for _, r := range p.Records {
		records[r.Query] = r
	}
	for _, q := range d.Queries {
		one := AcceptedQuery{questionOf(q), []AcceptedTrace{}}
		for _, a := range records[q.ID].Answers {
			t := Accepted(a)
			if message, ok := p.Messages[trace.ID{Agent: p.Configuration.Agent, Query: q.ID, Trace: a.Trace}]; ok &&
				readsMessage(q.Gold) {
				t.Message = &message
			}
			one.Traces = append(one.Traces, t)
		}
		out = append(out, one)
	}
	return out
}

// run returns the line of the baseline for the run, with the fields that its manifest has.
func (c Candidate) run() AcceptedRun {
	m, of := c.Manifest, c.Configuration
	run := AcceptedRun{
		Run: m.Run, Start: m.Start.Round(0).UTC(), Configuration: of.Name, Agent: of.Agent, Model: of.Model, K: of.K,
		Seed:     m.Seed,
		Dataset:  AcceptedDataset{m.Dataset.Name, m.Dataset.Hash, m.Dataset.Queries},
		Versions: m.Versions, GitCommit: m.GitCommit, Models: c.Models, Override: c.Override,
		Passes: []AcceptedPass{{m.Run, m.Seed, ""}},
	}
	if !c.Deterministic { // a deterministic model may give the same replies under every seed
		run.Passes[0].Digest, run.Copies = c.Digest, Copies{Long: c.Copies.Long, Short: c.Copies.Short}
	}
	if c.Decision != "" {
		run.Decision = &c.Decision
	}
	return run
}

// sum fills in the figures that plain thresholds need, from the run's summary.
func (run *AcceptedRun) sum(p Pass) error {
	m := p.Manifest
	m.Configurations = []store.Configuration{p.Configuration}
	all, err := result.Summarize(m, func(yield func(store.Record, error) bool) {
		for _, r := range p.Records {
			if !yield(r, nil) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	row := all.Configurations[0]
	run.Correct, run.USD, run.P95S = row.Counts.Correct, row.Usage.USD, row.Timing.TraceP95S
	return nil
}

func (c Candidate) whole(d *datasets.Dataset) error {
	m := c.Manifest
	switch {
	case m.State != store.Complete:
		return fmt.Errorf("it is not complete but %s: finish it with `concur run --resume %s`", m.State, m.Run)
	case m.Dataset.Hash != d.Hash:
		return fmt.Errorf("the dataset %s has changed since (%.19s, now %.19s): run again over the dataset "+
			"as it is now", d.Name, m.Dataset.Hash, d.Hash)
	case len(c.Records) != len(d.Queries):
		return fmt.Errorf("it has records of %d queries, and the dataset has %d: finish it with `concur run "+
			"--resume %s`", len(c.Records), len(d.Queries), m.Run)
	}
	var short []string
	for _, r := range c.Records {
		if len(r.Answers) != c.Configuration.K {
			short = append(short, fmt.Sprintf("%s (%d of %d)", r.Query, len(r.Answers), c.Configuration.K))
		}
	}
	if len(short) > 0 {
		return fmt.Errorf("it was stopped early: traces of %s; stopping depends on the answers, and a baseline needs "+
			"all traces; run without early stop", text.Listed(short))
	}
	return nil
}

// admitted returns an error for an INVALID run, and for a run that its gate did not pass. If a person overrides
// the gate, it returns no error.
func (c Candidate) admitted() error {
	if o := c.Override; o != nil {
		if strings.TrimSpace(o.Reason) == "" || strings.TrimSpace(o.Author) == "" {
			return errors.New("an override needs a reason and an author: give both")
		}
		return nil
	}
	switch {
	case c.Undecided:
		return errors.New("its gate was interrupted before it decided: run the gate again, which continues, or " +
			"accept it with --override \"reason\"")
	case c.Decision == gate.Invalid:
		return fmt.Errorf("its gate decided INVALID: run lost traces again with %s and run "+
			"the gate again, begin a new run, or accept it with --override \"reason\"", Retry(c.Manifest))
	case c.Decision.Alarm():
		return fmt.Errorf("its gate decided %s, and accepting it would hide that from later gates: fix the "+
			"agent and run again; if it is a false alarm, add --override \"reason\"; if the change is "+
			"intended, also run `concur baseline reset --reason \"…\" --keep RUN`", c.Decision)
	case c.Decision == gate.Inconclusive && !c.Bootstrap:
		return errors.New("its gate decided INCONCLUSIVE, not only for lack of history: settle the points in " +
			"gate.json and run the gate again, or accept it with --override \"reason\"")
	}
	var items []gate.Item
	for _, r := range c.Records {
		items = append(items, gate.Item{Query: r.Query, Current: TracesOf(r.Answers)})
	}
	why := gate.TooLost("it", items, Retry(c.Manifest))
	if len(c.Models) > 1 {
		why = append(why, SeveralModels(c.Models))
	}
	if unwired(c.Records) {
		why = append(why, result.NeverRead)
	}
	if len(why) > 0 {
		return fmt.Errorf("it is INVALID: %s; or accept it with --override \"reason\"", why[0])
	}
	return nil
}

// SeveralModels returns a warning that the replies of one agent came from several models.
func SeveralModels(names []string) string {
	return fmt.Sprintf("the replies come from %d models (%s), so the traces are not of one agent; name a fixed "+
		"version of the model, and begin a new run", len(names), text.Listed(names))
}

// independent returns an error for a run whose traces are already in the baseline, and for a run that began
// before the last reset.
func (b *Baseline) independent(c Candidate) error {
	name := c.Configuration.Name
	for _, r := range b.Runs {
		if r.row() == (runKey{c.Manifest.Run, name}) {
			return errors.New("it is in the baseline already; gate another run")
		}
	}
	if last, ok := b.lastReset(name); ok && c.Manifest.Start.Before(last.Time) {
		return fmt.Errorf("it began before the reset of %s (%s), so it would not count: run again",
			last.key(), last.Reason)
	}
	return Known(b.Counting(name), c.Pass)
}

// Known returns an error if accepted runs of a configuration already have the traces of a pass. Such a pass is
// a part of the history, so that it cannot be compared with the history.
func Known(runs []AcceptedRun, p Pass) error {
	for _, r := range runs {
		for _, q := range r.Passes {
			switch {
			case q.Run == p.Manifest.Run:
				return fmt.Errorf("it is run %s of the baseline, and would be compared with itself; gate on "+
					"a new run", r.Run)
			case !p.Deterministic && p.Digest != "" && p.Digest == q.Digest:
				return fmt.Errorf("its replies are identical to those of run %s: they are the same traces, "+
					"even under other names; begin a new run", r.Run)
			case p.Deterministic && r.Agent == p.Configuration.Agent && q.Seed == p.Manifest.Seed:
				return fmt.Errorf("its traces repeat those of run %s, since the model is deterministic and agent "+
					"and seed are equal; run with another --seed", r.Run)
			}
		}
	}
	return nil
}

func questionOf(q datasets.Query) Question {
	text := q.Text
	for _, turn := range q.History {
		text += "\x00" + turn.Role + "\x00" + turn.Content
	}
	if q.Now != "" {
		text += "\x00" + q.Now
	}
	sum := sha256.Sum256([]byte(text))
	return Question{Query: q.ID, Hash: q.Hash(), Text: hex.EncodeToString(sum[:8]), Category: q.Category,
		Expects: cmp.Or(q.Gold.Outcome, trace.Answered)}
}

// readsMessage reports whether a gold looks for keywords in the final message.
func readsMessage(g datasets.Gold) bool { return len(g.AllOf)+len(g.NoneOf) > 0 }
