package baseline

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Candidate is a run that is to be accepted.
type Candidate struct {
	Pass
	// Decision is what the gate said of the run; "" where it is accepted by hand. Bootstrap
	// tells that it was INCONCLUSIVE for lack of history alone.
	Decision  gate.Decision
	Bootstrap bool
	Override  *Override // nil where there is none
	// Deterministic says that the same agent with the same seed gives the same traces.
	Deterministic bool
}

// Add accepts a run over the dataset as it is now. It refuses, and leaves the baseline as
// it was: a replay, a run that is not complete or stopped early, one over a part of the
// dataset or other queries, traces that are there already, a run from before the last reset;
// and, without an override, a run that its gate did not pass or that is no evidence. An
// INCONCLUSIVE one enters where only history is lacking. What is written can be read again.
func (b *Baseline) Add(c Candidate, d *datasets.Dataset) error {
	run, made, err := b.accept(c, d)
	if err != nil {
		return fmt.Errorf("add run %s to the baseline: %w", quoted(c.Manifest.Run), err)
	}
	b.Runs = append(b.Runs, run)
	if b.Facts == nil {
		b.Facts = map[string]facts.Facts{}
	}
	b.Facts[run.Facts] = made
	b.sort()
	return nil
}

func (b *Baseline) accept(c Candidate, d *datasets.Dataset) (AcceptedRun, facts.Facts, error) {
	run, made := runOf(c.Pass), facts.Of(c.Manifest, c.Configuration)
	run.Facts = made.Key()
	digest := c.Digest
	if c.Deterministic { // it may well say the same whatever the seed
		digest, run.Copies = "", Copies{}
	}
	run.Passes = []AcceptedPass{{run.Run, run.Seed, digest}}
	run.Override = c.Override
	if c.Decision != "" {
		run.Decision = &c.Decision
	}
	for _, check := range []func() error{
		func() error { return c.whole(d) },
		c.admitted,
		c.valid,
		func() error { return b.independent(run, c) },
		func() error { return run.sum(c.Pass) },
	} {
		if err := check(); err != nil {
			return run, made, err
		}
	}
	run.Queries = c.queries(d)
	return run, made, run.readable()
}

// runOf is the run's own line, so far as its manifest tells it.
func runOf(p Pass) AcceptedRun {
	m, c := p.Manifest, p.Configuration
	return AcceptedRun{
		Run: m.Run, Start: m.Start.Round(0).UTC(), Configuration: c.Name, Agent: c.Agent, Model: c.Model, K: c.K, Seed: m.Seed,
		Dataset:  AcceptedDataset{m.Dataset.Name, m.Dataset.Hash, m.Dataset.Queries},
		Versions: m.Versions, GitCommit: m.GitCommit, Models: p.Models, Copies: p.Copies.names(),
	}
}

// sum fills in what plain thresholds need, as the run's summary has it.
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

// whole refuses what is no full run over this dataset, naming what differs.
func (c Candidate) whole(d *datasets.Dataset) error {
	m := c.Manifest
	switch {
	case m.ReplayOf != "":
		return fmt.Errorf("it is a replay: its traces are those of run %s; add that run", m.ReplayOf)
	case m.FreshOf != "":
		return fmt.Errorf("it holds fresh traces of run %s, which are evidence on that run alone; add that run", m.FreshOf)
	case m.State != store.Complete:
		return fmt.Errorf("it is not complete but %s: finish it with `concur run --resume %s`", m.State, m.Run)
	case m.Dataset.Of > m.Dataset.Queries:
		return fmt.Errorf("it is over %d of the %d queries of %s: a baseline is made of full runs; run it without --query, --category and --limit", m.Dataset.Queries, m.Dataset.Of, m.Dataset.Name)
	}
	records := map[string]store.Record{}
	for _, r := range c.Records {
		if _, again := records[r.Query]; again {
			return fmt.Errorf("query %s has two records: judge the run again", r.Query)
		}
		records[r.Query] = r
	}
	var added, changed, removed, short []string
	for _, q := range d.Queries {
		r, ok := records[q.ID]
		switch {
		case !ok:
			added = append(added, q.ID)
		case r.QueryHash != "" && r.QueryHash != q.Hash():
			changed = append(changed, q.ID)
		case len(r.Answers) != c.Configuration.K || !inOrder(r.Answers):
			short = append(short, fmt.Sprintf("%s (%d of %d)", q.ID, len(r.Answers), c.Configuration.K))
		}
		delete(records, q.ID)
	}
	for _, r := range c.Records { // in their order
		if _, left := records[r.Query]; left {
			removed = append(removed, r.Query)
		}
	}
	differs := ""
	for _, part := range []struct {
		what    string
		queries []string
	}{{"only the dataset has ", added}, {"only the run has ", removed}, {"changed since: ", changed}} {
		if len(part.queries) > 0 {
			differs += "; " + part.what + listed(part.queries)
		}
	}
	switch {
	case differs != "" || m.Dataset.Hash != d.Hash:
		return fmt.Errorf("it is over another content of the dataset %s (%.19s, now %.19s)%s: run it over the dataset as it is now", d.Name, m.Dataset.Hash, d.Hash, differs)
	case len(short) > 0:
		return fmt.Errorf("it was stopped early: traces of %s; a baseline needs all traces, since stopping depends on what they say; run without early stop", listed(short))
	}
	return nil
}

// inOrder reports whether the traces are 0, 1, 2, …
func inOrder(answers []store.Answer) bool {
	for i, a := range answers {
		if a.Trace != i {
			return false
		}
	}
	return true
}

// admitted refuses a run that its gate did not pass, where nobody answers for it.
func (c Candidate) admitted() error {
	d := &c.Decision
	if c.Decision == "" {
		d = nil
	}
	if err := admits(d, c.Override); err != nil || c.Override != nil {
		return err
	}
	if c.Decision == gate.Inconclusive && !c.Bootstrap {
		return errors.New("its gate said INCONCLUSIVE, and not for lack of history alone: do what gate.json says is open and ask the gate again, or give the reason why the run is sound")
	}
	return nil
}

// valid refuses what would be no evidence before the gate either: too many traces lost, or
// several models.
func (c Candidate) valid() error {
	if c.Override != nil {
		return nil
	}
	var items []gate.Item
	for _, r := range c.Records {
		items = append(items, gate.Item{Query: r.Query, Current: tracesOf(r.Answers)})
	}
	why := gate.TooLost("it", items, Retry(c.Manifest))
	if len(c.Models) > 1 {
		why = append(why, severalModels(c.Models))
	}
	if len(why) == 0 {
		return nil
	}
	return fmt.Errorf("it is INVALID, and no evidence: %s; or give the reason why it is sound", why[0])
}

func severalModels(names []string) string {
	return fmt.Sprintf("the replies come from %d models (%s), so that the traces are not of one agent; name a fixed version of the model, and begin a new run", len(names), listed(names))
}

// independent refuses a run that is no further evidence to what is there.
func (b *Baseline) independent(run AcceptedRun, c Candidate) error {
	for _, r := range b.Runs {
		if r.Run == run.Run && r.Configuration == run.Configuration {
			return errors.New("it is there already: nothing is to be done")
		}
		for _, p := range r.Passes {
			if p.Digest != "" && p.Digest == run.Passes[0].Digest {
				return fmt.Errorf("its replies are those of run %s to the byte: the same traces again, whatever they are called, and no further evidence; run again", r.Run)
			}
		}
	}
	if last, ok := b.lastReset(run.Configuration); ok && run.Start.Before(last.Time) {
		return fmt.Errorf("it began before the reset of %s (%s) and would not count: run again", last.key(), quoted(last.Reason))
	}
	if why := Known(b.Counting(run.Configuration), c.Pass, c.Deterministic); why != "" {
		return errors.New(why)
	}
	return nil
}

// queries are what became of every query of the dataset.
func (c Candidate) queries(d *datasets.Dataset) []AcceptedQuery {
	records := map[string]store.Record{}
	for _, r := range c.Records {
		records[r.Query] = r
	}
	out := make([]AcceptedQuery, len(d.Queries))
	for i, q := range d.Queries {
		out[i] = AcceptedQuery{Question: questionOf(q), Traces: []AcceptedTrace{}}
		for _, a := range records[q.ID].Answers {
			out[i].Traces = append(out[i].Traces, c.trace(q.Gold, a, trace.ID{Agent: c.Configuration.Agent, Query: q.ID, Trace: a.Trace}))
		}
	}
	return out
}

func questionOf(q datasets.Query) Question {
	sum := sha256.Sum256([]byte(q.Text))
	return Question{Query: q.ID, Hash: q.Hash(), Text: hex.EncodeToString(sum[:8]), Category: q.Category, Expects: expects(q.Gold)}
}

func (p Pass) trace(g datasets.Gold, a store.Answer, id trace.ID) AcceptedTrace {
	t := AcceptedTrace{Outcome: a.Outcome, Verdict: a.Verdict}
	if a.Outcome == trace.Answered {
		short := ""
		if a.Answer != nil {
			short = *a.Answer
		}
		t.Answer = &short
	}
	if readsMessage(g) {
		if message, ok := p.Messages[id]; ok {
			t.Message = &message
		}
	}
	return t
}

// readsMessage reports whether a gold looks at more than outcome and short answer.
func readsMessage(g datasets.Gold) bool { return len(g.AllOf)+len(g.NoneOf) > 0 }

func expects(g datasets.Gold) answer.Kind {
	if g.Outcome == "" {
		return answer.Answered
	}
	return g.Outcome
}

// names leaves out the counts, which are of no use in another run.
func (c Copies) names() Copies {
	return Copies{Long: slices.Clone(c.Long), Short: slices.Clone(c.Short)}
}
