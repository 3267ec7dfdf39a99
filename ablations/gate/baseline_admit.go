package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// fits refuses a pass that is no full pass of this run's agent over the dataset.
func (run AcceptedRun) fits(p RunPass, c store.Configuration, d *datasets.Dataset) error {
	m := p.Manifest
	switch {
	case m.ReplayOf != "":
		return fmt.Errorf("it is a replay: its traces are those of run %s; add that run", m.ReplayOf)
	case m.State != store.Complete:
		return fmt.Errorf("it is not complete but %s: finish it with `concur run --resume %s`", m.State, m.Run)
	case c.Agent != run.Agent:
		return fmt.Errorf("its agent is %s, and that of run %s is %s: a replication is of the same agent; add it as a run of its own", c.Agent, run.Run, run.Agent)
	case c.K != run.K:
		return fmt.Errorf("it has %d traces per query, and run %s has %d: add it as a run of its own", c.K, run.Run, run.K)
	case m.Dataset.Of > m.Dataset.Queries:
		return fmt.Errorf("it is over %d of the %d queries of %s: a baseline is made of full runs; run it without --query, --category and --limit", m.Dataset.Queries, m.Dataset.Of, m.Dataset.Name)
	case m.Dataset.Name != d.Name:
		return fmt.Errorf("it is over the dataset %s, and this is %s: name the run's dataset, or keep a baseline of its own for it", m.Dataset.Name, d.Name)
	}
	return p.covers(c, d)
}

// covers refuses a pass that was not over these very queries, naming what differs, and one
// that stopped a query early.
func (p RunPass) covers(c store.Configuration, d *datasets.Dataset) error {
	records := map[string]store.Record{}
	for _, r := range p.Records {
		if r.Configuration != c.Name {
			continue
		}
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
		case len(r.Answers) != c.K || !inOrder(r.Answers):
			short = append(short, fmt.Sprintf("%s (%d of %d)", q.ID, len(r.Answers), c.K))
		}
		delete(records, q.ID)
	}
	for _, r := range p.Records { // in their order
		if _, left := records[r.Query]; left && r.Configuration == c.Name {
			removed = append(removed, r.Query)
		}
	}
	var differs string
	for _, part := range []struct {
		what    string
		queries []string
	}{{"only the dataset has ", added}, {"only the run has ", removed}, {"changed since: ", changed}} {
		if len(part.queries) > 0 {
			differs += "; " + part.what + listed(part.queries)
		}
	}
	switch {
	case differs != "" || p.Manifest.Dataset.Hash != d.Hash:
		return fmt.Errorf("it is over another content of the dataset %s (%s, now %s)%s: run it over the dataset as it is now", d.Name, p.Manifest.Dataset.Hash, d.Hash, differs)
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

// valid refuses passes that would be no evidence before the gate either, where nobody took
// them on them: too many traces lost, or several models.
func (c Candidate) valid(configuration string) error {
	if c.Override != nil {
		return nil
	}
	var why, models []string
	for i, p := range c.Passes {
		pass := "it"
		if i > 0 {
			pass = "replication " + p.Manifest.Run
		}
		var items []Item
		for _, r := range p.Records {
			if r.Configuration == configuration {
				items = append(items, Item{Query: r.Query, Current: tracesOf(r.Answers)})
			}
		}
		why = append(why, tooLost(pass, items, currentOf, folderOf(p.Manifest))...)
		models = merged(models, p.Models...)
	}
	if len(models) > 1 {
		why = append(why, fmt.Sprintf("its replies come from %d models (%s), so that its traces are not of one agent; name a fixed version of the model, and begin a new run", len(models), listed(models)))
	}
	if len(why) == 0 {
		return nil
	}
	return fmt.Errorf("it is INVALID, and no evidence: %s; or give the reason why it is sound", strings.Join(why, "; "))
}

// admits refuses a run that is no further evidence to what is there.
func (b *Baseline) admits(run AcceptedRun, deterministic bool) error {
	for i, p := range run.Passes {
		if there, ok := b.Holds(run.Configuration, p.Run); ok {
			if p.Run == there && i == 0 {
				return errors.New("it is there already: nothing is to be done")
			}
			return fmt.Errorf("its pass %s is there already, in run %s: the same traces twice are no further evidence", p.Run, there)
		}
		if there, ok := b.Has(p.Digest); ok {
			return fmt.Errorf("the replies in its pass %s are those in run %s to the byte: the same traces again, whatever they are called, and no further evidence; run again", p.Run, there)
		}
		for _, q := range run.Passes[:i] {
			if q.Run == p.Run || deterministic && q.Seed == p.Seed || q.Digest != "" && q.Digest == p.Digest {
				return fmt.Errorf("its passes %s and %s are the same traces: replicate with another seed", q.Run, p.Run)
			}
		}
	}
	if last, ok := b.lastReset(run.Configuration); ok && last.before(run.Start) {
		return fmt.Errorf("it began before the reset of %s (%s) and would not count: run again", last.key(), quoted(last.Reason))
	}
	for _, r := range b.Counting(run.Configuration) {
		if r.Dataset.Name != run.Dataset.Name {
			return fmt.Errorf("it is over the dataset %s, and run %s of this baseline is over %s: keep one baseline file per dataset", run.Dataset.Name, r.Run, r.Dataset.Name)
		}
	}
	if !deterministic {
		return nil
	}
	for _, r := range b.Counting(run.Configuration) {
		for _, p := range r.Passes {
			if r.Agent == run.Agent && slices.ContainsFunc(run.Passes, func(q AcceptedPass) bool { return q.Seed == p.Seed }) {
				return fmt.Errorf("its traces are those of run %s again, since the model is deterministic and agent and seed (%d) are equal: no further evidence; run with another --seed", r.Run, p.Seed)
			}
		}
	}
	return nil
}

func traceOf(g datasets.Gold, r store.Record, a store.Answer, p RunPass) AcceptedTrace {
	t := AcceptedTrace{Outcome: a.Outcome, Verdict: a.Verdict}
	if a.Outcome == trace.Answered {
		short := ""
		if a.Answer != nil {
			short = *a.Answer
		}
		t.Answer = &short
	}
	if readsMessage(g) {
		if message, ok := p.Messages[trace.ID{Agent: r.Agent, Query: r.Query, Trace: a.Trace}]; ok {
			t.Message = &message
		}
	}
	return t
}

// readsMessage reports whether a gold looks at more than outcome and short answer.
func readsMessage(g datasets.Gold) bool { return len(g.AllOf)+len(g.NoneOf) > 0 }

func questionHash(q datasets.Query) string {
	sum := sha256.Sum256([]byte(q.Text))
	return hex.EncodeToString(sum[:8])
}
